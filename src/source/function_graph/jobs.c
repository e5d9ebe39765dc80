/*
 * The stretches between marks. "### Packet 1" ... "### Packet 1, end" is one. A mark without an
 * end of its own begins one that goes on to the next mark which stands elsewhere. Of marks that
 * follow one another directly the first names it and the others describe it, unless they have an
 * end of their own.
 */
#include "source/function_graph/records.h"

#include "base/memory.h"

static const char end_words[] = ", end";

/* The text that a mark is the end of; STRING_EMPTY where it is none. */
static string_id
text_before_end(const struct fgraph *graph, string_id text, const struct map *known)
{
	size_t length, words = sizeof end_words - 1;
	const char *bytes = intern_text(&graph->texts, text, &length);
	if (length <= words || memcmp(bytes + length - words, end_words, words) != 0)
		return STRING_EMPTY;
	uint32_t found = map_find(known, hash_bytes(bytes, length - words));
	return found != MAP_NONE ? found : STRING_EMPTY;
}

struct jobs {
	struct fgraph *graph;
	struct map known;       /* hash of the text of a mark to its id */
	struct map ends;        /* text to the last mark that ends it */
	uint32_t *open;         /* jobs with an end of their own, the outermost first */
	size_t open_count, open_capacity;
	uint32_t part;          /* the job that the next mark elsewhere ends; FGRAPH_NONE */
};

static bool
learn_marks(struct jobs *jobs, struct error *err)
{
	const struct fgraph *graph = jobs->graph;
	for (uint32_t i = 0; i < graph->mark_count; i++) {
		size_t length;
		string_id text = graph->marks[i].text;
		const char *bytes = intern_text(&graph->texts, text, &length);
		string_id begin = text_before_end(graph, text, &jobs->known);
		if (text != STRING_EMPTY && !map_put(&jobs->known, hash_bytes(bytes, length), text, err))
			return false;
		if (begin != STRING_EMPTY && !map_put(&jobs->ends, begin, i, err))
			return false;
	}
	return true;
}

static bool
begin_job(struct jobs *jobs, uint32_t mark, uint32_t *job, struct error *err)
{
	struct fgraph *graph = jobs->graph;
	if (!array_reserve(&graph->jobs, &graph->job_capacity, graph->job_count + 1,
		    sizeof *graph->jobs, err))
		return false;
	*job = (uint32_t)graph->job_count;
	graph->jobs[graph->job_count++] = (struct fgraph_job){
		.start_ns = graph->marks[mark].time_ns,
		.end_ns = graph->end_ns,
		.text = graph->marks[mark].text,
		.mark = mark,
		.parent = jobs->open_count > 0 ? jobs->open[jobs->open_count - 1] : FGRAPH_NONE
	};
	return true;
}

/* The innermost open job with that text, and those in it, end at the time. */
static bool
end_job(struct jobs *jobs, string_id text, int64_t time_ns)
{
	size_t found = jobs->open_count;
	while (found > 0 && jobs->graph->jobs[jobs->open[found - 1]].text != text)
		found--;
	if (found == 0)
		return false;
	while (jobs->open_count >= found)
		jobs->graph->jobs[jobs->open[--jobs->open_count]].end_ns = time_ns;
	return true;
}

static bool
take_mark(struct jobs *jobs, uint32_t index, struct error *err)
{
	struct fgraph *graph = jobs->graph;
	const struct fgraph_mark *mark = &graph->marks[index];
	if (!mark->follows && jobs->part != FGRAPH_NONE) {
		graph->jobs[jobs->part].end_ns = mark->time_ns;
		jobs->part = FGRAPH_NONE;
	}
	string_id begin = text_before_end(graph, mark->text, &jobs->known);
	if (begin != STRING_EMPTY && end_job(jobs, begin, mark->time_ns))
		return true;
	uint32_t last = map_find(&jobs->ends, mark->text);
	if (last != MAP_NONE && last > index)
		return array_reserve(&jobs->open, &jobs->open_capacity, jobs->open_count + 1,
			       sizeof *jobs->open, err) &&
		       begin_job(jobs, index, &jobs->open[jobs->open_count], err) &&
		       ++jobs->open_count > 0;
	return mark->follows || begin_job(jobs, index, &jobs->part, err);
}

bool
jobs_add_mark(struct fgraph *graph, const struct record *record, int64_t time_ns, struct error *err)
{
	/* They stand in the order of time, though the CPU before one may be behind another. */
	if (graph->mark_count > 0 && time_ns < graph->marks[graph->mark_count - 1].time_ns)
		time_ns = graph->marks[graph->mark_count - 1].time_ns;
	if (!array_reserve(&graph->marks, &graph->mark_capacity, graph->mark_count + 1,
		    sizeof *graph->marks, err))
		return false;
	graph->marks[graph->mark_count++] = (struct fgraph_mark){ .time_ns = time_ns,
		.text = record->name,
		.follows = record->depth != 0 };
	return true;
}

bool
jobs_build(struct fgraph *graph, struct error *err)
{
	struct jobs jobs = { .graph = graph, .part = FGRAPH_NONE };
	bool is_fine = learn_marks(&jobs, err);
	for (uint32_t i = 0; is_fine && i < graph->mark_count; i++)
		is_fine = take_mark(&jobs, i, err);
	array_release(&jobs.open);
	map_release(&jobs.known);
	map_release(&jobs.ends);
	return is_fine;
}

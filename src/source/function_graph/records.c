/* From lines to records. */
#include "source/function_graph/records.h"

#include "base/memory.h"
#include "source/common/line_reader.h"
#include "source/common/live.h"
#include "source/function_graph/line.h"
#include "source/function_graph/oneline.h"

enum {
	DAMAGE_BYTES = 200,  /* are kept of a damaged line */
	REPENT_LINES = 8,    /* so many misfits in a row that fit other columns: these are the columns */
	HEAD_BYTES = 64 * 1024, /* decide about columns */
	MAX_HEADERS = 16,       /* are compared with the records below; more of them are believed */
	MAX_REPENTED = 1 << 16  /* lines are tried with other columns; it takes 2 us each */
};

struct reading {
	struct line_reader lines;
	struct records *records;
	struct fgraph *graph;
	unsigned columns;
	unsigned header_count;
	uint64_t from_bytes; /* where the line, or part of one, begins */
	bool has_begun;     /* the first record was seen */
	bool after_mark;    /* the line before was one */
	uint64_t misfits;   /* bit i: columns i + 1 fit the last misfit_count lines, which ours do not */
	unsigned misfit_count;
	unsigned repented;
	struct live live; /* of records */
};

void
records_release(struct records *records)
{
	array_release(&records->items);
	array_release(&records->first_tasks);
	array_release(&records->is_cpu);
	map_release(&records->tasks);
}

bool
records_task(struct records *records, struct fgraph *graph, int64_t pid, uint32_t cpu,
	uint32_t *task, struct error *err)
{
	/* Two spaces of keys: pids, and CPUs of those tasks that there are one a CPU. */
	bool is_of_cpu = pid <= 0;
	uint64_t key = is_of_cpu ? UINT64_C(1) << 40 | (uint64_t)(pid + 1) << 32 | cpu : (uint64_t)pid;
	*task = map_find(&records->tasks, key);
	if (*task != MAP_NONE)
		return true;
	if (!array_reserve(&graph->tasks, &graph->task_capacity, graph->task_count + 1,
		    sizeof *graph->tasks, err) ||
		!map_put(&records->tasks, key, (uint32_t)graph->task_count, err))
		return false;
	graph->tasks[graph->task_count] =
		(struct fgraph_task){ .pid = pid, .cpu = is_of_cpu ? cpu : FGRAPH_NONE };
	*task = (uint32_t)graph->task_count++;
	return true;
}

/* A task by pid and name; the last name counts, as the kernel looks it up when it prints. */
static bool
name_task(struct reading *reading, int64_t pid, struct scan name, uint32_t cpu, uint32_t *task,
	struct error *err)
{
	struct fgraph *graph = reading->graph;
	if (!records_task(reading->records, graph, pid, cpu, task, err))
		return false;
	size_t length;
	struct fgraph_task *known = &graph->tasks[*task];
	const char *text = intern_text(&graph->strings, known->name, &length);
	if (length == scan_left(&name) && memcmp(text, name.at, length) == 0)
		return true;
	if (scan_is_end(&name) || scan_is(&name, "<...>"))
		return true;
	return intern_add(&graph->strings, name.at, scan_left(&name), &known->name, err);
}

/* Room in the tables of CPUs. */
static bool
know_cpu(struct records *records, uint32_t cpu, struct error *err)
{
	if (cpu < records->cpu_limit)
		return true;
	if (!array_reserve(&records->first_tasks, &records->cpu_capacity, (size_t)cpu + 1,
		    sizeof *records->first_tasks, err) ||
		!array_reserve(&records->is_cpu, &records->is_cpu_capacity, (size_t)cpu + 1, 1, err))
		return false;
	for (; records->cpu_limit <= cpu; records->cpu_limit++) {
		records->first_tasks[records->cpu_limit] = FGRAPH_NONE;
		records->is_cpu[records->cpu_limit] = false;
	}
	return true;
}

static bool
add_text(struct reading *reading, struct scan text, string_id *id, struct error *err)
{
	*id = STRING_EMPTY;
	return scan_is_end(&text) ||
	       intern_add(&reading->graph->texts, text.at, scan_left(&text), id, err);
}

static bool
add_detail(struct reading *reading, const struct graph_line *line, uint32_t *detail,
	struct error *err)
{
	struct fgraph *graph = reading->graph;
	struct fgraph_detail added = { 0 };
	*detail = 0;
	if (scan_is_end(&line->arguments) && scan_is_end(&line->caller) && scan_is_end(&line->returned))
		return true;
	if (!add_text(reading, line->arguments, &added.arguments, err) ||
		!add_text(reading, line->caller, &added.caller, err) ||
		!add_text(reading, line->returned, &added.returned, err) ||
		!array_reserve(&graph->details, &graph->detail_capacity, graph->detail_count + 1,
			sizeof *graph->details, err))
		return false;
	graph->details[graph->detail_count++] = added;
	*detail = (uint32_t)graph->detail_count;
	return true;
}

static bool
add_record(struct reading *reading, const struct graph_line *line, struct error *err)
{
	struct records *records = reading->records;
	struct record record = { .time_ns = line->time_ns,
		.took_ns = line->kind == GRAPH_LOST ? line->lost : line->took_ns,
		.task = FGRAPH_NONE,
		.cpu = line->cpu & 0xffffU,
		.depth = line->depth & 0xfffU,
		.kind = line->kind & 0xfU };
	bool is_text = line->kind == GRAPH_EVENT || line->kind == GRAPH_MARK;
	if (!know_cpu(records, line->cpu, err) || !add_detail(reading, line, &record.detail, err) ||
		!intern_add(is_text ? &reading->graph->texts : &reading->graph->strings, line->name.at,
			scan_left(&line->name), &record.name, err))
		return false;
	if (line->pid >= 0 && !name_task(reading, line->pid, line->task, line->cpu, &record.task, err))
		return false;
	if (line->process > 0 && record.task != FGRAPH_NONE)
		reading->graph->tasks[record.task].process = line->process;
	if (line->kind == GRAPH_SWITCH) {
		if (records->first_tasks[line->cpu] == FGRAPH_NONE)
			records->first_tasks[line->cpu] = record.task;
		if (!name_task(reading, line->next_pid, line->next_task, line->cpu, &record.task, err))
			return false;
	}
	if (graph_is_record(line))
		records->is_cpu[line->cpu] = true;
	records->has_stamps |= line->time_ns >= 0;
	records->has_ticks |= line->has_ticks;
	if (!array_reserve(&records->items, &records->capacity, records->count + 1,
		    sizeof *records->items, err))
		return false;
	records->items[records->count++] = record;
	return true;
}

/* Lines in a row that fit other columns than ours: those are the columns now. */
static void
repent(struct reading *reading, struct scan text)
{
	if (reading->repented >= MAX_REPENTED)
		return;
	reading->repented++;
	if (reading->misfit_count == 0)
		reading->misfits = UINT64_MAX;
	for (unsigned set = 1; set <= GRAPH_LAST_SET; set++) {
		uint64_t bit = UINT64_C(1) << (set - 1);
		struct graph_line line;
		if (!(reading->misfits & bit))
			continue;
		if (!graph_record_read(set, text, &line))
			reading->misfits &= ~bit;
		else if (reading->misfit_count + 1 == REPENT_LINES)
			reading->columns = set;
	}
	/* What fits nothing begins no row. */
	reading->misfit_count = reading->misfits == 0 ? 0 : (reading->misfit_count + 1) % REPENT_LINES;
}

/* The place in the input behind the last line. */
static uint64_t
bytes_taken(const struct reading *reading)
{
	const struct line_reader *lines = &reading->lines;
	return lines->in->offset_bytes - (lines->end - lines->begin);
}

static bool
add_damage(struct reading *reading, struct scan text, struct error *err)
{
	struct fgraph *graph = reading->graph;
	struct records *records = reading->records;
	uint64_t count = graph->counts.damaged++, to_bytes = bytes_taken(reading);
	uint64_t lost_bytes = to_bytes - reading->from_bytes;
	/* A piece of a line; it is longer than its bytes where tabs became blanks. */
	if (graph->counts.is_one_line && scan_left(&text) < lost_bytes)
		lost_bytes = scan_left(&text);
	if (count >= FGRAPH_DAMAGE_SHOWN) {
		struct fgraph_damage *last = &graph->damage[FGRAPH_DAMAGE_SHOWN - 1];
		last->lines++;
		last->to_bytes = to_bytes;
		last->lost_bytes += lost_bytes;
		if (last->lost_bytes > to_bytes - last->from_bytes)
			last->lost_bytes = to_bytes - last->from_bytes;
		return true;
	}
	graph->damage[count] = (struct fgraph_damage){ .line = reading->lines.count,
		.from_bytes = reading->from_bytes,
		.to_bytes = to_bytes,
		.lines = 1,
		.lost_bytes = lost_bytes };
	if (scan_left(&text) > DAMAGE_BYTES)
		text.end = text.at + DAMAGE_BYTES;
	if (!add_text(reading, text, &graph->damage[count].text, err) ||
		!array_reserve(&records->items, &records->capacity, records->count + 1,
			sizeof *records->items, err))
		return false;
	records->items[records->count++] = (struct record){ .time_ns = -1,
		.took_ns = -1,
		.name = (string_id)count,
		.task = FGRAPH_NONE,
		.kind = GRAPH_UNKNOWN };
	return true;
}

/* Counts a line, and keeps it if it says something. */
static bool
take(struct reading *reading, struct scan text, struct graph_line *line, struct error *err)
{
	struct fgraph_counts *counts = &reading->graph->counts;
	bool after_mark = reading->after_mark;
	if (line->kind != GRAPH_BLANK)
		reading->after_mark = line->kind == GRAPH_MARK;
	if (graph_is_record(line))
		reading->has_begun = true;
	switch ((enum graph_kind)line->kind) {
	case GRAPH_UNKNOWN:
		if (reading->has_begun)
			return add_damage(reading, text, err);
		counts->notes++;
		return true;
	case GRAPH_BLANK:
		counts->blank++;
		return true;
	case GRAPH_NOTE:
		counts->notes++;
		return true;
	case GRAPH_FRAME:
		counts->notes++;
		break;
	case GRAPH_ENTRY:
		counts->nested++;
		break;
	case GRAPH_LEAF:
		counts->leaves++;
		break;
	case GRAPH_EXIT:
		break;
	case GRAPH_EVENT:
		counts->events++;
		line->depth = line->is_in_interrupt; /* it has none */
		break;
	case GRAPH_IRQ_ENTER:
		counts->irq_enter++;
		break;
	case GRAPH_IRQ_EXIT:
		counts->irq_exit++;
		break;
	case GRAPH_SWITCH:
		counts->switches++;
		break;
	case GRAPH_LOST:
		counts->lost_records++;
		counts->lost_events += (uint64_t)line->lost;
		break;
	case GRAPH_MARK:
		counts->marks++;
		line->depth = after_mark; /* nor has a mark: it says whether it follows another */
		break;
	}
	return add_record(reading, line, err);
}

/*
 * The columns of what comes next, where nothing names them or these names may be wrong. Where somebody
 * looks on, more than there is may be long in coming.
 */
static bool
look_for_columns(struct reading *reading, bool is_named, struct error *err)
{
	struct scan head;
	size_t wanted = reading->live.watch == NULL ? HEAD_BYTES : is_named ? 0 : 1;
	if (!line_reader_look(&reading->lines, wanted, NULL, &head, err))
		return false;
	reading->columns = graph_columns_find(head, is_named ? &reading->columns : NULL);
	return true;
}

static bool
take_line(struct reading *reading, struct scan text, struct error *err)
{
	struct graph_line line;
	reading->graph->counts.records++;
	if (graph_line_read(reading->columns, text, &line)) {
		reading->misfit_count = 0;
		reading->records->lacks_cpus |= (reading->columns & (GRAPH_CPU | GRAPH_RECORDS)) == 0;
	} else if (line.kind == GRAPH_UNKNOWN) {
		repent(reading, text);
	}
	bool is_header = line.kind == GRAPH_NOTE && graph_columns_named(text, &reading->columns);
	if (!take(reading, text, &line, err))
		return false;
	/* The text is gone once more is read. */
	return !is_header || reading->header_count++ >= MAX_HEADERS ||
	       look_for_columns(reading, true, err);
}

static bool
take_one_line(struct reading *reading, struct scan text, struct error *err)
{
	struct scan piece;
	scan_blanks(&text);
	const char *first = text.at;
	reading->graph->counts.is_one_line = true;
	while (oneline_piece(&text, &piece)) {
		struct scan start = piece;
		struct graph_line line;
		/* The last piece of a part goes on in the next one, unless it is all of it. */
		if (scan_is_end(&text) && piece.at != first &&
			line_reader_give_back(&reading->lines, (size_t)(text.end - piece.at)))
			return true;
		reading->graph->counts.records++;
		while (oneline_record(&piece, &line)) {
			line.depth = RECORD_BY_BRACES;
			if (!take(reading, (struct scan){ start.at, piece.at }, &line, err))
				return false;
			start.at = piece.at;
		}
	}
	return true;
}

bool
records_read(struct records *records, struct fgraph *graph, struct input *in, const struct records_show *show,
	struct error *err)
{
	struct reading reading = { .records = records, .graph = graph,
		.live.watch = show == NULL ? NULL : show->watch };
	struct scan text;
	bool was_part = false, was_one_line = false;
	line_reader_init(&reading.lines, in);
	bool is_fine = intern_init(&graph->strings, err) && intern_init(&graph->texts, err) &&
		       look_for_columns(&reading, false, err);
	while (is_fine) {
		reading.from_bytes = bytes_taken(&reading);
		is_fine = line_reader_next(&reading.lines, &text, err);
		if (!is_fine || text.at == NULL)
			break;
		uint64_t damaged = graph->counts.damaged;
		bool is_one_line = (was_part && was_one_line) || oneline_is(text);
		was_part = reading.lines.is_part;
		was_one_line = is_one_line;
		is_fine = is_one_line ? take_one_line(&reading, text, err)
				      : take_line(&reading, text, err);
		if (is_fine && live_is_due(&reading.live, &reading.lines, records->count))
			live_show(&reading.live, records->count, show->make, show->context);
		graph->counts.is_cut = !reading.lines.has_newline && graph->counts.damaged > damaged;
	}
	line_reader_release(&reading.lines);
	return is_fine;
}

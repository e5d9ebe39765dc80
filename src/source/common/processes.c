#include "source/common/processes.h"

#include <inttypes.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

struct grouping {
	struct trace *trace;
	const struct process_thread *threads;
	struct map thread_of; /* by id: the index of the last one */
	struct map first_of;  /* by process: the index of one of its threads */
	struct map name_of;   /* by process of which more were seen */
	struct text scratch;
};

/* That of the first thread, or the one that two others have in common. */
static bool
name_process(struct grouping *grouping, int64_t process, string_id one, string_id other, string_id *name,
	struct error *err)
{
	uint32_t leader = map_find(&grouping->thread_of, (uint64_t)process);
	string_id called = leader != MAP_NONE ? grouping->threads[leader].name : one == other ? one : STRING_EMPTY;
	size_t length;
	const char *bytes = trace_text(grouping->trace, called, &length);
	text_clear(&grouping->scratch);
	text_add(&grouping->scratch, bytes, length);
	text_format(&grouping->scratch, "%s %" PRId64, length == 0 ? "process" : "", process);
	if (grouping->scratch.failed)
		return error_set_memory(err, "names");
	return intern_add(&grouping->trace->strings, grouping->scratch.bytes, grouping->scratch.length, name, err);
}

static bool
name_all(struct grouping *grouping, size_t count, struct error *err)
{
	const struct process_thread *threads = grouping->threads;
	for (uint32_t i = 0; i < count; i++)
		if (threads[i].id > 0 && !map_put(&grouping->thread_of, (uint64_t)threads[i].id, i, err))
			return false;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t process = (uint64_t)threads[i].process;
		uint32_t first;
		string_id name;
		if (threads[i].process <= 0 || map_find(&grouping->name_of, process) != MAP_NONE)
			continue;
		first = map_find(&grouping->first_of, process);
		if (first == MAP_NONE) {
			if (!map_put(&grouping->first_of, process, i, err))
				return false;
		} else if (!name_process(grouping, threads[i].process, threads[first].name, threads[i].name, &name,
				   err) ||
			   !map_put(&grouping->name_of, process, name, err)) {
			return false;
		}
	}
	return true;
}

/* Whether any group has a name of its own. */
static bool
find_groups(const struct grouping *grouping, string_id *groups)
{
	bool has_any = false;
	for (actor_ref ref = 0; ref < trace_actor_count(grouping->trace); ref++) {
		int64_t id = trace_actor(grouping->trace, ref)->id;
		uint32_t thread = id <= 0 ? MAP_NONE : map_find(&grouping->thread_of, (uint64_t)id);
		int64_t process = thread == MAP_NONE ? 0 : grouping->threads[thread].process;
		uint32_t name = process <= 0 ? MAP_NONE : map_find(&grouping->name_of, (uint64_t)process);
		groups[ref] = name == MAP_NONE ? STRING_EMPTY : name;
		has_any = has_any || groups[ref] != STRING_EMPTY;
	}
	return has_any;
}

bool
processes_group(struct builder *builder, struct trace *trace, const struct process_thread *threads, size_t count,
	string_id **groups, struct error *err)
{
	struct grouping grouping = { .trace = trace, .threads = threads };
	*groups = array_new(trace_actor_count(trace), sizeof **groups, err);
	bool is_fine = *groups != NULL && name_all(&grouping, count, err);
	if (is_fine && find_groups(&grouping, *groups))
		builder_group_names(builder, *groups);
	map_release(&grouping.thread_of);
	map_release(&grouping.first_of);
	map_release(&grouping.name_of);
	text_release(&grouping.scratch);
	return is_fine;
}

/* gperftools' CPU profiles: words, then a list of mappings as text. */
#include "base/checked.h"
#include "source/common/line_reader.h"
#include "source/pprof/legacy.h"
#include "source/pprof/recognise.h"

struct cpu {
	struct legacy legacy;
	struct pprof_words words;
	size_t at, count; /* words */
	bool is_whole;    /* up to the last record */
	int64_t period_ns;
};

static uint64_t
next_word(struct cpu *cpu)
{
	return pprof_word(&cpu->words, cpu->legacy.pprof->bytes, cpu->at++);
}

/* Addresses but the leaf's are where calls return to. */
static bool
take_record(struct cpu *cpu, bool *is_last, struct error *err)
{
	struct legacy *legacy = &cpu->legacy;
	uint64_t count = next_word(cpu), depth = next_word(cpu);
	if (depth > cpu->count - cpu->at) {
		*is_last = true;
		cpu->at -= 2;
		return true;
	}
	*is_last = count == 0 && depth == 1 &&
		   pprof_word(&cpu->words, legacy->pprof->bytes, cpu->at) == 0;
	if (*is_last) {
		cpu->is_whole = true;
		cpu->at++;
		return true;
	}
	int64_t samples = count < INT64_MAX ? (int64_t)count : INT64_MAX;
	struct legacy_sample sample = { .first = legacy->address_count, .count = (size_t)depth,
		.values = { samples, saturating_mul_i64(samples, cpu->period_ns) } };
	for (size_t i = 0; i < sample.count; i++) {
		if (!legacy_add_address(legacy, next_word(cpu) - (i > 0), err))
			return false;
	}
	return legacy_add(legacy, &sample, err);
}

static bool
take_records(struct cpu *cpu, struct error *err)
{
	struct pprof *pprof = cpu->legacy.pprof;
	bool is_last = false;
	while (!is_last && cpu->count - cpu->at >= 2) {
		if (!take_record(cpu, &is_last, err))
			return false;
	}
	if (!cpu->is_whole && !pprof->is_cut)
		pprof_cut(pprof, cpu->at * cpu->words.word_bytes, "ended early, without its last record");
	return true;
}

/* Of a sample that has one: the leaf moves to its place. */
static void
remove_caller(struct legacy *legacy, struct legacy_sample *sample)
{
	legacy->addresses[sample->first + 1] = legacy->addresses[sample->first];
	sample->first++;
	sample->count--;
}

/*
 * A frame next to the leaf that is in nearly all samples is of the handler of the signal: pprof takes
 * up to two of them out.
 */
static bool
remove_handler(struct legacy *legacy, struct error *err)
{
	enum { SIMILAR = 32 };
	struct map counts = { 0 };
	bool is_fine = true, is_found = false;
	uint64_t address = 0;
	for (size_t i = 0; is_fine && !is_found && i < legacy->sample_count; i++) {
		const struct legacy_sample *sample = &legacy->samples[i];
		if (sample->count < 2)
			continue;
		address = legacy->addresses[sample->first + 1];
		uint32_t before = map_find(&counts, address), count = before == MAP_NONE ? 1 : before + 1;
		is_fine = count != MAP_NONE && map_put(&counts, address, count, err);
		is_found = count >= legacy->sample_count - legacy->sample_count / SIMILAR;
	}
	for (size_t i = 0; is_found && i < legacy->sample_count; i++) {
		struct legacy_sample *sample = &legacy->samples[i];
		if (sample->count > 1 && legacy->addresses[sample->first + 1] == address)
			remove_caller(legacy, sample);
	}
	map_release(&counts);
	return is_fine;
}

/* The leaf may stand twice: once from the signal, once as a place to return to. */
static void
remove_doubles(struct legacy *legacy)
{
	for (size_t i = 0; i < legacy->sample_count; i++) {
		struct legacy_sample *sample = &legacy->samples[i];
		size_t leaf = sample->first;
		if (sample->count > 1 && legacy->addresses[leaf] == legacy->addresses[leaf + 1] + 1)
			remove_caller(legacy, sample);
	}
}

static bool
read_mappings(struct cpu *cpu, struct error *err)
{
	const struct pprof *pprof = cpu->legacy.pprof;
	size_t from = cpu->at * cpu->words.word_bytes;
	struct scan text = scan_over((const char *)pprof->bytes + from, pprof->size - from), line;
	bool has_newline;
	while (cpu->is_whole && line_take(&text, &line, &has_newline)) {
		if (!legacy_add_mapping(&cpu->legacy, line, err))
			return false;
	}
	return true;
}

bool
pprof_read_cpu(struct pprof *pprof, struct error *err)
{
	static const char *const types[] = { "samples", "count", "cpu", "nanoseconds", NULL };
	struct cpu cpu = { .legacy = { .pprof = pprof },
		.words = pprof_words_of(pprof->bytes, pprof->size),
		.at = PPROF_CPU_HEADER_WORDS };
	struct sample_origin *origin = &pprof->trace->samples->origin;
	cpu.count = pprof->size / cpu.words.word_bytes;
	if (cpu.count < PPROF_CPU_HEADER_WORDS)
		return error_set(err, ERROR_TRUNCATED, "a CPU profile without a whole header");
	uint64_t period_us = pprof_word(&cpu.words, pprof->bytes, PPROF_CPU_PERIOD_WORD);
	cpu.period_ns = origin->period = (int64_t)period_us * 1000;
	bool is_fine = pprof_add_types(pprof, types, err) &&
		       pprof_text(pprof, "cpu", &origin->period_type, err) &&
		       pprof_text(pprof, "nanoseconds", &origin->period_unit, err) &&
		       take_records(&cpu, err) && remove_handler(&cpu.legacy, err) &&
		       remove_handler(&cpu.legacy, err);
	if (is_fine) {
		remove_doubles(&cpu.legacy);
		is_fine = read_mappings(&cpu, err) && legacy_finish(&cpu.legacy, err);
	}
	legacy_release(&cpu.legacy);
	return is_fine;
}

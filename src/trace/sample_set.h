/*
 * Samples with weights: what a profile consists of. A sample is a stack of the trace
 * (trace/stack.h) with a weight of each of the profile's types, "cpu" in nanoseconds and the like,
 * and maybe labels. Most profiles have no axis of time, and the trace's end is 0. Samples that were
 * taken at known times have instants of the trace, which tell when, on whom and where.
 */
#ifndef TTRACE_TRACE_SAMPLE_SET_H
#define TTRACE_TRACE_SAMPLE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/text.h"
#include "trace/stack.h"

enum { SAMPLE_TYPES_MOST = 64 };

/* Names are ids of trace->strings here and below. */
struct sample_type {
	string_id name; /* "cpu", "inuse_space" */
	string_id unit; /* as the input has it: "nanoseconds", "count"; STRING_EMPTY: none */
	string_id caption; /* what somebody wrote above them; STRING_EMPTY: nothing */
};

/* A word or a number that stands beside a stack. A key may come several times. */
struct sample_label {
	string_id key;
	string_id text; /* STRING_EMPTY: it is a number */
	string_id unit; /* of the number */
	int64_t number;
};

/* What the input says of itself, where it does; else STRING_EMPTY and 0. */
struct sample_origin {
	string_id file;     /* the program that was measured, without folders */
	string_id build_id;
	string_id doc;      /* an address */
	int64_t time_ns;    /* Unix time of the beginning */
	int64_t duration_ns;
	string_id period_type, period_unit;
	int64_t period;
	string_id *comments; /* owned */
	size_t comment_count, comment_capacity;
	/*
	 * Regular expressions for whole names of functions. Reports leave out frames that the first
	 * matches and the second does not, with all that they called (analysis/profile_prune.h).
	 */
	string_id drop, keep;
};

/*
 * How tools that know the input write its folded stacks; elsewhere names are as they are. `task` is
 * the text of a label, which is the outermost function there.
 */
struct sample_fold {
	const char *key; /* of that label */
	void (*add_task)(struct text *out, const char *task, size_t length);
	/* Appends the name of a function; false where it is left out. */
	bool (*add_name)(struct text *out, const char *name, size_t length, const char *task,
		size_t task_length);
};

struct sample_set {
	struct sample_type types[SAMPLE_TYPES_MOST];
	unsigned type_count; /* one at least, once there are samples */
	unsigned usual_type; /* that is shown where none is asked for */
	int decimals;        /* 0 to 9: weights count 10^-decimals of the unit */
	/*
	 * Weights of samples with the label `pprof::base` are what another profile has, negated:
	 * shares are of those alone.
	 */
	bool has_base;
	const struct sample_fold *fold; /* of static storage; NULL: names are as they are */
	bool keeps_zeros; /* stacks that weigh nothing are told as well: another type has more of them */
	struct sample_origin origin;

	size_t count;
	stack_id *stacks;      /* of each sample; STACK_NONE: it has a weight and no frame */
	int64_t *weights;      /* sample_set_weight() asks: type_count of each, or one */
	uint8_t *type_of;      /* of each, the one type that it has a weight of; NULL: it has one of all */
	uint32_t *instants;    /* of each, the number in trace->instants, REF_NONE: no time; NULL: none has any */
	uint32_t *label_lists; /* of each, the id of its labels in label_bytes; NULL: none has any */
	struct intern label_bytes; /* arrays of struct sample_label as strings; STRING_EMPTY: none */
	size_t stack_capacity, weight_capacity, list_capacity, type_capacity, instant_capacity;
};

/* NULL with err set for want of memory. */
struct sample_set *sample_set_new(struct error *err);
void sample_set_free(struct sample_set *set); /* NULL is fine */
size_t sample_set_bytes(const struct sample_set *set);

/*
 * Samples that are there have none of a new type. ERROR_LIMIT where there are too many, or none was added before
 * the first sample; else these fail for want of memory. O(1) per weight and label.
 */
bool sample_set_add_type(struct sample_set *set, string_id name, string_id unit, struct error *err);
bool sample_set_add_comment(struct sample_set *set, string_id comment, struct error *err);
bool sample_set_add(struct sample_set *set, stack_id stack, const int64_t *weights,
	const struct sample_label *labels, size_t label_count, struct error *err);
/*
 * The same of a set in which every sample has one type alone, and maybe an instant of the trace (else
 * REF_NONE). Then all samples of the set are added by this one.
 */
struct sample_single {
	stack_id stack;
	unsigned type;
	int64_t weight;
	uint32_t instant;
};

bool sample_set_add_single(struct sample_set *set, const struct sample_single *sample,
	const struct sample_label *labels, size_t label_count, struct error *err);

/* Whether it has a weight of that type, be it 0. */
static inline bool
sample_set_is_of(const struct sample_set *set, size_t sample, unsigned type)
{
	return set->type_of == NULL || set->type_of[sample] == type;
}

static inline int64_t
sample_set_weight(const struct sample_set *set, size_t sample, unsigned type)
{
	if (set->type_of == NULL)
		return set->weights[sample * set->type_count + type];
	return sample_set_is_of(set, sample, type) ? set->weights[sample] : 0;
}

/* How many labels a sample has, and the one of that number. */
size_t sample_set_label_count(const struct sample_set *set, size_t sample);
struct sample_label sample_set_label(const struct sample_set *set, size_t sample, size_t label);

/*
 * The type of that name, also as NAME_UNIT or NAME/UNIT; type_count for none. An empty name is the
 * usual one. `strings`: of the trace.
 */
unsigned sample_set_find_type(const struct sample_set *set, const struct intern *strings,
	const char *name, size_t length);

#endif

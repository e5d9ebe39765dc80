/* A profile.proto: its tables, what it says of itself, its samples. */
#include "source/pprof/proto.h"

#include <string.h>

/*
 * Profiles have whole numbers alone. Where all units end in "*1e-2", values were written with so many
 * digits behind the point (report/pprof.c).
 */
static bool
take_decimals(struct trace *trace, struct error *err)
{
	static const char mark[] = "*1e-";
	enum { MARK_BYTES = sizeof mark - 1 };
	struct sample_set *set = trace->samples;
	char digit = '0';
	for (unsigned i = 0; i < set->type_count; i++) {
		size_t length;
		const char *unit = trace_text(trace, set->types[i].unit, &length);
		if (length < MARK_BYTES + 1 || memcmp(unit + length - MARK_BYTES - 1, mark, MARK_BYTES) != 0)
			return true;
		char last = unit[length - 1];
		if (last < '1' || last > '9' || (i > 0 && last != digit))
			return true;
		digit = last;
	}
	set->decimals = digit - '0';
	for (unsigned i = 0; i < set->type_count; i++) {
		size_t length;
		const char *unit = trace_text(trace, set->types[i].unit, &length);
		if (!intern_add(&trace->strings, unit, length - MARK_BYTES - 1, &set->types[i].unit, err))
			return false;
	}
	return true;
}

static bool
add_types(struct proto *proto, struct error *err)
{
	struct pprof *pprof = proto->pprof;
	struct sample_set *set = pprof->trace->samples;
	string_id usual;
	if (proto->type_count == 0)
		return error_set(err, ERROR_FORMAT, "a profile without a sample type");
	if (!proto_string(proto, proto->scalars[PROFILE_DEFAULT], &usual, err))
		return false;
	set->usual_type = (unsigned)proto->type_count - 1;
	for (unsigned i = 0; i < proto->type_count; i++) {
		string_id name, unit;
		if (!proto_string(proto, proto->types[i][TYPE_NAME], &name, err) ||
			!proto_string(proto, proto->types[i][TYPE_UNIT], &unit, err) ||
			!sample_set_add_type(set, name, unit, err))
			return false;
		if (!pprof->is_cut && (!proto_has_string(proto, proto->types[i][TYPE_NAME]) ||
					      !proto_has_string(proto, proto->types[i][TYPE_UNIT])))
			pprof_damaged(pprof, 0, 0, "a type of samples names a string that is not there");
	}
	for (unsigned i = (unsigned)proto->type_count; usual != STRING_EMPTY && i-- > 0;) {
		if (set->types[i].name == usual)
			set->usual_type = i;
	}
	return take_decimals(pprof->trace, err);
}

static bool
add_origin(struct proto *proto, struct error *err)
{
	struct pprof *pprof = proto->pprof;
	struct sample_origin *origin = &pprof->trace->samples->origin;
	const uint64_t *scalars = proto->scalars;
	origin->time_ns = (int64_t)scalars[PROFILE_TIME];
	origin->duration_ns = (int64_t)scalars[PROFILE_DURATION];
	origin->period = (int64_t)scalars[PROFILE_PERIOD];
	string_id file = STRING_EMPTY;
	if (proto->mapping_count > 0 &&
		(!proto_string(proto, proto->mappings[0].file, &file, err) ||
			!proto_string(proto, proto->mappings[0].build, &origin->build_id, err)))
		return false;
	if (!pprof_base_name(pprof, file, &origin->file, err) ||
		!proto_string(proto, scalars[PROFILE_DOC], &origin->doc, err) ||
		!proto_string(proto, scalars[PROFILE_DROP], &origin->drop, err) ||
		!proto_string(proto, scalars[PROFILE_KEEP], &origin->keep, err) ||
		!proto_string(proto, proto->period_type[TYPE_NAME], &origin->period_type, err) ||
		!proto_string(proto, proto->period_type[TYPE_UNIT], &origin->period_unit, err))
		return false;
	for (size_t i = 0; i < proto->comment_count; i++) {
		string_id comment;
		if (!proto_string(proto, proto->comments[i], &comment, err) ||
			!sample_set_add_comment(pprof->trace->samples, comment, err))
			return false;
	}
	return true;
}

/* The place where it ended says that, too. */
static void
tell_lost_names(struct proto *proto)
{
	struct pprof *pprof = proto->pprof;
	for (uint32_t i = 0; proto->has_lost_names && i < pprof->damage.count; i++) {
		struct damage *row = &pprof->damage.rows[i];
		if (row->cause != DAMAGE_CUT)
			continue;
		error_prefix(&row->first, "%zu samples, names lost", pprof->trace->samples->count);
		return;
	}
}

bool
pprof_read_proto(struct pprof *pprof, struct error *err)
{
	struct proto proto = { .pprof = pprof };
	bool is_fine = proto_read(&proto, err) && add_types(&proto, err) &&
		       add_origin(&proto, err) && proto_read_samples(&proto, err);
	if (is_fine)
		tell_lost_names(&proto);
	proto_release(&proto);
	return is_fine;
}

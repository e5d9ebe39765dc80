/* The stages of a v1 trace: read, check, order, tell in the words of v2. */
#include "source/go/v1.h"

#include <inttypes.h>

#include "source/go/v1_convert.h"
#include "source/go/v1_file.h"
#include "source/go/v1_order.h"

/* Of all processors that Go 1.11 to 1.21 ran on, by what the runtime divides it. */
enum { FREQUENCY_MIN = 50000, FREQUENCY_MAX = 1000000000 };

struct stages {
	struct v1_input *v1;
	struct v1_file file;
	struct v1_order order;
	struct error problem; /* of the trace: what it told up to there is good */
};

/* Without it no time can be told, and so nothing. */
static bool
require_frequency(struct stages *stages, struct error *err)
{
	if (stages->file.frequency > 0)
		return true;
	if (stages->problem.kind == ERROR_NONE)
		return error_set_at(err, ERROR_FORMAT, stages->v1->in->offset_bytes,
		                    "no frequency event found");
	*err = stages->problem;
	error_prefix(err, "no frequency event before the damage");
	return false;
}

static bool
run(struct stages *stages, struct error *err)
{
	struct v1_input *v1 = stages->v1;
	struct error *problem = &stages->problem;
	return v1_file_read(&stages->file, v1->in, v1->delivery, problem, err) &&
	       v1_file_parse(&stages->file, v1->delivery, problem, err) &&
	       require_frequency(stages, err) &&
	       v1_order_events(&stages->order, problem, err) &&
	       v1_order_correct(&stages->order, problem, err) &&
	       v1_convert(&stages->order, v1->delivery, problem, err);
}

static bool
deliver_last_sync(struct delivery *delivery, struct error *err)
{
	struct go_event sync = { 0 };
	return delivery->syncs_at_ends || delivery_sync(delivery, &sync, 0, err);
}

static bool
finish(struct stages *stages, struct error *err)
{
	struct delivery *delivery = stages->v1->delivery;
	delivery->done_bytes = stages->v1->in->offset_bytes;
	if (stages->problem.kind != ERROR_NONE) {
		if (deliver_last_sync(delivery, err))
			*err = stages->problem;
		return false;
	}
	delivery->result->first_generation = 1;
	return deliver_last_sync(delivery, err) && delivery_generation(delivery, 1, err);
}

static struct v1_losses
losses_of(const struct stages *stages)
{
	const struct v1_file *file = &stages->file;
	struct v1_losses losses = {
		.from_bytes = file->offset_bytes + file->good_count,
		.bytes = file->byte_count - file->good_count + stages->order.lost_bytes,
	};
	losses.moved_times = stages->order.moved_times;
	losses.wrong_time = stages->order.wrong_time;
	if (file->is_lenient && losses.wrong_time.kind == ERROR_NONE &&
	    (file->frequency < FREQUENCY_MIN || file->frequency > FREQUENCY_MAX))
		error_set_at(&losses.wrong_time, ERROR_FORMAT, losses.from_bytes,
		             "a clock frequency of %" PRIu64 " ticks per second: no version of Go "
		             "writes that, and all times depend on it", file->frequency);
	if (file->frequency > 0)
		losses.wrong_from_ns = v1_convert_ns(&stages->order, stages->order.wrong_ticks);
	if (stages->order.lost_bytes > 0)
		losses.from_bytes = stages->order.lost_from_bytes;
	return losses;
}

bool
v1_read(struct v1_input *v1, struct v1_losses *losses, struct error *err)
{
	struct stages stages = {
		.v1 = v1,
		.file = { .minor = v1->minor, .is_lenient = v1->is_lenient, .strings = v1->strings,
		          .stacks = v1->stacks },
		.order = { .delivery = v1->delivery },
	};
	stages.order.file = &stages.file;
	bool ok = run(&stages, err) && finish(&stages, err);
	*losses = losses_of(&stages);
	v1_order_release(&stages.order);
	v1_file_release(&stages.file);
	return ok;
}

/*
 * Quantiles over all windows. Stretches of positions are halved until it is known of nearly all of
 * them that they lie apart from the answer: of these only counts how many there are. Among the rest
 * it is found by bins that get finer where it lies, which takes no sorting.
 */
#include <math.h>

#include "analysis/go/mutator_slide.h"
#include "base/memory.h"

enum { BINS = 1024, LEVELS = 4 }; /* so exact to a part in 10^12 */

/* Positions over which the mean goes evenly from one share to another. */
struct piece {
	double low, high;
	double length_ns;
};

struct pieces {
	struct piece *items;
	size_t count, capacity;
};

/* ---- where the answers lie */

/* A stretch that may have one, between two bounds. */
struct sieved {
	const struct slide *slide;
	struct slide_stretch stretch;
	double least, most;
};

/* To one of the quantiles. */
struct answer {
	double wanted_ns; /* positions up to it, without those in stretches that are not kept */
	double low, high; /* it lies between */
};

struct sieve {
	struct slide *slides; /* by series */
	struct sieved *items;
	size_t count, capacity;
	double total_ns; /* all positions */
	struct answer *answers;
	size_t answer_count;
};

/* The positions from one to another, in each of the series that this one stands for. */
static double
length_ns(const struct slide *slide, const struct slide_place *from, const struct slide_place *until)
{
	return (double)(until->position_ns - from->position_ns) * slide->series->weight;
}

static double
sieved_ns(const struct sieved *item)
{
	return length_ns(item->slide, &item->stretch.from, &item->stretch.until);
}

static bool
sieve_add(struct sieve *sieve, const struct slide *slide, const struct slide_stretch *stretch,
	struct error *err)
{
	if (!array_reserve(
		    &sieve->items, &sieve->capacity, sieve->count + 1, sizeof *sieve->items, err))
		return false;
	struct sieved *item = &sieve->items[sieve->count++];
	item->slide = slide;
	item->stretch = *stretch;
	slide_bounds(slide, stretch, &item->least, &item->most);
	return true;
}

enum { PARTS = 256 }; /* of what is between low and high */

static int
part_of(const struct answer *answer, double share)
{
	double part = (share - answer->low) / (answer->high - answer->low) * PARTS;
	return part <= 0 ? 0 : part < PARTS ? (int)part : PARTS - 1;
}

/* The part up to which there are that many positions; the last one with any where there are less. */
static int
part_up_to(const double sums_ns[PARTS], double wanted_ns)
{
	double sum_ns = 0;
	int last = 0;
	for (int i = 0; i < PARTS; i++) {
		sum_ns += sums_ns[i];
		last = sums_ns[i] > 0 ? i : last;
		if (sum_ns > 0 && sum_ns >= wanted_ns)
			return i;
	}
	return last;
}

static bool
is_found(const struct answer *answer)
{
	static const double alike = 1e-13;
	return answer->high - answer->low <= alike;
}

static bool
may_have(const struct sieved *item, const struct answer *answer)
{
	return item->most >= answer->low && item->least <= answer->high;
}

/*
 * If each stretch had as little as it may have, the answer would lie lower, and else higher. Whether
 * that tells much more than was known.
 */
static bool
narrow(const struct sieve *sieve, struct answer *answer)
{
	static const double rounding = 1e-12, much = 0.25;
	double least_ns[PARTS] = { 0 }, most_ns[PARTS] = { 0 }, below_ns = 0;
	for (size_t i = 0; i < sieve->count; i++) {
		const struct sieved *item = &sieve->items[i];
		if (may_have(item, answer)) {
			least_ns[part_of(answer, item->least)] += sieved_ns(item);
			most_ns[part_of(answer, item->most)] += sieved_ns(item);
		} else if (item->most < answer->low) {
			below_ns += sieved_ns(item);
		}
	}
	double width = (answer->high - answer->low) / PARTS, off_ns = sieve->total_ns * rounding;
	int low = part_up_to(least_ns, answer->wanted_ns - below_ns - off_ns);
	int high = part_up_to(most_ns, answer->wanted_ns - below_ns + off_ns);
	answer->high = high + 1 < PARTS ? answer->low + width * (high + 1) : answer->high;
	answer->low += width * low;
	return high - low < PARTS * much;
}

static bool
narrow_each(struct sieve *sieve)
{
	bool is_narrower = false;
	for (size_t i = 0; i < sieve->answer_count; i++)
		if (!is_found(&sieve->answers[i]) && narrow(sieve, &sieve->answers[i]))
			is_narrower = true;
	return is_narrower;
}

static bool
is_wanted(const struct sieve *sieve, const struct sieved *item)
{
	for (size_t i = 0; i < sieve->answer_count; i++)
		if (!is_found(&sieve->answers[i]) && may_have(item, &sieve->answers[i]))
			return true;
	return false;
}

/* Takes out what lies apart from all answers. */
static void
sift(struct sieve *sieve)
{
	size_t kept = 0;
	for (size_t i = 0; i < sieve->count; i++) {
		const struct sieved *item = &sieve->items[i];
		if (is_wanted(sieve, item)) {
			sieve->items[kept++] = *item;
			continue;
		}
		for (size_t n = 0; n < sieve->answer_count; n++)
			if (item->most < sieve->answers[n].low)
				sieve->answers[n].wanted_ns -= sieved_ns(item);
	}
	sieve->count = kept;
}

/* Halves what is left, but for the short; *has_halved: there was something. */
static bool
halve(struct sieve *sieve, bool *has_halved, struct error *err)
{
	size_t count = sieve->count;
	*has_halved = false;
	for (size_t i = 0; i < count; i++) {
		const struct slide *slide = sieve->items[i].slide;
		struct slide_stretch before = sieve->items[i].stretch, behind = before;
		if (slide_is_short(&before))
			continue;
		before.until = behind.from = slide_middle(slide, &before);
		if (!sieve_add(sieve, slide, &before, err) ||
			!sieve_add(sieve, slide, &behind, err))
			return false;
		sieve->items[i] = sieve->items[--sieve->count];
		*has_halved = true;
	}
	return true;
}

static bool
add_whole(struct sieve *sieve, const struct mutator *mutator, int64_t window_ns, struct error *err)
{
	for (size_t i = 0; i < mutator->count; i++) {
		const struct slide *slide = &sieve->slides[i];
		struct slide_stretch rest, first;
		if (!slide_begin(&sieve->slides[i], &rest, &mutator->series[i], window_ns))
			continue;
		sieve->total_ns += length_ns(slide, &rest.from, &rest.until);
		while (slide_cut(slide, &rest, &first))
			if (!sieve_add(sieve, slide, &first, err))
				return false;
	}
	return true;
}

/* Until all that is left is short, or alike. */
static bool
sieve_all(struct sieve *sieve, const double *quantiles, struct error *err)
{
	bool has_halved = true, is_narrower = true;
	for (size_t i = 0; i < sieve->answer_count; i++)
		sieve->answers[i] = (struct answer){ quantiles[i] * sieve->total_ns, 0, 1 };
	while (has_halved || is_narrower) {
		if (!is_narrower && !halve(sieve, &has_halved, err))
			return false;
		is_narrower = narrow_each(sieve);
		sift(sieve);
	}
	return true;
}

/* ---- what is left is looked at in full */

/* The pieces of a stretch, one after the other. */
static bool
add_pieces(struct pieces *pieces, const struct sieved *item, struct error *err)
{
	struct slide_place place = item->stretch.from;
	while (place.position_ns < item->stretch.until.position_ns) {
		struct slide_place from = place;
		if (!array_reserve(&pieces->items, &pieces->capacity, pieces->count + 1,
			    sizeof *pieces->items, err))
			return false;
		slide_next(item->slide, &place);
		bool rises = from.share < place.share;
		pieces->items[pieces->count++] = (struct piece){
			rises ? from.share : place.share,
			rises ? place.share : from.share,
			length_ns(item->slide, &from, &place),
		};
	}
	return true;
}

/* ---- bins */

/* Equal bins from `low` on; positions within each, and, as differences, across several. */
struct bins {
	double low, width;
	double within_ns[BINS], across_ns[BINS + 1];
};

static void
add_to_bins(struct bins *bins, const struct piece *piece)
{
	double low = (piece->low - bins->low) / bins->width;
	double high = (piece->high - bins->low) / bins->width;
	bool is_whole =
		piece->low >= 1; /* the last bin has its upper end, which is none's lower one */
	if (is_whole && bins->low + bins->width * BINS >= 1)
		bins->within_ns[BINS - 1] += piece->length_ns;
	if (high < 0 || low >= BINS)
		return;
	if (high - low < 1e-6) { /* what so few bins apart would only be rounding */
		bins->within_ns[low > 0 ? (int)low : 0] += piece->length_ns;
		return;
	}
	double density = piece->length_ns / (high - low);
	low = low > 0 ? low : 0;
	high = high < BINS ? high : BINS;
	int first = (int)low, last = high < BINS ? (int)high : BINS - 1;
	if (first == last) {
		bins->within_ns[first] += density * (high - low);
		return;
	}
	bins->within_ns[first] += density * (first + 1 - low);
	bins->within_ns[last] += density * (high - last);
	bins->across_ns[first + 1] += density;
	bins->across_ns[last] -= density;
}

/*
 * The bin up to which there are as many positions as wanted, of which those in the bins below are
 * taken off.
 */
static int
find_bin(const struct bins *bins, double *wanted_ns, double *inside_ns)
{
	double across_ns = 0;
	int last = 0; /* with something in it */
	for (int i = 0; i < BINS; i++) {
		across_ns += bins->across_ns[i];
		double mass_ns = bins->within_ns[i] + (across_ns > 0 ? across_ns : 0);
		if (mass_ns <= 0)
			continue;
		*inside_ns = mass_ns;
		last = i;
		if (*wanted_ns <= mass_ns)
			return i;
		*wanted_ns -= mass_ns;
	}
	*wanted_ns = *inside_ns; /* no more than there is, but for rounding */
	return last;
}

/* Of many pieces the few that a bin has something of. */
static void
keep_within(struct pieces *few, const struct pieces *all, const struct bins *bins)
{
	few->count = 0;
	for (size_t i = 0; i < all->count; i++) {
		const struct piece *piece = &all->items[i];
		if (piece->high >= bins->low && piece->low < bins->low + bins->width * (BINS + 1))
			few->items[few->count++] = *piece;
	}
}

static void
fill_bins(struct bins *bins, const struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->count; i++)
		add_to_bins(bins, &pieces->items[i]);
}

/* `bins` has all pieces in its bins of the first level; `few` has room for as many. */
static double
find_quantile(const struct pieces *pieces, struct bins bins, struct pieces *few, double wanted_ns)
{
	double inside_ns = 0;
	for (int level = 0;; level++) {
		double low = bins.low + bins.width * find_bin(&bins, &wanted_ns, &inside_ns);
		if (level + 1 == LEVELS)
			return inside_ns > 0 ? low + bins.width * (wanted_ns / inside_ns) : low;
		bins = (struct bins){ .low = low, .width = bins.width / BINS };
		if (level == 0)
			keep_within(few, pieces, &bins);
		fill_bins(&bins, few);
	}
}

/* What the bins can tell of a share, and no more. */
static double
exact_part(double share)
{
	return round(share * 1e12) / 1e12;
}

/* What is left to find. */
static bool
finish(const struct sieve *sieve, const struct answer *answer, double *share, struct error *err)
{
	struct pieces pieces = { 0 }, few = { 0 };
	struct bins bins = { .low = 0, .width = 1.0 / BINS };
	double wanted_ns = answer->wanted_ns;
	bool is_fine = true;
	for (size_t i = 0; is_fine && i < sieve->count; i++) {
		const struct sieved *item = &sieve->items[i];
		if (may_have(item, answer))
			is_fine = add_pieces(&pieces, item, err);
		else if (item->most < answer->low)
			wanted_ns -= sieved_ns(item);
	}
	is_fine = is_fine &&
		  array_reserve(&few.items, &few.capacity, pieces.count, sizeof *few.items, err);
	if (is_fine) {
		fill_bins(&bins, &pieces);
		*share = exact_part(find_quantile(&pieces, bins, &few, wanted_ns));
	}
	memory_free(pieces.items);
	memory_free(few.items);
	return is_fine;
}

static bool
find_answers(struct sieve *sieve, const double *quantiles, double *shares, struct error *err)
{
	bool is_fine = sieve_all(sieve, quantiles, err);
	for (size_t i = 0; is_fine && i < sieve->answer_count; i++) {
		const struct answer *answer = &sieve->answers[i];
		if (is_found(answer))
			shares[i] = exact_part(answer->low);
		else
			is_fine = finish(sieve, answer, &shares[i], err);
	}
	return is_fine;
}

bool
mutator_quantiles(const struct mutator *mutator, int64_t window_ns, const double *quantiles,
	size_t count, double *shares, struct error *err)
{
	struct sieve sieve = { .answer_count = count };
	sieve.slides = array_new_unset(mutator->count, sizeof *sieve.slides, err);
	sieve.answers = array_new(count, sizeof *sieve.answers, err);
	bool is_fine = sieve.slides != NULL && sieve.answers != NULL &&
		       (window_ns <= 0 || add_whole(&sieve, mutator, window_ns, err));
	if (is_fine && sieve.total_ns > 0)
		is_fine = find_answers(&sieve, quantiles, shares, err);
	for (size_t i = 0; is_fine && sieve.total_ns <= 0 && i < count; i++)
		shares[i] = mutator_least(mutator, window_ns);
	memory_free(sieve.slides);
	memory_free(sieve.answers);
	memory_free(sieve.items);
	return is_fine;
}

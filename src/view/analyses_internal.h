/* What the files about analyses share. Only for view/analyses*.c. */
#ifndef TTRACE_VIEW_ANALYSES_INTERNAL_H
#define TTRACE_VIEW_ANALYSES_INTERNAL_H

#include "view/analyses.h"
#include "view/session.h"

/* A name in its parts; to be released. */
struct name_parts {
	struct analyses_row row;
	struct text parameter; /* behind the colon */
	const char *subject;   /* NULL for none; of the name */
};

/*
 * In a parameter @@ stands for an @, since a single one is what the subject comes behind. False
 * where there is no such analysis; its parameter may still be wrong.
 */
bool analyses_cut(const char *name, struct name_parts *parts);
void analyses_release_parts(struct name_parts *parts);
const char *analyses_parameter_of(const struct name_parts *parts);
/* By what it can be limited, enum analysis_limit or'ed. */
unsigned analyses_limits_of(const struct analyses_row *row);
/* Whether the analysis accepts the parameter, or the lack of one. */
bool analyses_take_parameter(const struct name_parts *parts);

/* The interval, and the subject as the analysis can be limited to; else nothing is limited so. */
bool analyses_limit(const struct session *session, const struct name_parts *parts,
	struct analysis_scope *scope, struct error *err);

#endif

/* The analyses that there are, for the table in view/analyses.c. Only for view/. */
#ifndef TTRACE_VIEW_ANALYSIS_KINDS_H
#define TTRACE_VIEW_ANALYSIS_KINDS_H

#include "view/analysis.h"

extern const struct analysis_ops menu_analysis; /* view/analysis_menu.c */
extern const struct analysis_ops diff_profile_analysis; /* view/analysis_diff_profile.c */
extern const struct analysis_ops diff_functions_analysis, diff_regions_analysis; /* view/analysis_diff.c */
extern const struct analysis_ops table_analysis;   /* view/figure_page.c */
extern const struct analysis_ops profile_analysis; /* view/analysis_profile.c */
extern const struct analysis_ops durations_analysis;   /* view/durations.c */
extern const struct analysis_ops mmu_analysis;         /* view/analysis_mmu.c */
extern const struct analysis_ops utilisation_analysis; /* view/analysis_utilisation.c */

#endif

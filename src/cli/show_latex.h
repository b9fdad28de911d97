/* An algorithm in LaTeX, for a paper: its program as a listing, its closed forms with sources and
   verdicts. */
#ifndef COLLCOST_CLI_SHOW_LATEX_H
#define COLLCOST_CLI_SHOW_LATEX_H

#include "claims/verdict.h"
#include "model/library.h"

#include <stdio.h>

/* `verified` says what running it on data showed; the verdicts are those of its claims, for p up to
   `most_ranks`. False after a report: its file cannot be read again. */
bool show_latex(Arena *arena, FILE *stream, const ModelEntry *entry, const Algorithm *algorithm,
                const char *verified, const Verdict *verdicts, int64_t most_ranks, Diag *diag);

#endif

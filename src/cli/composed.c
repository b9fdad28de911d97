#include "cli/composed.h"

#include "study/compositions.h"

bool composed_may_occur(const Query *query, const Algorithm *only)
{
    return !only && !query->study.among.is_given &&
           compositions_are_wanted(&query->study, query->topology);
}

void composed_write(const Query *query, const char *name, const char *stages)
{
    if (stages)
        fprintf(query->line->out, "%s is '%s'\n", name, stages);
}

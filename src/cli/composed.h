/* Compositions (study/compositions.h) in answers. */
#ifndef COLLCOST_CLI_COMPOSED_H
#define COLLCOST_CLI_COMPOSED_H

#include "cli/query.h"

/* Can the answer hold compositions, where `only` is asked about or NULL? */
bool composed_may_occur(const Query *query, const Algorithm *only);
/* As a line of text, what stages the name of a composition stands for; nothing without `stages`. */
void composed_write(const Query *query, const char *name, const char *stages);

#endif

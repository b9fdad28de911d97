/* Statements: lines of a session that are no commands. */
#ifndef COLLCOST_SESSION_STATEMENT_NAMES_H
#define COLLCOST_SESSION_STATEMENT_NAMES_H

#include "base/source.h"

typedef enum {
#define STATEMENT(id, name, operands, summary) STATEMENT_##id,
#include "session/statement_names.def"
#undef STATEMENT
    STATEMENT_COUNT
} StatementId;

typedef struct {
    const char *name, *operands, *summary;
} StatementInfo;
extern const StatementInfo statement_info[STATEMENT_COUNT];

/* The statement that the line is, or -1; its operand. */
int statement_find(Text line, Text *operand);

#endif

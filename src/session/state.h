/* The inside of a session, for the files of this layer that run its lines. */
#ifndef COLLCOST_SESSION_STATE_H
#define COLLCOST_SESSION_STATE_H

#include "session/progress.h"
#include "session/session.h"

typedef enum {
#define STATEMENT(id, name, operands, summary) STATEMENT_##id,
#include "session/statements.def"
#undef STATEMENT
    STATEMENT_COUNT
} StatementId;

typedef struct {
    const char *name, *operands, *summary;
} StatementInfo;
extern const StatementInfo statement_info[STATEMENT_COUNT];

/* Ends with what is behind a pointer of the session, if a line that made it ends half-way. */
typedef struct {
    Resource resource;
    Session *session;
} Mark;

struct Session {
    Workspace *workspace;
    Arena *arena;   /* the context and the sources of its values */
    Arena *scratch; /* one line */
    Arena *shelf;   /* the library */
    Mark library_mark, measures_mark;
    Progress *progress; /* of the line that runs; NULL: none does */
    FILE *out, *err;
    Context context;
    bool is_defining, is_over, is_interactive;
    TextArray definition; /* its lines so far */
    int definitions;
    int depth; /* of batch files */
};

/* A line while it runs. */
typedef struct {
    Session *session;
    Arena *arena;
    Diag *diag;
    FILE *out;
    Text line, raw;
    Text operand;    /* what follows the name of a statement */
    TextArray words; /* instead of a line: arguments of the program */
    Status status;
    const char *finding;
} Run;

/* The statement that the line is, or -1; its operand. */
int statement_find(Text line, Text *operand);
Status statement_run(Run *run, StatementId statement);

/* The context has changed: what was computed in the old one is dropped. */
void session_forget(Session *session);
/* Puts another library in the place of the old one. */
void session_put_library(Session *session, Arena *shelf, Library *library);

#endif

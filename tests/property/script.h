/* Lines for `collcost batch`, run at once, and what each of them answered: many questions for the
   price of one process. Everything lives in the arena of the script. */
#ifndef COLLCOST_TESTS_PROPERTY_SCRIPT_H
#define COLLCOST_TESTS_PROPERTY_SCRIPT_H

#include "base/buffer.h"

typedef enum { ANSWER_MISSING, ANSWER_GOOD, ANSWER_FAILED, ANSWER_WRONG } AnswerStatus;

typedef struct {
    const char *line;
    AnswerStatus status; /* failed: an expectation, or a check; wrong: bad input */
    const char *output, *messages;
} Answer;
ARRAY_TYPE(AnswerArray, Answer);

typedef struct {
    Arena *arena;
    const char *program, *folder; /* `folder` takes files and is the user's home */
    AnswerArray answers;
} Script;

/* A folder of its own in $TMPDIR, and no settings of the user's. NULL where it cannot be made. */
const char *script_folder(Arena *arena);
void script_remove_folder(const char *folder);
/* Adds a line; what is returned is its place in `answers`. */
size_t script_ask(Script *script, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Runs all lines. False where that was impossible. */
bool script_run(Script *script);
/* The output of one line as a process of its own. NULL where that was impossible. */
const char *script_run_alone(const Script *script, const char *line);

/* A table in CSV with its heading. */
typedef struct {
    const char *const *cells; /* row by row, the heading first */
    size_t columns, rows;     /* without the heading */
} Rows;

Rows rows_read(Arena *arena, const char *csv);
/* "" where there is no such cell. */
const char *rows_text(const Rows *rows, size_t row, const char *key);
/* NAN where the cell is empty. */
double rows_number(const Rows *rows, size_t row, const char *key);

/* The value of a key in a JSON object of one level, NULL where it is not there: a number or word as
   it stands, a string without its quotes. */
const char *json_value(Arena *arena, const char *json, const char *key);

#endif

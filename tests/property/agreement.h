/* What the commands say of the same case, held against what `cost` says of it. */
#ifndef COLLCOST_TESTS_PROPERTY_AGREEMENT_H
#define COLLCOST_TESTS_PROPERTY_AGREEMENT_H

#include "script.h"
#include "setting.h"

enum { SIZES = 16 };

/* What must agree; each is a line of TAP. */
typedef enum {
    RUNS,
    COST,
    FORMULAS,
    EXPECT,
    SWITCH,
    RANGE,
    MAP,
    RANKS,
    EXPLAIN,
    BOUND,
    SESSION,
    ALONE,
    SWEEP,
    SUBJECT_COUNT
} Subject;

extern const char *const agreement_subjects[SUBJECT_COUNT];

/* One size of a setting, and the places of what is asked about it. */
typedef struct {
    double bytes, to; /* `to`: where ranges from `bytes` on end */
    const char *winner, *other;
    double total, bound;           /* NAN: there is no bound */
    size_t first_row, other_row;   /* in the rows of cost */
    bool in_session, explains_all; /* formulas are asked there; explain is asked for JSON */
    bool asks_ranges;              /* else for ranks and reasons: each is a case to be opened */
    size_t best, time, lower, ratio, chunks, rounds, holds, fails; /* some in a session only */
    size_t range, map, ranks, explain;
} Question;

/* A setting with its questions. */
typedef struct {
    Setting setting;
    uint64_t number;
    size_t switch_line, cost_line, bound_line, session_line;
    size_t first_statement, statement_count;
    Rows pieces, costs, bounds;
    bool has_pieces;
    size_t row_count;   /* algorithms of cost */
    bool is_given;      /* with its sizes */
    double known_bound; /* of a network so large that only costs and bounds are asked for; else 0 */
    Question questions[SIZES];
    size_t count;
} Trial;

ARRAY_TYPE(TrialArray, Trial);

typedef struct {
    World world;
    Script pieces, costs, rest; /* run in this order: sizes need the first, questions the second */
    TrialArray trials;
    size_t first_sweep, sweep_count;
    int64_t asked[SUBJECT_COUNT], faults[SUBJECT_COUNT], without_pieces, points;
} Test;

/* Answers of one line as a table, empty after a complaint where it did not run. */
Rows agreement_rows(Test *test, const Trial *trial, const Script *script, size_t line);
/* The total of a row of cost, and its algorithm. */
double agreement_total(const Trial *trial, size_t row);
const char *agreement_algorithm(const Trial *trial, size_t row);
/* Is it a composition? `explain` knows these by their stages alone. */
bool agreement_is_composed(const char *algorithm);
/* Are switch points sought from so small a size on? */
bool agreement_in_range(const Trial *trial, const Question *question);
/* Is the table of cost asked for in a session too? */
bool agreement_in_session(const Trial *trial);
/* Compares all answers, and counts faults; what differs is written as comments of the test. */
void agreement_check(Test *test, const Trial *trial);

#endif

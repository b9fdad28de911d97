#ifndef UNIT_H
#define UNIT_H

#include "cost/curve.h"
#include "lang/exact.h"
#include "model/library.h"
#include "sched/contract.h"

#include <check.h>
#include <stdio.h>

/* Check writes to a file, with a call of the system, where each assertion stands that holds. Loops
   with hundreds of thousands of them would spend most of their time there. All that Check asserts
   goes through these two. */
#undef ck_assert_msg
#define ck_assert_msg(holds, ...) ((holds) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#undef ck_assert
#define ck_assert(holds) ck_assert_msg(holds, "Assertion '%s' failed", #holds)

/* Declares arena_suite() and so on, for every suite of the list. */
#define SUITE(name) Suite *name##_suite(void);
#include "suites.h"
#undef SUITE

enum { MOST_NAMES = 32 };

/* What one test works with: memory, a sink that remembers, a library, names with values. */
typedef struct {
    Arena *arena; /* tests may go back to a mark of it */
    Arena *kept;  /* of the library, which reads and compiles later, too */
    Diag diag;
    FILE *stream; /* of the messages */
    char *messages;
    size_t message_length;
    Library *library;
    Scope scope;
    int64_t whole[MOST_NAMES];
    double real[MOST_NAMES];
} Fixture;

Fixture *fixture_open(void);
/* Frees all, and fails if an error was reported that no test has asked for. */
void fixture_close(Fixture *fixture);

/* The text as a source called "text". */
Text text_of(Fixture *fixture, const char *string);
/* Everything that was reported since the last call. */
const char *take_messages(Fixture *fixture);
/* Exactly one error was reported since the last call, at this place of the source `name`. */
void assert_error_at(Fixture *fixture, const char *name, size_t line, size_t column);
/* At least one error was reported since the last call. */
void assert_error(Fixture *fixture);
void assert_no_error(Fixture *fixture);

/* Expressions. A name gets its value for both evaluators. */
void name_whole(Fixture *fixture, const char *name, int64_t value);
void name_real(Fixture *fixture, const char *name, Dimension dimension, double value);
/* Parsed and checked for any type; NULL after a report. */
Expr *checked(Fixture *fixture, const char *expression);
/* The value by exact.h and by program.h; false after a report. */
bool exact_value(Fixture *fixture, const Expr *expr, Exact *value);
bool program_value(Fixture *fixture, const Expr *expr, double *value);
/* Both evaluators must give this whole number. */
void assert_whole(Fixture *fixture, const char *expression, int64_t expected);
/* Both must give this fraction (a condition: 0 or 1), the program as its nearest double. */
void assert_fraction(Fixture *fixture, const char *expression, int64_t numerator,
                     int64_t denominator);
/* Both must report, exact.h at this column. */
void assert_no_value(Fixture *fixture, const char *expression, size_t column);

/* Models. Text becomes the file "user.yaml". */
bool add_models(Fixture *fixture, const char *yaml);
/* The models must be good. */
void use_models(Fixture *fixture, const char *yaml);
/* An algorithm for the collective with this rest of its file, from line 3 on, must be refused with
   exactly one error, at this place. */
void assert_program_error_at(Fixture *fixture, const char *collective, const char *program,
                             size_t line, size_t column);
const Algorithm *algorithm_named(Fixture *fixture, const char *full_name);
const Collective *collective_named(Fixture *fixture, const char *name);
Network network_of(Fixture *fixture, const char *topology, int64_t p);
/* "torus:4x8" */
Network network_named(Fixture *fixture, const char *name, Ties ties);
Instance instance_of(Fixture *fixture, const char *algorithm, int64_t p, int64_t root, int64_t k);

/* All rounds as text: "0>4 send 0; 0>2 send 0, 4>6 send 0" (rounds apart by ';'). NULL after a
   report. Blocks are numbers, several joined by '+'. */
const char *schedule_text(Fixture *fixture, const Instance *instance);

/* Costs. `parameters` in the order ts, th, tw, tc. */
typedef struct {
    double ts, th, tw, tc;
} Prices;
Rules rules_of(Prices link_costs, int64_t ports);
/* The derived time of a schedule. */
double derived_time(Fixture *fixture, const Instance *instance, const Network *network,
                    Prices link_costs, double bytes);
Curve *curve_of(Fixture *fixture, const char *algorithm, const Network *network, int64_t root,
                const Rules *rules, int64_t k);

void assert_near(double actual, double expected, double relative);

#endif

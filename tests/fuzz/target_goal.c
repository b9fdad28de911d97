/* GOAL files: whether all ends does not depend on what messages take, unless receives take any
   message; and time goes forward. */
#include "cost/goal_time.h"
#include "exchange/goal.h"
#include "fuzz.h"
#include "study/study.h"

enum { MOST_RANKS = 64 };

void fuzz_goal(FuzzInput *input)
{
    GoalProgram program;
    GoalTime free, timed;
    if (!goal_read(input->arena, input->source, &program, &input->diag)) {
        if (input->diag.error_count == 0)
            fuzz_fail("refused without a word", input->text.chars);
        return;
    }
    bool takes_any = false;
    for (size_t i = 0; i < program.operations.count; i++) {
        const GoalOperation *at = &program.operations.items[i];
        takes_any |= at->kind == GOAL_RECEIVE && (at->peer < 0 || at->tag < 0);
    }
    if (!goal_time(input->arena, &program, NULL, &(Rules){0}, &free, &input->diag))
        fuzz_fail("no answer without a network", input->text.chars);
    const Topology *ring =
        library_topology(fuzz_library(), source_argument(input->arena, "", "ring"), &input->diag);
    const Shape shape = topology_shape(ring, program.rank_count);
    const Rules rules = {
        .parameters = {[PARAMETER_TS] = 1e-6, [PARAMETER_TH] = 1e-7, [PARAMETER_TW] = 1e-9},
        .delays = {[DELAY_OVERHEAD] = {.is_given = true, .seconds = 1e-7}},
        .ports = 1,
        .asynchronous = true,
        .contention = CONTENTION_NONE};
    Network network;
    if (program.rank_count > MOST_RANKS ||
        !network_create(input->arena, ring, &shape, (Ties)0, &network, &input->diag) ||
        !goal_time(input->arena, &program, &network, &rules, &timed, &input->diag))
        return;
    if (!takes_any && (free.stuck != NULL) != (timed.stuck != NULL))
        fuzz_fail("what messages take changes whether all ends", input->text.chars);
    if (!free.stuck && !takes_any && cost_total(timed.parts) < cost_total(free.parts) * (1 - 1e-9))
        fuzz_fail("messages make it faster", input->text.chars);
}

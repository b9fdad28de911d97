/* MSCCL's XML and JSON, and plans of MSCCL++, run on names in both call modes; what is right with
   few slots is right with more, and its time on a network is that of the step that ends last. */
#include "cost/gpu_time.h"
#include "exchange/program_blocks.h"
#include "exchange/program_readers.h"
#include "fuzz.h"
#include "study/study.h"
#include "study/verify_models.h"
#include "verify/gpu_run.h"

#include <math.h>

enum { MOST_RANKS = 64, MOST_MODEL_RANKS = 8, TILES = 3 };

/* With a time for everything, on a ring, whose links are shared. */
static void find_time(FuzzInput *input, const GpuProgram *program)
{
    Library *library = fuzz_library();
    const Topology *ring =
        library_topology(library, source_argument(input->arena, "", "ring"), &input->diag);
    const Shape shape = topology_shape(ring, program->rank_count);
    const Rules rules = {.parameters = {[PARAMETER_TS] = 1e-6,
                                        [PARAMETER_TH] = 1e-7,
                                        [PARAMETER_TW] = 1e-9,
                                        [PARAMETER_TC] = 1e-9},
                         .ports = 1,
                         .asynchronous = true,
                         .contention = CONTENTION_SHARED};
    Network network;
    GpuTime time;
    double last = 0;
    size_t steps = 0;
    if (program->rank_count > MOST_RANKS ||
        !network_create(input->arena, ring, &shape, (Ties)0, &network, &input->diag) ||
        !gpu_time(input->arena, program, &network, &rules, 1000, 1, &time, &input->diag))
        return;
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++)
            steps += program->gpus[r].blocks.items[b].steps.count;
    for (size_t i = 0; i < steps; i++) {
        if (!(time.spans[i].end >= time.spans[i].start))
            fuzz_fail("a step ends before it begins", input->text.chars);
        last = fmax(last, time.spans[i].end);
    }
    if (program->is_one_sided ? last > cost_total(time.parts) * (1 + 1e-9)
                              : fabs(last - cost_total(time.parts)) > 1e-9 * last)
        fuzz_fail("the time is not that of the last step", input->text.chars);
    gpu_time(input->arena, program, &network, &rules, 1000, TILES, &time, &input->diag);
}

/* What is right, or runs, is right as a model too, where it can be one. */
static void check_model(FuzzInput *input, const GpuProgram *program, int32_t root)
{
    Buffer text = {.arena = input->arena};
    VerifyTask task = {.warns = true};
    collcost_verification found;
    const size_t before = input->diag.error_count;
    if (!program_model(input->arena, program, root, "file", 1, &text, &input->diag)) {
        if (input->diag.error_count == before)
            fuzz_fail("no model, without a word", input->text.chars);
        return;
    }
    if (program->rank_count > MOST_MODEL_RANKS)
        return;
    Library *library = library_open(input->arena);
    const size_t built_in = library_entry_count(library);
    if (!library_add_source(
            library, source_from_text(input->arena, "model", text.items, text.count), &input->diag))
        fuzz_fail("its model cannot be read", text.items);
    *ARRAY_PUSH(input->arena, &task.ranks) = program->rank_count;
    for (size_t i = 0; i < library_entry_count(library); i++)
        if (library_entry(library, i)->is_users)
            *ARRAY_PUSH(input->arena, &task.entries) = library_entry(library, i);
    Study *study = study_create(input->arena, library, &input->diag);
    if (library_entry_count(library) == built_in || !study)
        fuzz_fail("its model is not there", text.items);
    if (verify_models(study, &task, &found) && found.failed)
        fuzz_fail("its model is wrong", text.items);
}

void fuzz_schedules(FuzzInput *input)
{
    GpuProgram program;
    if (!program_read(input->arena, input->source, &program, &input->diag)) {
        if (input->diag.error_count == 0)
            fuzz_fail("refused without a word", input->text.chars);
        return;
    }
    const GpuRun found = gpu_run(input->arena, &program, program.label);
    const bool is_wrong = found.verdict != GPU_RIGHT && found.verdict != GPU_RUNS;
    if (is_wrong != (found.text != NULL))
        fuzz_fail("a verdict without a reason", input->text.chars);
    if (!is_wrong)
        find_time(input, &program);
    if (!is_wrong)
        check_model(input, &program, found.root);
    program.slots = 1 << 20;
    const GpuRun again = gpu_run(input->arena, &program, program.label);
    if (found.verdict != GPU_DEADLOCK && again.verdict != found.verdict)
        fuzz_fail("more slots change the verdict", input->text.chars);
}

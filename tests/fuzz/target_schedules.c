/* MSCCL's XML, run on names in both call modes; what is right with few slots is right with more. */
#include "exchange/msccl.h"
#include "fuzz.h"
#include "verify/gpu_run.h"

void fuzz_schedules(FuzzInput *input)
{
    GpuProgram program;
    if (!msccl_read(input->arena, input->source, &program, &input->diag)) {
        if (input->diag.error_count == 0)
            fuzz_fail("refused without a word", input->text.chars);
        return;
    }
    const GpuRun found = gpu_run(input->arena, &program, program.label);
    const bool is_wrong = found.verdict != GPU_RIGHT && found.verdict != GPU_RUNS;
    if (is_wrong != (found.text != NULL))
        fuzz_fail("a verdict without a reason", input->text.chars);
    program.slots = 1 << 20;
    const GpuRun again = gpu_run(input->arena, &program, program.label);
    if (found.verdict != GPU_DEADLOCK && again.verdict != found.verdict)
        fuzz_fail("more slots change the verdict", input->text.chars);
}

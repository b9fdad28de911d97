#include "exchange/gpu_plan.h"
#include "verify/gpu_run.h"

static void write_place(Buffer *text, const char *end, GpuPlace place)
{
    buffer_printf(text, " %sbuf=\"%c\" %soff=\"%d\"", end, gpu_buffer_letters[place.buffer], end,
                  place.chunk);
}

static void write_step(Buffer *text, const GpuStep *step, size_t number)
{
    buffer_printf(text, "      <step s=\"%zu\" type=\"%s\"", number,
                  gpu_step_info[step->kind].name);
    write_place(text, "src", step->source);
    write_place(text, "dst", step->destination);
    buffer_printf(text, " cnt=\"%d\" depid=\"%d\" deps=\"%d\" hasdep=\"%d\"/>\n", step->count,
                  step->wait_block, step->wait_step, step->signals);
}

/* What is written is right as it stands, not only as the schedule that it is made of. */
static bool check(const GpuProgram *program, Arena *arena, Diag *diag)
{
    if (gpu_program_work(program) > MOST_GPU_CLOCKS) {
        diag_limit(diag, NOWHERE,
                   "too many steps of too many thread blocks are too many to be followed");
        return false;
    }
    const GpuRun found = gpu_run(arena, program, program->label);
    if (found.text)
        diag_error(diag, NOWHERE, "the file would be %s: %s", gpu_verdict_names[found.verdict],
                   found.text);
    return !found.text;
}

bool write_msccl(const ListedSchedule *schedule, Buffer *text, Diag *diag)
{
    GpuPlan plan;
    if (!gpu_plan(text->arena, schedule, &plan, diag))
        return false;
    const GpuProgram *program = &plan.program;
    if (!check(program, text->arena, diag))
        return false;
    int32_t input, output, channels = 1;
    gpu_buffer_sizes(program, program->label, &input, &output);
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++)
            if (program->gpus[r].blocks.items[b].channel >= channels)
                channels = program->gpus[r].blocks.items[b].channel + 1;
    buffer_printf(text,
                  "<algo name=\"%s\" proto=\"Simple\" nchannels=\"%d\" nchunksperloop=\"%d\" "
                  "ngpus=\"%d\" coll=\"%s\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" "
                  "maxBytes=\"0\">\n",
                  program->name, channels, program->chunks, program->rank_count,
                  gpu_label_info[program->label].name);
    buffer_printf(text, "  <!-- %lld messages, %lld chunks, depth %lld -->\n",
                  (long long)plan.messages, (long long)plan.chunks, (long long)plan.depth);
    for (int32_t r = 0; r < program->rank_count; r++) {
        const Gpu *gpu = &program->gpus[r];
        buffer_printf(text, "  <gpu id=\"%d\" i_chunks=\"%d\" o_chunks=\"%d\" s_chunks=\"%d\">\n",
                      r, input, output, gpu->scratch);
        for (size_t b = 0; b < gpu->blocks.count; b++) {
            const ThreadBlock *block = &gpu->blocks.items[b];
            buffer_printf(text, "    <tb id=\"%zu\" send=\"%d\" recv=\"%d\" chan=\"%d\">\n", b,
                          block->send, block->receive, block->channel);
            for (size_t i = 0; i < block->steps.count; i++)
                write_step(text, &block->steps.items[i], i);
            buffer_printf(text, "    </tb>\n");
        }
        buffer_printf(text, "  </gpu>\n");
    }
    buffer_printf(text, "</algo>\n");
    return true;
}

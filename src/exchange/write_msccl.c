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

/* Is it chunk `chunk`, a part of `block`, as the contract wants it at rank r? */
static bool is_asked(const Contract *contract, int64_t r, int64_t block, int64_t chunk,
                     const GpuSum *sum)
{
    if (!contract->combines)
        return sum->count == 1 && sum->terms->chunk == chunk && sum->terms->times == 1 &&
               holding_has(&contract->before, sum->terms->rank, block);
    const int64_t from = per_rank(&contract->contributors_from, r),
                  to = per_rank(&contract->contributors_to, r);
    bool is_right = sum->count == to - from + 1;
    for (int32_t i = 0; i < sum->count && is_right; i++)
        is_right = sum->terms[i].rank == from + i && sum->terms[i].chunk == chunk &&
                   sum->terms[i].times == 1;
    return is_right;
}

/* The result of a file whose label promises nothing: chunk k of all blocks is o[k]. */
static bool check_custom(const ListedSchedule *schedule, const GpuProgram *program, Arena *arena,
                         Diag *diag)
{
    const Contract *contract = schedule->contract;
    for (int32_t r = 0; r < program->rank_count; r++) {
        const GpuMemory memory = gpu_run_memory(arena, program, false, program->slots, r);
        const int64_t chunks = holding_count(&contract->after, r) * schedule->chunks;
        for (int64_t i = 0; i < chunks; i++) {
            const int64_t block = holding_block(&contract->after, r, i / schedule->chunks);
            const int64_t chunk = block * schedule->chunks + i % schedule->chunks;
            if (is_asked(contract, r, block, chunk, &memory.after[memory.sizes[GPU_INPUT] + chunk]))
                continue;
            diag_error(diag, NOWHERE, "the file would be wrong: rank %d ends with a wrong o[%lld]",
                       r, (long long)chunk);
            return false;
        }
    }
    return true;
}

/* What is written is right as it stands, not only as the schedule that it is made of. */
static bool check(const ListedSchedule *schedule, const GpuProgram *program, Arena *arena,
                  Diag *diag)
{
    if (gpu_program_work(program) > MOST_GPU_CLOCKS) {
        diag_limit(diag, NOWHERE,
                   "too many steps of too many thread blocks are too many to be followed");
        return false;
    }
    const GpuRun found = gpu_run(arena, program, program->label);
    if (found.text && schedule->is_uneven)
        diag_error(diag, NOWHERE,
                   "the %lld chunks of a block differ at this size, or are empty, and those of "
                   "MSCCL are alike: give a size that all ranks share evenly",
                   (long long)schedule->chunks);
    else if (found.text)
        diag_error(diag, NOWHERE, "the file would be %s: %s", gpu_verdict_names[found.verdict],
                   found.text);
    return !found.text && (gpu_label_info[program->label].collective ||
                           check_custom(schedule, program, arena, diag));
}

/* Within the quotes of an attribute. */
static void write_escaped(Buffer *text, const char *words)
{
    for (; *words; words++) {
        const char *entity = *words == '&'   ? "&amp;"
                             : *words == '<' ? "&lt;"
                             : *words == '"' ? "&quot;"
                                             : NULL;
        buffer_add(text, entity ? entity : words, entity ? strlen(entity) : 1);
    }
}

bool write_msccl(const ListedSchedule *schedule, Buffer *text, Diag *diag)
{
    GpuPlan plan;
    if (!gpu_plan(text->arena, schedule, &plan, diag))
        return false;
    const GpuProgram *program = &plan.program;
    if (!check(schedule, program, text->arena, diag))
        return false;
    int32_t input, output, channels = 1;
    gpu_buffer_sizes(program, program->label, &input, &output);
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++)
            if (program->gpus[r].blocks.items[b].channel >= channels)
                channels = program->gpus[r].blocks.items[b].channel + 1;
    buffer_printf(text, "<algo name=\"");
    write_escaped(text, program->name);
    buffer_printf(text,
                  "\" proto=\"Simple\" nchannels=\"%d\" nchunksperloop=\"%d\" "
                  "ngpus=\"%d\" coll=\"%s\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" "
                  "maxBytes=\"0\">\n",
                  channels, program->chunks, program->rank_count,
                  gpu_label_info[program->label].name);
    buffer_printf(text, "  <!-- messages: %lld, chunks: %lld, depth: %lld -->\n",
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

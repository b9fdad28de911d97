#include "verify/gpu_values.h"

/* Which input chunk of which ranks output chunk k of rank r should be. */
static void find_expected(const GpuEnd *end, int32_t root, int32_t r, int32_t k, int32_t *from,
                          int32_t *to, int32_t *chunk)
{
    const int32_t share = end->program->chunks / end->program->rank_count;
    *from = 0, *to = end->program->rank_count - 1, *chunk = k;
    if (end->label == GPU_BROADCAST || end->label == GPU_SCATTER)
        *from = *to = root;
    if (end->label == GPU_ALLGATHER || end->label == GPU_GATHER || end->label == GPU_ALLTOALL)
        *from = *to = k / share, *chunk = k % share;
    if (end->label == GPU_REDUCE_SCATTER || end->label == GPU_SCATTER)
        *chunk += r * share;
    if (end->label == GPU_ALLTOALL)
        *chunk += r * share;
}

static bool writes_chunk(const GpuStep *step, int32_t own, int32_t rank, GpuBuffer buffer,
                         int32_t chunk)
{
    const GpuPlace at = step->destination;
    return gpu_step_info[step->kind].writes && at.buffer == buffer &&
           gpu_place_rank(at, own) == rank && at.chunk <= chunk && chunk < at.chunk + step->count;
}

/* The last step of the file that writes a chunk, else the first thread block of its rank. */
static Span find_writer(const GpuProgram *program, int32_t rank, GpuBuffer buffer, int32_t chunk)
{
    Span found =
        program->gpus[rank].blocks.count ? program->gpus[rank].blocks.items[0].span : program->span;
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++) {
            const GpuSteps *steps = &program->gpus[r].blocks.items[b].steps;
            for (size_t i = 0; i < steps->count; i++)
                if (writes_chunk(&steps->items[i], r, rank, buffer, chunk))
                    found = steps->items[i].span;
        }
    return found.source ? found : program->span;
}

/* How many chunks are right before the first one that is not, and what is wrong there, or NULL. */
static int64_t count_right(Arena *arena, const GpuEnd *end, int32_t root, const char **wrong,
                           Span *span)
{
    const bool at_root = end->label == GPU_REDUCE || end->label == GPU_GATHER;
    int64_t right = 0;
    for (int32_t r = at_root ? root : 0; r < (at_root ? root + 1 : end->program->rank_count); r++)
        for (int32_t k = 0; k < end->sizes[GPU_OUTPUT]; k++, right++) {
            int32_t from, to, chunk;
            find_expected(end, root, r, k, &from, &to, &chunk);
            const char *differs = gpu_value_differs(
                arena, end->held_at(end->context, r, GPU_OUTPUT, k), from, to, chunk);
            if (!differs)
                continue;
            *wrong = arena_printf(arena, "rank %d ends with a wrong o[%d]: %s", r, k, differs);
            *span = find_writer(end->program, r, GPU_OUTPUT, k);
            return right;
        }
    *wrong = NULL;
    return right;
}

static const char *check_contract(Arena *arena, const GpuEnd *end, Span *span)
{
    const GpuContract *contract = end->program->contract;
    for (int32_t r = 0; r < end->program->rank_count; r++)
        for (int32_t k = 0; k < contract->chunks; k++) {
            const GpuSum *sum = &contract->after[(int64_t)r * contract->chunks + k];
            const GpuValue *held = end->held_at(end->context, r, GPU_SCRATCH, k);
            const char *differs = sum->count ? gpu_value_differs_from(arena, held, sum) : NULL;
            if (!differs)
                continue;
            *span = find_writer(end->program, r, GPU_SCRATCH, k);
            return arena_printf(arena, "rank %d ends with a wrong chunk %d: %s", r, k, differs);
        }
    return NULL;
}

const char *gpu_result_fault(Arena *arena, const GpuEnd *end, int32_t *root, Span *span)
{
    const GpuLabel label = end->label;
    const bool rooted = label == GPU_REDUCE || label == GPU_GATHER || label == GPU_BROADCAST ||
                        label == GPU_SCATTER;
    const bool is_fixed = rooted && end->program->has_root;
    const int32_t first = is_fixed ? end->program->root : 0;
    const int32_t last = is_fixed ? first : rooted ? end->program->rank_count - 1 : 0;
    const char *wrong = NULL, *least_wrong = NULL;
    int64_t most = -1;
    if (end->program->contract)
        return check_contract(arena, end, span);
    if (!gpu_label_info[label].collective)
        return NULL;
    for (int32_t r = first; r <= last; r++) {
        Span place;
        const int64_t right = count_right(arena, end, r, &wrong, &place);
        if (!wrong) {
            *root = r;
            return NULL;
        }
        if (right > most)
            most = right, least_wrong = wrong, *span = place;
    }
    return least_wrong;
}

typedef struct {
    Arena *arena;
    const GpuProgram *program;
    const int32_t *sizes; /* of input and output */
    const char *text;     /* what is wrong first */
    Span span;
} Check;

/* false */
#define FAIL(check, place, ...)                                                                    \
    ((check)->text = arena_printf((check)->arena, __VA_ARGS__), (check)->span = (place), false)

static bool check_place(Check *check, const GpuRunner *runner, const GpuStep *step, GpuPlace place)
{
    const int32_t size = place.buffer == GPU_SCRATCH
                             ? check->program->gpus[gpu_place_rank(place, runner->rank)].scratch
                             : check->sizes[place.buffer];
    if (place.chunk >= 0 && place.chunk <= size - step->count)
        return true;
    return FAIL(check, step->span, "chunks %c[%d..%d] are outside of the buffer, which has %d",
                gpu_buffer_letters[place.buffer], place.chunk, place.chunk + step->count - 1, size);
}

static bool check_step(Check *check, const GpuRunner *runner, size_t i)
{
    const GpuStep *step = &runner->block->steps.items[i];
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const Gpu *gpu = &check->program->gpus[runner->rank];
    if (step->wait_block >= 0 &&
        ((size_t)step->wait_block >= gpu->blocks.count || step->wait_step < 0))
        return FAIL(check, step->span, "rank %d has no thread block %d, step %d", runner->rank,
                    step->wait_block, step->wait_step);
    if (i && runner->block->steps.items[i - 1].kind == GPU_STEP_NOTHING && step->wait_block < 0)
        return FAIL(check, step->span, "the step after a nop has no dependency");
    if (step->kind == GPU_STEP_NOTHING)
        return true;
    if (gpu_step_is_sync(step->kind)) {
        const int32_t blocks = (int32_t)check->program->gpus[runner->rank].blocks.count;
        if (step->kind != GPU_STEP_BARRIER || (step->members > 0 && step->members <= blocks))
            return true;
        return FAIL(check, step->span, "a barrier of %d thread blocks, but rank %d has %d",
                    step->members, runner->rank, blocks);
    }
    if (step->count < 1)
        return FAIL(check, step->span, "a step moves at least one chunk");
    if ((info->sends && !runner->out) || (info->receives && !runner->in))
        return FAIL(check, step->span,
                    info->sends && !runner->out ? "its thread block sends to nobody"
                                                : "its thread block receives from nobody");
    return (!info->reads || check_place(check, runner, step, step->source)) &&
           (!(info->writes || info->reads_destination) ||
            check_place(check, runner, step, step->destination));
}

static bool is_first(const Check *check, const GpuRunner *runner, bool sends)
{
    const ThreadBlock *blocks = check->program->gpus[runner->rank].blocks.items,
                      *own = runner->block;
    for (const ThreadBlock *block = blocks; block < own; block++)
        if (block->channel == own->channel &&
            (sends ? block->send == own->send : block->receive == own->receive))
            return false;
    return true;
}

static bool check_peer(Check *check, const GpuRunner *runner, bool sends)
{
    const ThreadBlock *block = runner->block;
    const int32_t peer = sends ? block->send : block->receive;
    if (peer < 0)
        return true;
    if (peer >= check->program->rank_count || peer == runner->rank)
        return FAIL(check, block->span,
                    peer == runner->rank ? "rank %d sends to itself" : "there is no rank %d", peer);
    if (!is_first(check, runner, sends))
        return FAIL(check, block->span, "two thread blocks of rank %d %s rank %d on channel %d",
                    runner->rank, sends ? "send to" : "receive from", peer, block->channel);
    return true;
}

static bool check_block(Check *check, const GpuRunner *runner)
{
    for (size_t i = 0; i < runner->block->steps.count; i++)
        if (!check_step(check, runner, i))
            return false;
    return true;
}

const char *gpu_check(Arena *arena, const GpuStepper *stepper, const int32_t sizes[2], Span *span)
{
    const GpuRunner *runners = stepper->runners;
    Check check = {.arena = arena, .program = stepper->program, .sizes = sizes};
    for (int32_t b = 0; b < stepper->count && !check.text; b++)
        if (check_peer(&check, &runners[b], true))
            check_peer(&check, &runners[b], false);
    for (int32_t b = 0; b < stepper->count && !check.text; b++)
        check_block(&check, &runners[b]);
    *span = check.span;
    return check.text;
}

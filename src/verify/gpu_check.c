#include "verify/gpu_values.h"

/* The last step of the file that writes a chunk, else the first thread block of its rank. */
static Span find_writer(const GpuProgram *program, int32_t rank, GpuBuffer buffer, int32_t chunk)
{
    Span found =
        program->gpus[rank].blocks.count ? program->gpus[rank].blocks.items[0].span : program->span;
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++) {
            const GpuSteps *steps = &program->gpus[r].blocks.items[b].steps;
            for (size_t i = 0; i < steps->count; i++) {
                const GpuStep *step = &steps->items[i];
                const GpuPlace at = step->destination;
                if (gpu_step_info[step->kind].writes && at.buffer == buffer &&
                    gpu_place_rank(at, r) == rank && at.chunk <= chunk &&
                    chunk < at.chunk + step->count)
                    found = step->span;
            }
        }
    return found.source ? found : program->span;
}

/* How many chunks are right before the first one that is not, and what is wrong there, or NULL. */
static int64_t count_right(Arena *arena, const GpuEnd *end, int32_t root, const char **wrong,
                           Span *span)
{
    const GpuLabel label = end->label;
    const int32_t p = end->program->rank_count, share = end->program->chunks / p;
    const bool at_root = label == GPU_REDUCE || label == GPU_GATHER;
    const bool from_root = label == GPU_BROADCAST || label == GPU_SCATTER;
    const bool from_one = label == GPU_ALLGATHER || label == GPU_GATHER || label == GPU_ALLTOALL;
    const bool is_part =
        label == GPU_REDUCE_SCATTER || label == GPU_SCATTER || label == GPU_ALLTOALL;
    int64_t right = 0;
    for (int32_t r = at_root ? root : 0; r < (at_root ? root + 1 : p); r++)
        for (int32_t k = 0; k < end->sizes[GPU_OUTPUT]; k++, right++) {
            /* Which input chunk of which ranks it should be. */
            const int32_t from = from_root ? root : from_one ? k / share : 0;
            const int32_t to = from_root || from_one ? from : p - 1;
            const int32_t chunk = (from_one ? k % share : k) + (is_part ? r * share : 0);
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
    const GpuContract *contract = end->program->contract;
    for (int32_t i = 0; contract && i < end->program->rank_count * contract->chunks; i++) {
        const int32_t r = i / contract->chunks, k = i % contract->chunks;
        const GpuValue *held = end->held_at(end->context, r, GPU_SCRATCH, k);
        const GpuSum *sum = &contract->after[i];
        const char *differs = sum->count ? gpu_value_differs_from(arena, held, sum) : NULL;
        if (!differs)
            continue;
        *span = find_writer(end->program, r, GPU_SCRATCH, k);
        return arena_printf(arena, "rank %d ends with a wrong chunk %d: %s", r, k, differs);
    }
    if (contract || !gpu_label_info[label].collective)
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

static bool check_peer(Check *check, const GpuRunner *runner, bool sends)
{
    const ThreadBlock *block = runner->block;
    const ThreadBlock *others = check->program->gpus[runner->rank].blocks.items;
    const int32_t peer = sends ? block->send : block->receive;
    if (peer < 0)
        return true;
    if (peer >= check->program->rank_count || peer == runner->rank)
        return FAIL(check, block->span,
                    peer == runner->rank ? "rank %d sends to itself" : "there is no rank %d", peer);
    for (const ThreadBlock *other = others; other < block; other++)
        if (other->channel == block->channel && (sends ? other->send : other->receive) == peer)
            return FAIL(check, block->span, "two thread blocks of rank %d %s rank %d on channel %d",
                        runner->rank, sends ? "send to" : "receive from", peer, block->channel);
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
        for (size_t i = 0; i < runners[b].block->steps.count && !check.text; i++)
            check_step(&check, &runners[b], i);
    *span = check.span;
    return check.text;
}

#include "verify/failure.h"

Failure failure_of_transfer(Arena *arena, const Contract *contract, const BlockSpace *space,
                            int64_t round_number, const ScheduledTransfer *transfer, int64_t block,
                            const char *what)
{
    const char *text = arena_printf(arena, "round %lld, %lld -> %lld, block %s: %s (%s)",
                                    (long long)round_number + 1, (long long)transfer->from,
                                    (long long)transfer->to, blockspace_name(arena, space, block),
                                    what, contract_describe(arena, contract));
    return (Failure){text, *transfer->span};
}

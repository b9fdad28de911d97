#include "verify/failure.h"

bool failure_of_transfer(const FailureSite *site, const ScheduledTransfer *transfer, int64_t block,
                         Failure *failure, const char *what)
{
    Arena *arena = site->arena;
    const char *way = transfer_is_local(transfer)
                          ? arena_printf(arena, "rank %lld", (long long)transfer->from)
                          : arena_printf(arena, "%lld -> %lld", (long long)transfer->from,
                                         (long long)transfer->to);
    const char *text = arena_printf(
        arena, "round %lld, %s, block %s: %s (%s)", (long long)site->round_number + 1, way,
        blockspace_name(arena, site->space, block), what, contract_describe(arena, site->contract));
    *failure = (Failure){text, *transfer->span};
    return false;
}

const char *failure_not_held(const ScheduledTransfer *transfer)
{
    return transfer_is_local(transfer) ? "it does not hold that" : "the sender does not hold it";
}

const char *failure_overwrites(const ScheduledTransfer *transfer)
{
    return transfer_is_local(transfer) ? "it overwrites a different value that it holds"
                                       : "it overwrites a different value that the receiver holds";
}

#include "cost/rules.h"

const char *rules_describe(Arena *arena, const Rules *rules)
{
    return arena_printf(arena,
                        "cut-through, %lld port%s, contention by bytes, full duplex, combining "
                        "after the receive, %s k",
                        (long long)rules->ports, rules->ports == 1 ? "" : "s",
                        rules->real_chunks ? "real" : "whole");
}

#include "cost/derive_path.h"

double cost_total(CostParts parts)
{
    return parts.startup + parts.hop + parts.transfer + parts.compute;
}

CostParts cost_sum(CostParts a, CostParts b)
{
    return (CostParts){a.startup + b.startup, a.hop + b.hop, a.transfer + b.transfer,
                       a.compute + b.compute};
}

/* What a message of `message` blocks pays by its size. */
static double link_cost_of(const Protocol *protocols, int64_t message, Parameter parameter,
                           const double *parameters, double block)
{
    if (!protocols)
        return parameters[parameter];
    const Protocol *protocol = protocol_for(protocols, (double)message * block);
    double own = protocol->parameters[parameter];
    return own >= 0 ? own : parameters[parameter];
}

static double share_rate(const PathCost *path, const PortShare *share, double tw)
{
    double rate = share->by_machine && tw > share->rate ? tw : share->rate;
    double varied = path->factor ? share->varied_rate * *path->factor : 0;
    return (varied > rate ? varied : rate) * (double)share->blocks / (double)share->lanes;
}

static double shares_rate(const PathCost *path, const double *parameters, double block)
{
    double rate = 0;
    for (const PortShare *share = path->shares; share; share = share->next)
        rate += share_rate(
            path, share,
            link_cost_of(share->protocols, share->message, PARAMETER_TW, parameters, block));
    return rate;
}

CostParts path_parts(const PathCost *path, const double *parameters, double counted, double block)
{
    double ts = link_cost_of(path->protocols, path->message, PARAMETER_TS, parameters, block);
    double tw = link_cost_of(path->protocols, path->message, PARAMETER_TW, parameters, block);
    CostParts parts = {
        .startup = (double)path->startups * ts + path->startup,
        .hop = (double)path->hops * parameters[PARAMETER_TH] + path->hop,
        .transfer = (double)path->load * counted * tw,
    };
    if (path->lanes > 1)
        parts.transfer /= (double)path->lanes;
    parts.transfer += path->rate * counted;
    if (path->factor) {
        parts.hop += path->varied * *path->factor;
        parts.transfer += path->varied_rate * *path->factor * counted;
    }
    if (path->shares)
        parts.transfer += shares_rate(path, parameters, block) * counted;
    return parts;
}

int shares_compare(const PortShare *a, const PortShare *b)
{
    for (; a && b; a = a->next, b = b->next) {
        const double orders[] = {(double)a->blocks - (double)b->blocks,
                                 (double)a->lanes - (double)b->lanes,
                                 (double)a->by_machine - (double)b->by_machine,
                                 a->rate - b->rate,
                                 a->varied_rate - b->varied_rate,
                                 (double)a->message - (double)b->message};
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
            if (orders[i] != 0)
                return orders[i] < 0 ? -1 : 1;
    }
    return (a != NULL) - (b != NULL);
}

PathCost *paths_copy(Arena *arena, const PathCost *paths, size_t count)
{
    PathCost *copies = ARENA_COPY(arena, PathCost, paths, count);
    for (size_t i = 0; i < count; i++) {
        PortShare *last = NULL;
        for (const PortShare *share = paths[i].shares; share; share = share->next) {
            PortShare *kept = ARENA_COPY(arena, PortShare, share, 1);
            if (last)
                last->next = kept;
            else
                copies[i].shares = kept;
            last = kept;
        }
    }
    return copies;
}

CostParts path_cost(const PathCost *path, const double *parameters, double block)
{
    return path_parts(path, parameters, block, block);
}

CostParts paths_slowest(const PathCost *paths, size_t count, const double *parameters, double block)
{
    CostParts slowest = {0};
    for (size_t i = 0; i < count; i++) {
        CostParts parts = path_cost(&paths[i], parameters, block);
        if (i == 0 || cost_total(parts) > cost_total(slowest))
            slowest = parts;
    }
    return slowest;
}

static Exact times(Exact value, int64_t factor)
{
    return exact_multiply(value, exact_from_int(factor));
}

static Exact link_cost_exact(const Protocol *protocols, int64_t message, Parameter parameter,
                             const Exact *values, Exact block)
{
    double own[PARAMETER_COUNT] = {[PARAMETER_TS] = -1, [PARAMETER_TW] = -1};
    double link_cost =
        protocols ? link_cost_of(protocols, message, parameter, own, block.real) : -1;
    return link_cost >= 0 ? exact_from_double(link_cost) : values[parameter];
}

static Exact larger(Exact a, Exact b)
{
    return exact_compare(b, a) > 0 ? b : a;
}

static Exact shares_exact(const PathCost *path, const Exact *values, Exact block)
{
    Exact sum = exact_from_int(0);
    for (const PortShare *share = path->shares; share; share = share->next) {
        Exact rate = exact_from_double(share->rate);
        if (path->factor)
            rate = larger(rate, exact_from_double(share->varied_rate * *path->factor));
        if (share->by_machine)
            rate = larger(rate, link_cost_exact(share->protocols, share->message, PARAMETER_TW,
                                                values, block));
        Exact load = times(exact_multiply(block, rate), share->blocks);
        sum = exact_add(sum, exact_divide(load, exact_from_int(share->lanes)));
    }
    return sum;
}

Exact path_exact(const PathCost *path, const Exact *values, Exact block)
{
    Exact ts = link_cost_exact(path->protocols, path->message, PARAMETER_TS, values, block);
    Exact tw = link_cost_exact(path->protocols, path->message, PARAMETER_TW, values, block);
    Exact load = times(exact_multiply(block, tw), path->load);
    if (path->lanes > 1)
        load = exact_divide(load, exact_from_int(path->lanes));
    Exact time = exact_add(times(ts, path->startups),
                           exact_add(times(values[PARAMETER_TH], path->hops), load));
    double own = path->startup + path->hop + path->rate * block.real;
    if (path->factor)
        own += (path->varied + path->varied_rate * block.real) * *path->factor;
    if (path->shares)
        time = exact_add(time, shares_exact(path, values, block));
    return own > 0 ? exact_add(time, exact_from_double(own)) : time;
}

bool path_whole(const PathCost *path, const int64_t *parameters, int64_t block, int64_t *time)
{
    int64_t startup, hop, load;
    if (path->protocols || path->lanes > 1 || path->factor || path->shares || path->startup != 0 ||
        path->hop != 0 || path->rate != 0)
        return false;
    return !(__builtin_mul_overflow(parameters[PARAMETER_TS], path->startups, &startup) ||
             __builtin_mul_overflow(parameters[PARAMETER_TH], path->hops, &hop) ||
             __builtin_mul_overflow(parameters[PARAMETER_TW], block, &load) ||
             __builtin_mul_overflow(load, path->load, &load) ||
             __builtin_add_overflow(startup, hop, time) ||
             __builtin_add_overflow(*time, load, time));
}

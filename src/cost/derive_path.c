#include "cost/derive_path.h"

#include <math.h>

double cost_total(CostParts parts)
{
    return parts.startup + parts.hop + parts.transfer + parts.compute;
}

CostParts cost_sum(CostParts a, CostParts b)
{
    return (CostParts){a.startup + b.startup, a.hop + b.hop, a.transfer + b.transfer,
                       a.compute + b.compute};
}

CostParts cost_share(CostParts parts, double count)
{
    return (CostParts){parts.startup / count, parts.hop / count, parts.transfer / count,
                       parts.compute / count};
}

/* NULL: the list has none. Most have their numbers in a row. */
static const Protocol *find_listed(const Rules *rules, int first, int count, int number)
{
    const int behind = count ? number - rules->protocols[first].number : -1;
    if (behind >= 0 && behind < count && rules->protocols[first + behind].number == number)
        return &rules->protocols[first + behind];
    for (int i = first; i < first + count; i++)
        if (rules->protocols[i].number == number)
            return &rules->protocols[i];
    return NULL;
}

/* What a list says, negative: nothing. */
static double listed_price(const Rules *rules, int first, int count, int number,
                           Parameter parameter)
{
    const Protocol *listed = find_listed(rules, first, count, number);
    return listed ? listed->parameters[parameter] : -1;
}

double protocol_price(const Rules *rules, int level, int number, Parameter parameter,
                      const double *parameters)
{
    double price = -1;
    if (level) {
        const Level *of = &rules->levels[level - 1];
        price = listed_price(rules, of->first_protocol, of->protocol_count, number, parameter);
        price = price >= 0 ? price : of->parameters[parameter];
        if (price >= 0)
            return rules_vary_level(rules, of->name, parameter) ? price * rules->varied.factor
                                                                : price;
    }
    price = listed_price(rules, 0, rules->protocol_count, number, parameter);
    return price >= 0 ? price : parameters[parameter];
}

/* What an uncontended message has to pay, as a line: ts, and the slowest tw on its path. */
typedef struct {
    double startup, per_byte;
} AloneCost;

static double startup_alone(const ProtocolChoice *choice, int number, const double *parameters)
{
    return choice->list || choice->alone.listed & PATH_STARTS_BY_MACHINE
               ? protocol_price(choice->rules, (int)choice->list, number, PARAMETER_TS, parameters)
               : 0;
}

static AloneCost cost_alone(const ProtocolChoice *choice, int number, const double *parameters)
{
    const Rules *rules = choice->rules;
    AloneCost cost = {startup_alone(choice, number, parameters), choice->alone.rate};
    if (choice->alone.varied_rate * rules->varied.factor > cost.per_byte)
        cost.per_byte = choice->alone.varied_rate * rules->varied.factor;
    uint64_t crossed = choice->alone.listed & (PATH_STARTS_BY_MACHINE - 1);
    for (; crossed; crossed &= crossed - 1) {
        const int level = __builtin_ctzll(crossed);
        double price = protocol_price(rules, level, number, PARAMETER_TW, parameters);
        cost.per_byte = price > cost.per_byte ? price : cost.per_byte;
    }
    return cost;
}

typedef struct {
    const Protocol *items;
    int count;
} ProtocolList;

static ProtocolList list_of(const ProtocolChoice *choice)
{
    const Rules *rules = choice->rules;
    if (!choice->list)
        return (ProtocolList){rules->protocols, rules->protocol_count};
    const Level *level = &rules->levels[choice->list - 1];
    return (ProtocolList){rules->protocols + level->first_protocol, level->protocol_count};
}

/* Of two that take equally long, the one that is slower by bytes was the faster one up to here. One
   whose startup alone takes longer than another one is not looked at. */
static int find_fastest(const ProtocolChoice *choice, ProtocolList list, const double *parameters,
                        double bytes)
{
    AloneCost best = {0, 0};
    double least = 0;
    int fastest = -1;
    for (int i = 0; i < list.count; i++) {
        const int number = list.items[i].number;
        if (fastest >= 0 && startup_alone(choice, number, parameters) > least)
            continue;
        AloneCost cost = cost_alone(choice, number, parameters);
        double time = cost.startup + bytes * cost.per_byte;
        if (fastest < 0 || time < least || (time == least && cost.per_byte > best.per_byte))
            best = cost, least = time, fastest = i;
    }
    return fastest;
}

static bool has_only(const ProtocolChoice *choice, ProtocolList list)
{
    bool has = false;
    for (int i = 0; i < list.count; i++)
        has |= list.items[i].number + 1 == choice->only;
    return has;
}

int choose_protocol(const ProtocolChoice *choice, const double *parameters, double block)
{
    ProtocolList list = list_of(choice);
    double bytes = (double)choice->message * block;
    if (has_only(choice, list))
        return (int)choice->only - 1;
    if (list.count == 0)
        return -1;
    return choice->rules->select_fastest
               ? list.items[find_fastest(choice, list, parameters, bytes)].number
               : protocol_for(list.items, bytes)->number;
}

/* Does a path count with the protocol of that number? It waits if the list that counts says so, or
   else the machine's. */
static bool path_counts(const PathCost *path, int number)
{
    const Rules *rules = path->choice.rules;
    if (path->counts == COUNTS_ALWAYS)
        return true;
    const ProtocolList list = list_of(&path->choice);
    const Protocol *own =
                       find_listed(rules, (int)(list.items - rules->protocols), list.count, number),
                   *machines = find_listed(rules, 0, rules->protocol_count, number);
    const bool waits = (own && own->waits) || (machines && machines->waits);
    return waits == (path->counts == COUNTS_WHERE_WAITING);
}

void choice_jumps(const ProtocolChoice *choice, const double *parameters, Arena *arena,
                  SizeArray *sizes)
{
    const ProtocolList list = list_of(choice);
    if (list.count == 0 || has_only(choice, list))
        return;
    if (!choice->rules->select_fastest) {
        for (int i = 0; i + 1 < list.count; i++)
            *ARRAY_PUSH(arena, sizes) = list.items[i].up_to;
        return;
    }
    /* Along the lower hull of the lines of all protocols, from size 0 on. */
    AloneCost costs[MOST_LISTED_PROTOCOLS];
    int now = find_fastest(choice, list, parameters, 0);
    for (int i = 0; i < list.count; i++)
        costs[i] = cost_alone(choice, list.items[i].number, parameters);
    for (int i = 0; i < list.count; i++) /* of those without more startup, the fastest */
        if (costs[i].startup == costs[now].startup && costs[i].per_byte < costs[now].per_byte)
            now = i;
    for (;;) {
        double nearest = INFINITY;
        int next = -1;
        for (int i = 0; i < list.count; i++) {
            double gain = costs[now].per_byte - costs[i].per_byte;
            double at = gain > 0 ? (costs[i].startup - costs[now].startup) / gain : INFINITY;
            if (at < nearest ||
                (next >= 0 && at == nearest && costs[i].per_byte < costs[next].per_byte))
                nearest = at, next = i;
        }
        if (next < 0)
            return;
        *ARRAY_PUSH(arena, sizes) = nearest;
        now = next;
    }
}

/* ts and tw of a path, and its startup by the list of a level; 0 where they do not count. */
typedef struct {
    double ts, tw, startup;
} PathPrices;

static PathPrices list_prices(const PathCost *path, int number, const double *parameters)
{
    const Rules *rules = path->choice.rules;
    const int list = (int)path->choice.list, priced = (int)path->priced;
    return (PathPrices){
        path->startups ? protocol_price(rules, 0, number, PARAMETER_TS, parameters) : 0,
        path->load ? protocol_price(rules, priced, number, PARAMETER_TW, parameters) : 0,
        list ? protocol_price(rules, list, number, PARAMETER_TS, parameters) : 0,
    };
}

static PathPrices prices_of(const PathCost *path, int number, const double *parameters)
{
    return path->choice.rules ? list_prices(path, number, parameters)
                              : (PathPrices){parameters[PARAMETER_TS], parameters[PARAMETER_TW], 0};
}

static int number_of(const PathCost *path, const double *parameters, double block)
{
    return path->choice.rules ? choose_protocol(&path->choice, parameters, block) : -1;
}

static double shares_rate(const PathCost *path, const double *parameters, double block)
{
    double sum = 0;
    for (const PortShare *share = path->shares; share; share = share->next) {
        const Rules *rules = share->choice.rules;
        double tw = rules ? -1 : parameters[PARAMETER_TW]; /* the largest of those that count */
        const int number = rules ? choose_protocol(&share->choice, parameters, block) : -1;
        for (int level = 0; rules && level <= rules->level_count; level++)
            if (share->price.listed >> level & 1)
                tw = fmax(tw, protocol_price(rules, level, number, PARAMETER_TW, parameters));
        const double rate = share->price.listed && tw > share->price.rate ? tw : share->price.rate;
        const double varied = path->factor ? share->price.varied_rate * *path->factor : 0;
        sum += (varied > rate ? varied : rate) * (double)share->blocks / (double)share->lanes;
    }
    return sum;
}

/* How often its bytes count. */
static double stretch_of(const PathCost *path)
{
    return path->exchange ? 1 + path->exchange->seconds : 1;
}

/* With the prices of its protocol. */
static CostParts parts_by(const PathCost *path, const PathPrices *prices, const double *parameters,
                          double counted, double block)
{
    CostParts parts = {
        .startup = (double)path->startups * prices->ts + path->startup,
        .hop = (double)path->hops * parameters[PARAMETER_TH] + path->hop,
        .transfer = (double)path->load * counted * prices->tw,
    };
    if (path->list_startups)
        parts.startup += (double)path->list_startups * prices->startup;
    for (int x = 0; x < COUNTED_DELAYS && path->spacing; x++)
        parts.startup += (double)path->posts[x] * path->spacing[x];
    if (path->lanes > 1)
        parts.transfer /= (double)path->lanes;
    parts.transfer += path->rate * counted;
    if (path->factor) {
        parts.hop += path->varied * *path->factor;
        parts.transfer += path->varied_rate * *path->factor * counted;
    }
    parts.transfer *= stretch_of(path);
    if (path->shares)
        parts.transfer += shares_rate(path, parameters, block) * counted;
    return parts;
}

CostParts path_parts(const PathCost *path, const double *parameters, double counted, double block)
{
    const int number = number_of(path, parameters, block);
    const PathPrices prices = prices_of(path, number, parameters);
    return path_counts(path, number) ? parts_by(path, &prices, parameters, counted, block)
                                     : (CostParts){0};
}

void byte_prices_join(BytePrice *a, BytePrice *b)
{
    a->listed = b->listed |= a->listed;
    a->rate = b->rate = fmax(a->rate, b->rate);
    a->varied_rate = b->varied_rate = fmax(a->varied_rate, b->varied_rate);
}

int byte_prices_compare(const BytePrice *a, const BytePrice *b)
{
    if (a->listed != b->listed)
        return a->listed < b->listed ? -1 : 1;
    if (a->rate != b->rate)
        return a->rate < b->rate ? -1 : 1;
    return (a->varied_rate > b->varied_rate) - (a->varied_rate < b->varied_rate);
}

int choices_compare(const ProtocolChoice *a, const ProtocolChoice *b)
{
    if (!a->rules && !b->rules) /* there are no protocols */
        return 0;
    if (a->message != b->message)
        return a->message < b->message ? -1 : 1;
    if (a->only != b->only)
        return a->only < b->only ? -1 : 1;
    if (a->list != b->list)
        return a->list < b->list ? -1 : 1;
    return byte_prices_compare(&a->alone, &b->alone);
}

int shares_compare(const PortShare *a, const PortShare *b)
{
    int order = 0;
    for (; a && b && !order; a = a->next, b = b->next) {
        if (a->blocks != b->blocks)
            return a->blocks < b->blocks ? -1 : 1;
        if (a->lanes != b->lanes)
            return a->lanes < b->lanes ? -1 : 1;
        order = byte_prices_compare(&a->price, &b->price);
        order = order ? order : choices_compare(&a->choice, &b->choice);
    }
    return order ? order : (a != NULL) - (b != NULL);
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

CostParts paths_slowest(const PathCost *paths, size_t count, const double *parameters, double block)
{
    CostParts slowest = {0};
    PathPrices prices = {0};
    int number = -1;
    for (size_t i = 0; i < count; i++) {
        const PathCost *path = &paths[i], *before = i ? path - 1 : NULL;
        const int last = number;
        const bool is_by_same_rules = before && path->choice.rules == before->choice.rules;
        if (!is_by_same_rules || choices_compare(&path->choice, &before->choice) != 0)
            number = number_of(path, parameters, block);
        /* the same prices count, with protocols of one number */
        if (!is_by_same_rules || number != last || path->choice.list != before->choice.list ||
            path->priced != before->priced || !path->load != !before->load ||
            !path->startups != !before->startups)
            prices = prices_of(path, number, parameters);
        CostParts parts = {0};
        if (path_counts(path, number))
            parts = parts_by(path, &prices, parameters, block, block);
        if (!before || cost_total(parts) > cost_total(slowest))
            slowest = parts;
    }
    return slowest;
}

/* A price of a list, or else the machine's in fractions. */
static Exact exact_price(double price, Exact machines)
{
    return price >= 0 ? exact_from_double(price) : machines;
}

static Exact larger(Exact a, Exact b)
{
    return exact_compare(b, a) > 0 ? b : a;
}

static Exact shares_exact(const PathCost *path, const Exact *values, Exact block)
{
    Exact sum = exact_from_int(0);
    double parameters[PARAMETER_COUNT], none[PARAMETER_COUNT];
    for (int i = 0; i < PARAMETER_COUNT; i++)
        parameters[i] = values[i].real, none[i] = -1;
    for (const PortShare *share = path->shares; share; share = share->next) {
        Exact rate = exact_from_double(share->price.rate);
        if (path->factor)
            rate = larger(rate, exact_from_double(share->price.varied_rate * *path->factor));
        const Rules *rules = share->choice.rules;
        const int number = rules ? choose_protocol(&share->choice, parameters, block.real) : -1;
        if (!rules && share->price.listed)
            rate = larger(rate, values[PARAMETER_TW]);
        for (int level = 0; rules && level <= rules->level_count; level++)
            if (share->price.listed >> level & 1)
                rate = larger(rate,
                              exact_price(protocol_price(rules, level, number, PARAMETER_TW, none),
                                          values[PARAMETER_TW]));
        Exact load = exact_times(exact_multiply(block, rate), share->blocks);
        sum = exact_add(sum, exact_divide(load, exact_from_int(share->lanes)));
    }
    return sum;
}

Exact path_exact(const PathCost *path, const Exact *values, Exact block)
{
    double parameters[PARAMETER_COUNT], none[PARAMETER_COUNT];
    for (int i = 0; i < PARAMETER_COUNT; i++)
        parameters[i] = values[i].real, none[i] = -1;
    PathPrices prices = {-1, -1, 0};
    if (path->choice.rules) {
        const int number = choose_protocol(&path->choice, parameters, block.real);
        if (!path_counts(path, number))
            return exact_from_int(0);
        prices = list_prices(path, number, none);
    }
    Exact ts = exact_price(prices.ts, values[PARAMETER_TS]);
    Exact tw = exact_price(prices.tw, values[PARAMETER_TW]);
    Exact load = exact_times(exact_multiply(block, tw), path->load);
    if (path->lanes > 1)
        load = exact_divide(load, exact_from_int(path->lanes));
    if (path->exchange)
        load = exact_multiply(load, exact_from_double(stretch_of(path)));
    Exact time = exact_add(exact_times(ts, path->startups),
                           exact_add(exact_times(values[PARAMETER_TH], path->hops), load));
    if (path->list_startups && prices.startup < 0)
        time = exact_add(time, exact_times(values[PARAMETER_TS], path->list_startups));
    else if (path->list_startups)
        time = exact_add(time, exact_from_double((double)path->list_startups * prices.startup));
    double own = path->startup + path->hop + path->rate * stretch_of(path) * block.real;
    for (int x = 0; x < COUNTED_DELAYS && path->spacing; x++)
        own += (double)path->posts[x] * path->spacing[x];
    if (path->factor)
        own += (path->varied + path->varied_rate * stretch_of(path) * block.real) * *path->factor;
    if (path->shares)
        time = exact_add(time, shares_exact(path, values, block));
    return own > 0 ? exact_add(time, exact_from_double(own)) : time;
}

bool path_whole(const PathCost *path, const int64_t *parameters, int64_t block, int64_t *time)
{
    int64_t startup, hop, load;
    if (path->choice.rules || path->shares || path->lanes > 1 || path->factor || path->spacing ||
        path->startup != 0 || path->hop != 0 || path->rate != 0 || path->exchange)
        return false;
    return !(__builtin_mul_overflow(parameters[PARAMETER_TS], path->startups, &startup) ||
             __builtin_mul_overflow(parameters[PARAMETER_TH], path->hops, &hop) ||
             __builtin_mul_overflow(parameters[PARAMETER_TW], block, &load) ||
             __builtin_mul_overflow(load, path->load, &load) ||
             __builtin_add_overflow(startup, hop, time) ||
             __builtin_add_overflow(*time, load, time));
}

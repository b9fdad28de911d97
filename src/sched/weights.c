#include "sched/weights.h"

#include "base/whole.h"
#include "lang/check.h"

#include <string.h>

/* What blocks weigh together, so that sums over paths and ports stay exact. */
static const int64_t most_sum = (int64_t)1 << 40;

static bool separates(char c)
{
    return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* What stands beside a comma or semicolon outside of parentheses, and is not a whole number: an
   item of a list, since no expression has such a comma. Nothing where there is none. */
static Text find_bad_item(Text text)
{
    const Text none = {0};
    Text bad = none;
    bool several = false;
    for (size_t begin = 0, end; begin <= text.length; begin = end + 1) {
        int depth = 0;
        bool is_number = true;
        for (end = begin; end < text.length; end++) {
            const char c = text.chars[end];
            if (depth == 0 && (c == ',' || c == ';'))
                break;
            depth += (c == '(') - (c == ')');
            is_number &= separates(c) || is_digit(c);
        }
        several |= end < text.length;
        if (!is_number && !bad.chars)
            bad = text_trim(text_slice(text, begin, end - begin));
    }
    return several ? bad : none;
}

static bool read_list(Text text, int64_t *values, int64_t count, Diag *diag)
{
    int64_t found = 0;
    for (size_t i = 0; i < text.length;) {
        size_t begin = i;
        int64_t value = 0;
        for (; i < text.length && is_digit(text.chars[i]); i++)
            value = whole_append_digit(value, text.chars[i] - '0');
        if (i == begin) {
            i++;
            continue;
        }
        if (value == INT64_MAX)
            return diag_error(diag, text_slice(text, begin, i - begin).span,
                              "this weight is too large");
        if (found < count)
            values[found] = value;
        found++;
    }
    if (found != count)
        diag_error(diag, text.span, "expected %lld weights, one for each block, and found %lld",
                   (long long)count, (long long)found);
    return found == count;
}

static bool evaluate(Arena *arena, Text text, const Collective *collective, const BlockSpace *space,
                     int64_t p, int64_t *values, Diag *diag)
{
    Scope scope = {0};
    const void *slots[MOST_SLOTS] = {0};
    size_t count = (size_t)space->count;
    slots[scope_add(arena, &scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false})] = &p;
    int64_t below = space->count;
    for (int x = 0; x < collective->index_count; x++) {
        int64_t *index = ARENA_ROOM(arena, int64_t, count);
        if (count > 0) /* else an index may have no values */
            below /= space->extents[x];
        for (size_t b = 0; b < count; b++)
            index[b] = (int64_t)b / below % space->extents[x];
        slots[scope_add(arena, &scope,
                        (Variable){collective->index_names[x], TYPE_INT, DIMENSION_NONE, true})] =
            index;
        if (collective->index_count == 1 && strcmp(collective->index_names[x], "r") != 0)
            slots[scope_add(arena, &scope, (Variable){"r", TYPE_INT, DIMENSION_NONE, true})] =
                index;
    }
    Expr *expr = parse_expression(arena, text, diag);
    if (expr)
        expr = check_expression(arena, expr, &scope, TYPE_INT, DIMENSION_NONE, diag);
    if (!expr)
        return false;
    if (count == 0)
        return true;
    Program *program = program_compile(arena, expr, &scope);
    int64_t one;
    if (program_varies(program))
        return program_run(program, slots, count, values, diag);
    if (!program_run_int(program, slots, &one, diag))
        return false;
    for (size_t b = 0; b < count; b++)
        values[b] = one;
    return true;
}

static int64_t find_largest(const Holding *holding, const int64_t *values)
{
    int64_t largest = 0;
    for (int64_t r = holding->from; r < holding->to; r++) {
        int64_t sum = 0;
        for (int64_t i = 0, count = holding_count(holding, r); i < count; i++)
            sum += values[holding_block(holding, r, i)];
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

const char *weights_show(Arena *arena, const GivenWeights *given)
{
    Text text = given->text;
    size_t length = text.length < LONGEST_WORD ? text.length : LONGEST_WORD;
    char *shown = arena_copy(arena, text.chars, length);
    for (size_t i = 0; i < length; i++)
        if (shown[i] == '\n' || shown[i] == '\r' || shown[i] == '\t')
            shown[i] = ' ';
    return length == text.length ? shown : arena_printf(arena, "%s...", shown);
}

const Weights *weights_find(Arena *arena, const GivenWeights *given, const Collective *collective,
                            int64_t p, Diag *diag)
{
    Text text = given->text;
    Contract contract;
    BlockSpace space;
    if (collective->problem || collective->index_count == 0 || collective->is_empty)
        return DIAG_NULL(diag, text.span,
                         "%s has no blocks of several ranks that could differ in size",
                         collective->head.name);
    if (!blockspace_create(collective, p, 0, &space, diag))
        return NULL;
    if (space.count > MOST_ENTRIES) {
        diag_limit(diag, text.span, "%lld blocks are too many for weights of their own",
                   (long long)space.count);
        return NULL;
    }
    const Text bad = find_bad_item(text);
    if (bad.chars)
        return DIAG_NULL(diag, bad.span, "weights are whole numbers from 0 on, not '%.*s'",
                         (int)bad.length, bad.chars);
    int64_t *values = ARENA_ARRAY(arena, int64_t, (size_t)space.count);
    bool is_list = true, several = false; /* nothing but whole numbers, more than one */
    for (size_t i = 0; i < text.length; i++) {
        is_list &= separates(text.chars[i]) || is_digit(text.chars[i]);
        several |= separates(text.chars[i]);
    }
    if (!(is_list && several ? read_list(text, values, space.count, diag)
                             : evaluate(arena, text, collective, &space, p, values, diag)))
        return NULL;
    for (int64_t b = 0, sum = 0; b < space.count; b++) {
        if (values[b] < 0)
            return DIAG_NULL(diag, text.span, "the weight of block %s is %lld, below 0",
                             blockspace_name(arena, &space, b), (long long)values[b]);
        if (values[b] > most_sum - sum)
            return DIAG_NULL(diag, text.span, "the weights add up to more than 2^40");
        sum += values[b];
    }
    if (!contract_create(arena, collective, p, 0, p - 1, &contract, diag) ||
        !contract_check_entries(collective, &contract, contract.p, diag))
        return NULL;
    int64_t before = find_largest(&contract.before, values),
            after = find_largest(&contract.after, values);
    Weights *weights = ARENA_NEW(arena, Weights);
    *weights = (Weights){.count = space.count,
                         .values = values,
                         .largest_sum = before > after ? before : after,
                         .text = weights_show(arena, given)};
    return weights;
}

/* A side without its empty blocks, as lists. */
static void drop_empty(Arena *arena, const int64_t *values, Holding *holding)
{
    Holding full = *holding;
    int64_t *starts = ARENA_ARRAY(arena, int64_t, (size_t)full.p + 1);
    int64_t *blocks = ARENA_ROOM(arena, int64_t, (size_t)full.total + 1), count = 0, first = -1;
    holding->holders = 0;
    for (int64_t r = 0; r < full.p; r++) {
        for (int64_t i = 0, held = holding_count(&full, r); i < held; i++) {
            int64_t block = holding_block(&full, r, i);
            if (values[block] > 0)
                blocks[count++] = block;
        }
        starts[r + 1] = count;
        holding->holders += count > starts[r];
        if (first < 0 && count > starts[r])
            first = r;
    }
    holding->starts = starts;
    holding->blocks = blocks;
    holding->total = count;
    if (full.is_shared) {
        holding->from = first < 0 ? 0 : first;
        holding->to = holding->from + 1;
    }
}

void weights_apply(Arena *arena, const Weights *weights, Contract *contract)
{
    bool has_empty = false;
    contract->weights = weights->values;
    contract->buffer_blocks = weights->largest_sum;
    for (int64_t b = 0; b < weights->count && !has_empty; b++)
        has_empty = weights->values[b] == 0;
    if (!has_empty)
        return;
    drop_empty(arena, weights->values, &contract->before);
    drop_empty(arena, weights->values, &contract->after);
}

#include "prove/prove.h"

#include <string.h>

/* What may be held before a round: {i} the index of the loop, {E} a power with it as exponent, {a}
   and {y} a label of the rank and of what the condition is about, {X} the block or contribution. */
static const char *const relations[] = {
    "({a} - {y}) mod p < {i}",        "({y} - {a}) mod p < {i}",
    "({a} - {y}) mod p <= {i}",       "({y} - {a}) mod p <= {i}",
    "({a} - {y}) mod p < {E}",        "({y} - {a}) mod p < {E}",
    "({a} - {y}) mod p mod {E} == 0", "({y} - {a}) mod p mod {E} == 0",
    "{a} div {E} == {y} div {E}",     "{a} mod {E} == {y} mod {E}",
    "{y} <= {a} and {a} - {y} < {E}",
};

/* Labels of the rank and of the block or contribution. */
static const char *const labels[][2] = {
    {"r", "{X}"},
    {"v", "v_{X}"},
    {"r", "({X} mod q)"},
    {"v", "when({X} >= 2 * pairs, {X} - pairs, {X} div 2)"},
};

static const char *const guards[] = {"", "r < q and ", "takes == 1 and "};

/* Of blocks that go from one rank to others, or between all. */
static const char *const copies[] = {
    "v mod {E} == 0",
    "r mod {E} == 0",
    "v < {E}",
    "v < {i}",
    "v <= {i}",
    "r < {i}",
    "r <= {i}",
    "r == root or (r - root) mod p < {i}",
    "r == root or (r - root) mod p <= {i}",
    "v mod {E} == 0 and v_blk div {E} == v div {E}",
    "r == root and ((blk - root) mod p >= {i} or blk == root) or blk == r and (r - root) mod p < "
    "{i}",
    "(r - root) mod p == max(0, min((blk - root) mod p, {i} - p + (blk - root) mod p))",
    "blk - r < {i} and r - blk < {i}",
    "(r - blk) mod p < {i} or (blk - r) mod p < {i}",
    "blk == r or r mod {E} == 0 and blk div {E} == r div {E}",
    "blk == r or blk <= r and r <= {i} or {i} == p and r == 0",
    "blk == r or r <= {i} or blk <= r",
    "v == 0 or blk + v <= {i}",
    "r == 0 or blk + r <= {i}",
    "right <= {i} and right <= p div 2 or left <= {i} - late and left <= (p - 1) div 2",
    "(blk - r + r mod 2 + 2 * when(r mod 2 == 0, ({i} - 1) div 2, ({i} - 2) div 2)) mod p < 2 * "
    "{i} - 2",
    "(blk - r) mod p < (p - 1) div 2^({i} - 1) + 1",
};

static const char *const exchanges[] = {
    "(r - src) mod p == min((dst - src) mod p, {i} - 1)",
    "(src - r) mod p == min((src - dst) mod p, {i} - 1)",
    "(r - src) mod p == (dst - src) mod p mod {E}",
    "r == src and ((dst - src) mod p == 0 or (dst - src) mod p >= {i}) or r == dst and (dst - src) "
    "mod p < {i}",
    "r == src and ((src - dst) mod p == 0 or (src - dst) mod p >= {i}) or r == dst and (src - dst) "
    "mod p < {i}",
    "r == src and (src == dst or src + dst >= {i}) or r == dst and src + dst < {i}",
    "r == src and (src == dst or (dst - src) mod p > {i} * d) or r == dst and (dst - src) mod p <= "
    "{i} * d",
    "when(2 * ((dst - src) mod p) < p or 2 * ((dst - src) mod p) == p and chk == 0, (r - src) mod "
    "p == min((dst - src) mod p, {i} - 1), (src - r) mod p == min((src - dst) mod p, {i} - 1))",
    "src <= dst and r == min(dst, src + {i} - 1) or src > dst and r == max(dst, src - {i} + 1)",
};

static const char *const combined[] = {
    "con <= r and con > r - {E}",
    "con <= r and (con == r or r <= {i})",
    "con == r or con < r and blk + r <= {i}",
    "blk == r and (blk - con) mod p < {i} or con == r and ((blk - r) mod p >= {i} or blk == r)",
    "blk == r and (con - blk) mod p < {i} or con == r and ((r - blk) mod p >= {i} or blk == r)",
    "r < q and r div {E} == blk div {E} and con mod q mod {E} == r mod {E}",
    "r < q and r div {E} == blk div {E}",
    "r mod {E} == 0 and con div {E} == r div {E}",
    "r mod {E} == 0",
    "blk mod {E} == r mod {E} and con div {E} == r div {E}",
    "(con - r + ({E} - 1) div 2) mod p < {E}",
    "(r - blk - 1) mod p + 1 == {i} and (con - blk - 1) mod p + 1 <= {i} or (r - blk - 1) mod p + "
    "1 > {i} and con == r",
    "chk == 0 and ((r - blk - 1) mod p + 1 == {i} and (con - blk - 1) mod p + 1 <= {i} or (r - blk "
    "- 1) mod p + 1 > {i} and con == r) or chk == 1 and ((blk - r - 1) mod p + 1 == {i} and (blk - "
    "con - 1) mod p + 1 <= {i} or (blk - r - 1) mod p + 1 > {i} and con == r)",
    "con < r and r <= {i}; con == r or con < r and r < {i}",
    "con < r and con >= r - {E}; con == r",
    "con < r and con >= r - 3 * {E}; con == r or con == r - 1 and 1 <= r and r + 2 < p",
    "con < r and con > r - {i}; con == (r - {i} + 1) mod p",
    "con <= r and con > r - {i}; con == (r - {i} + 1) mod p",
    "con == r; con == idx and (r - idx) mod p < {i}",
    "con == r; con == idx and idx div {E} == r div {E}",
};

typedef struct {
    Arena *arena;
    const char *index, *power, *subject, *a, *y;
} Filling;

/* The template with the words of this place. */
static const char *fill(const Filling *filling, const char *text)
{
    Buffer out = {.arena = filling->arena};
    for (; *text; text++) {
        const char *with = NULL;
        if (text[0] == '{' && text[2] == '}')
            with = text[1] == 'i'   ? filling->index
                   : text[1] == 'E' ? filling->power
                   : text[1] == 'X' ? filling->subject
                   : text[1] == 'a' ? filling->a
                                    : filling->y;
        if (with) {
            with = strchr(with, '{') ? fill(filling, with) : with;
            text += 2;
        }
        buffer_add(&out, with ? with : text, with ? strlen(with) : 1);
    }
    return out.items;
}

static void add(const Filling *filling, const char *text, Conditions *candidates)
{
    text = fill(filling, text);
    if (text_among(text_plain(text), candidates->items, candidates->count) == candidates->count)
        *ARRAY_PUSH(filling->arena, candidates) = text;
}

#define ADD_ALL(list)                                                                              \
    for (size_t i = 0; i < COUNT_OF(list); i++)                                                    \
    add(&filling, list[i], candidates)

/* Has the program all names that stand in the template? Names of templates are those of lets. */
static bool has_name(const Algorithm *algorithm, const char *name)
{
    return scope_find(&algorithm->names, text_plain(name)) >= 0;
}

void invariants_list(Arena *arena, const Algorithm *algorithm, const char *index, int64_t ports,
                     Conditions *candidates)
{
    const Collective *collective = algorithm->collective;
    const bool is_radix = algorithm->branching == BRANCHING_RADIX;
    const char *bases[] = {is_radix ? "radix" : ports > 1 ? "3" : "2", "2"};
    for (size_t b = 0; b < (is_radix || ports > 1 ? 2 : 1); b++) {
        Filling filling = {.arena = arena, .index = index};
        filling.power = arena_printf(arena, "%s^%s", bases[b], index);
        filling.subject = collective->combines ? "con" : "blk";
        if (collective->index_count == 2) {
            ADD_ALL(exchanges);
            continue;
        }
        if (collective->combines) {
            ADD_ALL(combined);
        } else {
            ADD_ALL(copies);
        }
        for (size_t l = 0; l < COUNT_OF(labels); l++) {
            static const char *const needed[] = {"p", "v", "q", "pairs"};
            filling.a = labels[l][0], filling.y = labels[l][1];
            for (size_t g = 0; g < COUNT_OF(guards); g++) {
                static const char *const names[] = {"p", "q", "takes"};
                if (!has_name(algorithm, needed[l]) || !has_name(algorithm, names[g]))
                    continue;
                for (size_t i = 0; i < COUNT_OF(relations); i++) {
                    const char *text = arena_printf(arena, "%s%s", guards[g], relations[i]);
                    add(&filling, text, candidates);
                    if (!collective->combines && (l || g))
                        add(&filling, arena_printf(arena, "blk == r or %s", text), candidates);
                }
            }
        }
    }
}

#include "forms/family.h"

#include "base/whole.h"

#include <stdlib.h>
#include <string.h>

/* A positive fraction. */
typedef struct {
    int64_t top, bottom;
} Share;

/* The largest fraction that goes into all factors a whole number of times. */
static Share share_of(const Exact *factors, int count)
{
    Share share = {0, 1};
    for (int i = 0; i < count; i++) {
        int64_t top = factors[i].numerator, bottom = factors[i].denominator;
        share.top = whole_common_divisor(top < 0 ? -top : top, share.top);
        share.bottom *= bottom / whole_common_divisor(bottom, share.bottom);
    }
    return share;
}

static Exact exact_share(Share share)
{
    return exact_divide(exact_from_int(share.top), exact_from_int(share.bottom));
}

/* How many times the form's share its factor i counts. */
static int64_t count_shares(const Form *form, int i)
{
    Share share = share_of(form->factors, form->count);
    return exact_divide(form->factors[i], exact_share(share)).numerator;
}

bool form_is_multiple(const Form *a, const Form *b)
{
    if (a->count != b->count || a->count == 0)
        return false;
    for (int i = 0; i < a->count; i++) {
        int j = 0;
        while (j < b->count && b->terms[j] != a->terms[i])
            j++;
        if (j == b->count || count_shares(a, i) != count_shares(b, j))
            return false;
    }
    return true;
}

/* What stands in a text outside of all parentheses decides where it needs some itself; "div" and
   "mod" come last, since a * (b div c) is another number than a * b div c. */
typedef enum { TEXT_ATOM, TEXT_PRODUCT, TEXT_WHOLE, TEXT_SUM } TextKind;

static TextKind kind_of_text(const char *text)
{
    static const struct {
        const char *sign;
        TextKind kind;
    } signs[] = {{" + ", TEXT_SUM},     {" - ", TEXT_SUM},     {" div ", TEXT_WHOLE},
                 {" mod ", TEXT_WHOLE}, {" * ", TEXT_PRODUCT}, {" / ", TEXT_PRODUCT}};
    TextKind kind = TEXT_ATOM;
    int depth = 0;
    for (const char *at = text; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        for (size_t i = 0; i < COUNT_OF(signs) && depth == 0 && *at == ' '; i++)
            if (strncmp(at, signs[i].sign, strlen(signs[i].sign)) == 0 && signs[i].kind > kind)
                kind = signs[i].kind;
    }
    return kind;
}

static const char *enclose(Arena *arena, const char *text, bool needed)
{
    return needed ? arena_printf(arena, "(%s)", text) : text;
}

/* Texts that are multiplied; "1" is left out. */
typedef struct {
    const char *items[4];
    int count;
} Factors;

static void add_factor(Factors *factors, const char *text)
{
    if (strcmp(text, "1") != 0)
        factors->items[factors->count++] = text;
}

static void add_number(Arena *arena, Factors *factors, int64_t number)
{
    add_factor(factors, arena_printf(arena, "%lld", (long long)number));
}

/* Only in front "p div 2 * ts" needs no parentheses. */
static const char *join_factors(Arena *arena, const Factors *factors)
{
    const char *text = factors->count ? "" : "1";
    for (int i = 0; i < factors->count; i++) {
        TextKind kind = kind_of_text(factors->items[i]);
        bool open = kind == TEXT_SUM ? factors->count > 1 : kind == TEXT_WHOLE && i > 0;
        text = arena_printf(arena, "%s%s%s", text, i ? " * " : "",
                            enclose(arena, factors->items[i], open));
    }
    return text;
}

/* "2 * (p - 1) / (3 * k)" */
static const char *write_fraction(Arena *arena, const Factors *above, const Factors *below)
{
    const char *top = join_factors(arena, above), *bottom = join_factors(arena, below);
    if (below->count == 0)
        return top;
    bool is_open = kind_of_text(top) == TEXT_WHOLE || kind_of_text(top) == TEXT_SUM;
    return arena_printf(arena, "%s / %s", enclose(arena, top, is_open),
                        enclose(arena, bottom, kind_of_text(bottom) != TEXT_ATOM));
}

/* A term of a sum as it is written. */
typedef struct {
    const char *text;
    int64_t times;
    const FormTerm *term; /* later ones of the family come first */
} Summand;

/* Takes "- 3" off the end of "X + Y + Z - 3", and returns 3; else 0. */
static int64_t take_constant(Arena *arena, const char **text)
{
    const char *last = strrchr(*text, ' ');
    if (!last || last < *text + 2 || last[-1] != '-' || last[-2] != ' ' ||
        last[1 + strspn(last + 1, "0123456789")] != '\0')
        return 0;
    *text = arena_copy(arena, *text, (size_t)(last - *text) - 2);
    return strtoll(last + 1, NULL, 10);
}

static int compare_summands(const void *a, const void *b)
{
    const Summand *left = a, *right = b;
    if ((left->times < 0) != (right->times < 0))
        return left->times < 0 ? 1 : -1;
    return left->term > right->term ? -1 : left->term < right->term;
}

/* "2 * p", without its sign. */
static const char *write_summand(Arena *arena, const Summand *summand)
{
    Factors factors = {.count = 0};
    add_number(arena, &factors, summand->times < 0 ? -summand->times : summand->times);
    add_factor(&factors, summand->text);
    const char *text = join_factors(arena, &factors);
    return enclose(arena, text, summand->times < 0 && kind_of_text(text) == TEXT_SUM);
}

/* The constant stands at the end, unless nothing else is positive. */
static const char *write_summands(Arena *arena, Summand *summands, int count, int64_t constant)
{
    const char *text = "";
    qsort(summands, (size_t)count, sizeof *summands, compare_summands);
    bool is_first = count == 0 || summands[0].times < 0;
    if (is_first)
        text = arena_printf(arena, "%lld", (long long)constant);
    for (int i = 0; i < count; i++) {
        const char *sign = !*text ? "" : summands[i].times < 0 ? " - " : " + ";
        text = arena_printf(arena, "%s%s%s", text, sign, write_summand(arena, &summands[i]));
    }
    if (!is_first && constant)
        text = arena_printf(arena, "%s %c %lld", text, constant < 0 ? '-' : '+',
                            constant < 0 ? -(long long)constant : (long long)constant);
    return text;
}

static bool is_one(const FormTerm *term)
{
    return strcmp(term->text, "1") == 0;
}

/* "p * clog2(p) - p + 1": the form without its share and its unit. */
static const char *write_core(Arena *arena, const Form *form)
{
    Summand summands[SPARSE_MOST_COLUMNS];
    int64_t constant = 0;
    int count = 0;
    for (int i = 0; i < form->count; i++) {
        Summand summand = {form->terms[i]->text, count_shares(form, i), form->terms[i]};
        if (form->count == 1)
            return write_summand(arena, &summand);
        if (is_one(summand.term)) {
            constant += summand.times;
            continue;
        }
        if (kind_of_text(summand.text) == TEXT_SUM)
            constant -= summand.times * take_constant(arena, &summand.text);
        summands[count++] = summand;
    }
    return write_summands(arena, summands, count, constant);
}

const char *form_text(Arena *arena, const Form *form)
{
    Factors above = {.count = 0}, below = {.count = 0};
    if (form->count == 0)
        return "0";
    Share share = share_of(form->factors, form->count);
    add_number(arena, &above, share.top);
    add_factor(&above, form->unit->times.text);
    add_factor(&above, write_core(arena, form));
    add_number(arena, &below, share.bottom);
    add_factor(&below, form->unit->over.text);
    return write_fraction(arena, &above, &below);
}

/* One parameter in a group of forms with the same core. */
typedef struct {
    Parameter parameter;
    Share share; /* of the group's */
    const FormUnit *unit;
} Item;

typedef struct {
    Item items[PARAMETER_COUNT];
    int count;
} Group;

static bool is_per_byte(const Item *item)
{
    return parameter_info[item->parameter].dimension.bytes != 0;
}

static bool share_equals(Share a, Share b)
{
    return a.top == b.top && a.bottom == b.bottom;
}

/* What all items have in common is taken off them; 1 where fractions differ. */
static Share take_common(Group *group)
{
    Exact shares[PARAMETER_COUNT];
    bool equal = true, whole = true;
    for (int i = 0; i < group->count; i++) {
        shares[i] = exact_share(group->items[i].share);
        equal &= share_equals(group->items[i].share, group->items[0].share);
        whole &= group->items[i].share.bottom == 1;
    }
    if (!equal && !whole)
        return (Share){1, 1};
    Share common = share_of(shares, group->count);
    for (int i = 0; i < group->count; i++)
        group->items[i].share = (Share){group->items[i].share.top / common.top, 1};
    return common;
}

/* "2 * ts", "p / 2 * m / k * tw"; `names` is "ts", "(2 * tw + tc)", ... */
static const char *write_item(Arena *arena, const Item *item, Share share, const char *names)
{
    Factors above = {.count = 0}, below = {.count = 0}, all = {.count = 0};
    add_number(arena, &above, share.top);
    add_factor(&above, item->unit->times.text);
    add_number(arena, &below, share.bottom);
    if (is_per_byte(item) && !is_one(&item->unit->times)) {
        add_factor(&all, write_fraction(arena, &above, &below));
        above.count = below.count = 0;
    }
    add_factor(&above, is_per_byte(item) ? "m" : names);
    add_factor(&below, item->unit->over.text);
    add_factor(&all, write_fraction(arena, &above, &below));
    if (is_per_byte(item))
        add_factor(&all, names);
    return join_factors(arena, &all);
}

static const char *write_name(Arena *arena, const Item *item, int64_t times)
{
    Factors factors = {.count = 0};
    add_number(arena, &factors, times);
    add_factor(&factors, parameter_info[item->parameter].name);
    return join_factors(arena, &factors);
}

/* "m / p * (2 * tw + tc)", or one of them alone; *next is the number of the item behind. */
static const char *write_bytes(Arena *arena, const Group *group, int i, int *next)
{
    const Item *first = &group->items[i], *second = first + 1;
    *next = i + 1;
    if (!is_per_byte(first) || *next == group->count ||
        !(strcmp(first->unit->times.text, second->unit->times.text) == 0 &&
          strcmp(first->unit->over.text, second->unit->over.text) == 0) ||
        first->share.bottom != second->share.bottom)
        return write_item(arena, first, first->share, write_name(arena, first, 1));
    Exact shares[2] = {exact_share(first->share), exact_share(second->share)};
    Share common = share_of(shares, 2);
    *next = i + 2;
    return write_item(arena, first, common,
                      arena_printf(arena, "(%s + %s)",
                                   write_name(arena, first, first->share.top / common.top),
                                   write_name(arena, second, second->share.top / common.top)));
}

static const char *write_items(Arena *arena, const Group *group);

/* "2 * (th + m * tw)" */
static const char *write_alike(Arena *arena, const Group *group, int first, int count)
{
    Group inner = {.count = count};
    Item whole = group->items[first];
    for (int i = 0; i < count; i++) {
        inner.items[i] = group->items[first + i];
        inner.items[i].share = (Share){1, 1};
    }
    const char *names = write_items(arena, &inner);
    whole.parameter = PARAMETER_TS; /* sizes are in the names */
    return write_item(arena, &whole, whole.share,
                      enclose(arena, names, kind_of_text(names) == TEXT_SUM));
}

/* "ts + 2 * (th + m * tw)" */
static const char *write_items(Arena *arena, const Group *group)
{
    const char *text = "";
    for (int i = 0, next; i < group->count; i = next) {
        /* How many items from i on have the same share, which is not 1, and no unit. */
        const Item *first = &group->items[i];
        int count = 0;
        while (i + count < group->count &&
               share_equals(group->items[i + count].share, first->share) &&
               is_one(&group->items[i + count].unit->times) &&
               is_one(&group->items[i + count].unit->over))
            count++;
        int alike = share_equals(first->share, (Share){1, 1}) ? 0 : count;
        next = i + alike;
        const char *item =
            alike > 1 ? write_alike(arena, group, i, alike) : write_bytes(arena, group, i, &next);
        text = arena_printf(arena, "%s%s%s", text, i ? " + " : "", item);
    }
    return text;
}

/* "(p - 1) / 2 * (ts + th)" */
static const char *write_group(Arena *arena, const Form *form, Group *group)
{
    Factors above = {.count = 0}, below = {.count = 0}, all = {.count = 0};
    Share common = take_common(group);
    add_number(arena, &above, common.top);
    add_factor(&above, write_core(arena, form));
    add_number(arena, &below, common.bottom);
    add_factor(&all, write_fraction(arena, &above, &below));
    add_factor(&all, write_items(arena, group));
    return join_factors(arena, &all);
}

const char *form_sum_text(Arena *arena, const Form forms[PARAMETER_COUNT])
{
    const char *text = "";
    bool written[PARAMETER_COUNT] = {false};
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        Group group = {.count = 0};
        for (int j = i; j < PARAMETER_COUNT; j++) {
            if (written[j] || !form_is_multiple(&forms[i], &forms[j]))
                continue;
            Share share = share_of(forms[j].factors, forms[j].count);
            group.items[group.count++] = (Item){(Parameter)j, share, forms[j].unit};
            written[j] = true;
        }
        if (group.count)
            text = arena_printf(arena, "%s%s%s", text, *text ? " + " : "",
                                write_group(arena, &forms[i], &group));
    }
    return *text ? text : "0 * ts";
}

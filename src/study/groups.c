#include "study/groups.h"

#include "net/group.h"

#include <string.h>

bool members_parse(Text list, int64_t p, int64_t *numbers, int64_t *count, Diag *diag)
{
    Text whole, rest = list;
    *count = 0;
    while (text_next(&rest, ',', &whole)) {
        int64_t from, to;
        Text first = whole, last = whole;
        text_range(whole, &first, &last);
        if (!quantity_parse_integer(first, 0, p - 1, &from, diag) ||
            !quantity_parse_integer(last, 0, p - 1, &to, diag))
            return false;
        if (to < from)
            return diag_error(diag, whole.span, "this range is empty: it ends below its start");
        for (int64_t r = from; r <= to; r++) {
            if (numbers[r] >= 0)
                return diag_error(diag, whole.span, "rank %lld is a member twice", (long long)r);
            numbers[r] = (*count)++;
        }
    }
    return true;
}

typedef struct {
    Arena *arena;
    const GivenGroups *given;
    const Network *whole;
    Diag *diag;
} Reading;

/* "0..3/4..7": two groups; the ranks of one lie behind those of the other. */
static bool list_members(const Reading *reading, Shape *shape, int64_t *members, int64_t *groups)
{
    const int64_t p = reading->whole->p;
    int64_t *numbers = ARENA_ROOM(reading->arena, int64_t, (size_t)p), all = 0, of_group = 0;
    Text list, rest = reading->given->members;
    for (int64_t r = 0; r < p; r++)
        numbers[r] = -1;
    while (text_next(&rest, '/', &list)) {
        int64_t count;
        for (int64_t r = 0; r < p; r++)
            numbers[r] = numbers[r] >= 0 ? p : -1;
        if (!members_parse(list, p, numbers, &count, reading->diag))
            return false;
        if (count < 2)
            return diag_error(reading->diag, list.span, "expected at least two members");
        if (all > 0 && count != of_group)
            return diag_error(reading->diag, list.span,
                              "this group has %lld members, and the first %lld", (long long)count,
                              (long long)of_group);
        for (int64_t r = 0; r < p; r++)
            if (numbers[r] >= 0 && numbers[r] < p)
                members[all + numbers[r]] = r;
        all += count;
        of_group = count;
    }
    *shape = shape_line(of_group);
    *groups = all / of_group;
    return true;
}

/* "node", "x,y": groups are ranks that differ in these coordinates alone. */
static bool list_lines(const Reading *reading, Shape *shape, int64_t *members, int64_t *groups)
{
    const Network *whole = reading->whole;
    const Shape *grid = &whole->shape;
    bool along[MOST_DIMENSIONS] = {false};
    Text name, rest = reading->given->along;
    while (text_next(&rest, ',', &name)) {
        name = text_trim(name);
        const int dimension = shape_find(grid, name);
        if (dimension < 0) {
            const char *names = "";
            for (int j = 0; j < whole->shape.count; j++)
                names = arena_printf(reading->arena, "%s%s%s", names, j ? ", " : "",
                                     whole->shape.names[j]);
            diag_error(reading->diag, name.span, "%s has no dimension '%.*s'", whole->name,
                       TEXT_ARGS(name));
            return diag_note(reading->diag, NOWHERE, "its dimensions are: %s", names);
        }
        along[dimension] = true;
    }
    *shape = (Shape){.p = 1};
    for (int i = 0; i < grid->count; i++)
        if (along[i])
            shape_add(shape, grid->names[i], grid->sizes[i]);
    *groups = whole->p / shape->p;
    for (int64_t r = 0; r < whole->p; r++) {
        int64_t place = 0, group = 0, step = 1, group_step = 1;
        for (int i = 0; i < grid->count; i++) {
            const int64_t at = shape_coordinate(grid, r, i);
            *(along[i] ? &place : &group) += at * (along[i] ? step : group_step);
            *(along[i] ? &step : &group_step) *= grid->sizes[i];
        }
        members[group * shape->p + place] = r;
    }
    return true;
}

bool groups_apply(Arena *arena, const GivenGroups *given, Network *network, Diag *diag)
{
    Shape shape;
    int64_t groups;
    if (!groups_are_given(given))
        return true;
    if (given->along.length && given->members.length)
        return diag_error(diag, given->members.span,
                          "groups lie along dimensions, or are lists of members: give one of both");
    if (network->p > graph_largest)
        return diag_limit(diag, NOWHERE, "%s is too large for groups", network->name);
    const Network *whole = ARENA_COPY(arena, Network, network, 1);
    const Reading reading = {arena, given, whole, diag};
    int64_t *members = ARENA_ROOM(arena, int64_t, (size_t)whole->p);
    const bool lies_along = given->along.length > 0;
    if (!(lies_along ? list_lines : list_members)(&reading, &shape, members, &groups))
        return false;
    const Text text = lies_along ? given->along : given->members;
    const char *name = arena_printf(arena, "%s %s %.*s", whole->name,
                                    lies_along ? "along" : "members", TEXT_ARGS(text));
    network_group(arena, whole, &shape, members, groups, name, network);
    return true;
}

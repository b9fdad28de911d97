#include "cost/contacts.h"

#include "cost/derive_posting.h"

#include <math.h>
#include <string.h>

struct Contacts {
    const LoadContext *context;
    int64_t places;   /* of a rank */
    int32_t *ranks;   /* `places` of each, the last one that it sent to first */
    int64_t *taken;   /* of each rank */
    double *payments; /* of each, in the port step at hand: seconds, or how many are counted */
};

Contacts *contacts_open(Arena *arena, const LoadContext *context, int64_t ranks)
{
    if (!rules_have_contacts(context->rules))
        return NULL;
    Contacts *contacts = ARENA_NEW(arena, Contacts);
    *contacts = (Contacts){.context = context, .places = context->rules->contacts};
    contacts->ranks = ARENA_ROOM(arena, int32_t, (size_t)(ranks * contacts->places));
    contacts->taken = ARENA_ARRAY(arena, int64_t, (size_t)ranks);
    contacts->payments = ARENA_ARRAY(arena, double, (size_t)ranks);
    return contacts;
}

/* The rank sends to this one. Does it lose a contact for it? */
static bool loses_contact(const Contacts *contacts, int64_t rank, int32_t to)
{
    int32_t *last = contacts->ranks + rank * contacts->places;
    int64_t at = 0, *taken = &contacts->taken[rank];
    while (at < *taken && last[at] != to)
        at++;
    const bool is_new = at == *taken, is_full = *taken == contacts->places;
    if (is_new && is_full)
        at--;
    else if (is_new)
        ++*taken;
    memmove(last + 1, last, (size_t)at * sizeof *last);
    last[0] = to;
    return is_new && is_full;
}

/* What messages cost beside their bytes: by the highest level that each crosses. NULL after a
   report. */
static const LinkCost **find_levels(const LoadContext *context, Arena *arena, const PortStep *step,
                                    Diag *diag)
{
    const LinkCost **highest = ARENA_ROOM(arena, const LinkCost *, step->count);
    int64_t *from = ARENA_ROOM(arena, int64_t, step->count);
    int64_t *to = ARENA_ROOM(arena, int64_t, step->count);
    Routes routes = {0};
    for (size_t i = 0; i < step->count; i++) {
        from[i] = step->transfers[i]->from, to[i] = step->transfers[i]->to;
        highest[i] = &context->link_costs[0];
    }
    if (context->network->class_count > 1 &&
        !network_route(context->network, arena, step->count, from, to, &routes, diag))
        return NULL;
    for (size_t i = 0; i < routes.link_count; i++) {
        const LinkCost **of = &highest[routes.message[i]],
                       *link_cost = &context->link_costs[routes.classes ? routes.classes[i] : 0];
        if (routes.slot[i] == 0 || link_cost->level > (*of)->level)
            *of = link_cost;
    }
    return highest;
}

bool contacts_add(Contacts *contacts, Arena *arena, PortStep *step, Diag *diag)
{
    double longest = 0;
    const Rules *rules = contacts->context->rules;
    const bool counts = rules_count_delays(rules, DELAY_CONTACT, DELAY_EXCHANGE);
    const LinkCost **levels = find_levels(contacts->context, arena, step, diag);
    for (size_t i = 0; i < step->count && levels; i++)
        contacts->payments[step->transfers[i]->from] = 0;
    for (size_t i = 0; i < step->count && levels; i++) {
        const int32_t from = step->transfers[i]->from, to = step->transfers[i]->to;
        const Delay *first = &levels[i]->delays[DELAY_CONTACT];
        const Delay *next = &levels[i]->delays[DELAY_CONTACT_POSTED];
        double *payment = &contacts->payments[from];
        if ((!counts && first->seconds <= 0) || !loses_contact(contacts, from, to))
            continue;
        *payment +=
            counts ? 1 : (step->together && *payment > 0 && next->is_given ? next : first)->seconds;
        longest = fmax(longest, *payment);
    }
    if (longest > 0) /* others have these paths too */
        step->entry_paths = ARENA_COPY(arena, PathCost, step->entry_paths, step->path_count);
    PathCost paid = {.startup = counts ? 0 : longest};
    if (counts && longest > 0) {
        paid.posts[COUNTED_CONTACT] = step->together ? 1 : (int32_t)longest;
        paid.posts[COUNTED_POSTED] = (int32_t)longest - paid.posts[COUNTED_CONTACT];
        paid.spacing = rules->spacing;
    }
    const size_t entries = step->overlaps ? step->entry_count + 1 : 1;
    for (size_t e = 0; e < entries && longest > 0; e++)
        for (size_t i = 0; i < step->entries[e].count; i++)
            path_add_latency(&step->entry_paths[step->entries[e].first + i], &paid);
    return levels != NULL;
}

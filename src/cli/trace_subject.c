#include "cli/pictures.h"

#include "cli/setting.h"

#include <math.h>

Heading trace_heading(const Query *query, const TraceSubject *subject, const char *left_out)
{
    const char *rules = rules_describe_for(query->study.arena, &query->study.rules,
                                           subject->network, &subject->instance->algorithm, 1);
    return (Heading){
        subject->title,
        {setting_machine(query), arena_printf(query->study.arena, "rules: %s", rules), left_out}};
}

bool trace_check_length(const Query *query, double seconds)
{
    if (seconds > 0 && isfinite(seconds))
        return true;
    return diag_error(query->study.diag, NOWHERE,
                      seconds > 0 ? "this takes too long for a picture to scale"
                                  : "all times are 0: there is nothing to draw to scale");
}

const char *trace_add_choices(Arena *arena, const char *text, const Instance *instance)
{
    if (instance->algorithm->free_chunks)
        text = arena_printf(arena, "%s, k = %lld", text, (long long)instance->k);
    return instance->algorithm->branching
               ? arena_printf(arena, "%s, %s = %lld", text,
                              branching_names[instance->algorithm->branching],
                              (long long)instance->branches)
               : text;
}

const char *trace_subject_text(const Query *query, const Instance *instance, const Network *network)
{
    Arena *arena = query->study.arena;
    const char *text = arena_printf(arena, "%s on %s",
                                    algorithm_full_name(arena, instance->algorithm), network->name);
    text = trace_add_choices(arena, text, instance);
    return query->orders.count
               ? arena_printf(arena, "%s, n = %lld", text, (long long)instance->sizes.order)
               : text;
}

bool trace_settle_compute(Query *query, const Instance *instance, const Network *network)
{
    Rules *rules = &query->study.rules;
    double settled[PARAMETER_COUNT];
    Profile profile;
    if (!rules->compute.count || !query->sizes.count)
        return true;
    if (!profile_derive(query->study.arena, instance, network, rules, &profile, query->study.diag))
        return false;
    profile_parameters(&profile, rules->parameters, query->sizes.items[0], settled);
    rules->parameters[PARAMETER_TC] = settled[PARAMETER_TC];
    rules->compute.count = 0;
    return true;
}

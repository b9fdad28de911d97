#include "cli/trace_subject.h"

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
    diag_error(query->study.diag, NOWHERE,
               seconds > 0 ? "this takes too long for a picture to scale"
                           : "all times are 0: there is nothing to draw to scale");
    return false;
}

#include "claims/conditions.h"

#include "lang/show.h"

static const Condition tried_conditions[] = {
#define EXPRESSION(text) {text, true, -1, -1},
#define SWITCHING(mode) {NULL, false, SWITCHING_##mode, -1},
#define NEGLECT(parameter) {NULL, false, -1, PARAMETER_##parameter},
#include "claims/conditions.def"
};

const Condition *conditions_list(Arena *arena, size_t *count)
{
    *count = COUNT_OF(tried_conditions);
    Condition *list = ARENA_COPY(arena, Condition, tried_conditions, *count);
    for (size_t i = 0; i < *count; i++)
        if (list[i].switching >= 0)
            list[i].text = switching_names[list[i].switching];
        else if (list[i].neglected >= 0)
            list[i].text = arena_printf(arena, "%s = 0", parameter_info[list[i].neglected].name);
    return list;
}

/* False: it is true of all that the claim says, or of nothing. */
static bool restrict_claim(const Condition *condition, Claim *claim)
{
    int mode = condition->switching, parameter = condition->neglected;
    if (parameter >= 0) {
        bool counted = !claim->neglects[parameter];
        claim->neglects[parameter] = true;
        return counted;
    }
    if (mode < 0)
        return true;
    bool spoke = claim->switching[mode];
    for (int i = 0; i < SWITCHING_COUNT; i++)
        claim->switching[i] = i == mode;
    return spoke;
}

bool conditions_add(Arena *arena, ClaimSubject subject, const Expr *when,
                    const Condition *const *conditions, size_t count, Claim *claim)
{
    /* "(power_of_two(p)) and (d == 1)" */
    const char *text = when ? arena_printf(arena, "(%s)", expr_show(arena, when)) : "";
    for (size_t i = 0; i < count; i++)
        if (conditions[i]->is_expression)
            text = arena_printf(arena, "%s%s(%s)", text, *text ? " and " : "", conditions[i]->text);
    Diag silent = diag_silent();
    for (size_t i = 0; i < count; i++)
        if (!restrict_claim(conditions[i], claim))
            return false;
    if (!*text)
        return true;
    Expr *expr = parse_expression(arena, source_argument(arena, "condition", text), &silent);
    return expr && claim_condition(arena, subject, expr, claim, &silent);
}

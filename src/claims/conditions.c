#include "claims/conditions.h"

#include "lang/check.h"
#include "lang/show.h"

static const char *const expressions[] = {
#define EXPRESSION(text) text,
#define SWITCHING(mode)
#define NEGLECT(parameter)
#include "claims/conditions.def"
#undef EXPRESSION
#undef SWITCHING
#undef NEGLECT
};

static const Switching modes[] = {
#define EXPRESSION(text)
#define SWITCHING(mode) SWITCHING_##mode,
#define NEGLECT(parameter)
#include "claims/conditions.def"
#undef EXPRESSION
#undef SWITCHING
#undef NEGLECT
};

static const Parameter neglected[] = {
#define EXPRESSION(text)
#define SWITCHING(mode)
#define NEGLECT(parameter) PARAMETER_##parameter,
#include "claims/conditions.def"
#undef EXPRESSION
#undef SWITCHING
#undef NEGLECT
};

enum {
    EXPRESSION_COUNT = COUNT_OF(expressions),
    MODE_COUNT = COUNT_OF(modes),
    NEGLECTED_COUNT = COUNT_OF(neglected)
};

const Condition *conditions_list(Arena *arena, size_t *count)
{
    Condition *list =
        ARENA_ARRAY(arena, Condition, EXPRESSION_COUNT + MODE_COUNT + NEGLECTED_COUNT);
    *count = 0;
    for (int i = 0; i < EXPRESSION_COUNT; i++)
        list[(*count)++] = (Condition){expressions[i], true, -1, -1};
    for (int i = 0; i < MODE_COUNT; i++)
        list[(*count)++] = (Condition){switching_names[modes[i]], false, (int)modes[i], -1};
    for (int i = 0; i < NEGLECTED_COUNT; i++) {
        const char *text = arena_printf(arena, "%s = 0", parameter_info[neglected[i]].name);
        list[(*count)++] = (Condition){text, false, -1, (int)neglected[i]};
    }
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

#include "model/claim_text.h"

const char *claim_words(Arena *arena, const Claim *claim)
{
    const char *text = claim_info[claim->kind].words;
    for (int i = 0; i < BOUND_KIND_COUNT && claim->kind == CLAIM_BOUND; i++)
        if (claim->bounds[i])
            text = arena_printf(arena, "%s%s%s bound", text, *text ? ", " : "", bound_names[i]);
    return text;
}

const char *claim_formula(Arena *arena, const Claim *claim)
{
    if (claim->formula.program)
        return arena_copy(arena, claim->formula.text.chars, claim->formula.text.length);
    const char *text = arena_printf(arena, "%s the bounds", claim_info[claim->kind].key);
    for (int i = 0; i < BOUND_KIND_COUNT; i++)
        if (claim->bounds[i])
            text = arena_printf(arena, "%s %s", text, bound_names[i]);
    return text;
}

static const char *add_formula(Arena *arena, const char *text, const char *word,
                               const Formula *formula)
{
    return formula->program
               ? arena_printf(arena, "%s, %s %.*s", text, word, TEXT_ARGS(formula->text))
               : text;
}

const char *claim_where(Arena *arena, const Claim *claim)
{
    const char *text = "on";
    bool ct = claim->switching[SWITCHING_CUT_THROUGH];
    for (size_t i = 0; i < claim->on_count; i++)
        text = arena_printf(arena, "%s %s", text, claim->on[i]);
    if (!ct || !claim->switching[SWITCHING_STORE_AND_FORWARD])
        text =
            arena_printf(arena, "%s, %s", text,
                         switching_names[ct ? SWITCHING_CUT_THROUGH : SWITCHING_STORE_AND_FORWARD]);
    if (claim->overlaps)
        text = arena_printf(arena, "%s, combining overlaps receiving", text);
    text = add_formula(arena, text, "rounds", &claim->first);
    text = add_formula(arena, text, "when", &claim->when);
    if (claim->neglects_multiply)
        text = arena_printf(arena, "%s, neglecting tm", text);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (claim->neglects[i])
            text = arena_printf(arena, "%s, neglecting %s", text, parameter_info[i].name);
    return text;
}

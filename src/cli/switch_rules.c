#include "cli/switch_vary.h"

#include "cli/setting.h"
#include <math.h>
#include <string.h>

/* One convention that is not in force. */
typedef struct {
    const char *rule, *choice;
    Rules rules;
} Variant;
ARRAY_TYPE(VariantArray, Variant);

static Rules *add_variant(Arena *arena, VariantArray *variants, const char *rule,
                          const char *choice, const Rules *rules)
{
    Variant *variant = ARRAY_PUSH(arena, variants);
    *variant = (Variant){rule, choice, *rules};
    return &variant->rules;
}

static void add_messages(Arena *arena, VariantArray *variants, const Rules *rules)
{
    for (int i = 0; i < SWITCHING_COUNT; i++)
        if (i != (int)rules->switching)
            add_variant(arena, variants, "switching", switching_names[i], rules)->switching =
                (Switching)i;
    for (int i = 0; i < CONTENTION_COUNT; i++)
        if (i != (int)rules->contention)
            add_variant(arena, variants, "contention", contention_names[i], rules)->contention =
                (Contention)i;
    for (int i = 0; i < DUPLEX_COUNT; i++)
        if (i != (int)rules->duplex)
            add_variant(arena, variants, "duplex", duplex_names[i], rules)->duplex = (Duplex)i;
    for (int i = 0; i < TIES_COUNT; i++)
        if (i != (int)rules->ties)
            add_variant(arena, variants, "ties", ties_names[i], rules)->ties = (Ties)i;
    if (!rules->all_ports)
        add_variant(arena, variants, "ports", "all", rules)->all_ports = true;
}

/* Overlapped combining is without barriers. */
static void add_work(Arena *arena, VariantArray *variants, const Rules *rules)
{
    bool overlaps = rules->combining == COMBINING_OVERLAP;
    for (int i = 0; i < COMBINING_COUNT; i++) {
        if (i == (int)rules->combining)
            continue;
        Rules *varied = add_variant(arena, variants, "combining", combining_names[i], rules);
        varied->combining = (Combining)i;
        varied->asynchronous |= i == COMBINING_OVERLAP;
    }
    if (!overlaps)
        add_variant(arena, variants, "rounds", rules->asynchronous ? "barriers" : "asynchronous",
                    rules)
            ->asynchronous = !rules->asynchronous;
    add_variant(arena, variants, "k", rules->real_chunks ? "integer" : "real", rules)->real_chunks =
        !rules->real_chunks;
}

static const char *name_of(const SwitchCase *here, size_t piece)
{
    return switchcase_algorithm(here, &here->points.shown.items[piece])->head.name;
}

/* "fastest": other algorithms, or in another order; "sizes": the switch points move; "nothing". */
static const char *compare(const SwitchCase *here, const SwitchCase *other)
{
    const PieceArray *pieces = &here->points.shown, *others = &other->points.shown;
    bool moves = false;
    if (pieces->count != others->count)
        return "fastest";
    for (size_t i = 0; i < pieces->count; i++) {
        if (strcmp(name_of(here, i), name_of(other, i)) != 0)
            return "fastest";
        double a = pieces->items[i].from, b = others->items[i].from;
        moves |= fabs(a - b) > 1e-9 * a;
    }
    return moves ? "sizes" : "nothing";
}

/* "binomial up to 153.6 kB, then halving" */
static const char *describe(const SwitchCase *here)
{
    Arena *arena = here->query.study.arena;
    const PieceArray *pieces = &here->points.shown;
    const char *text = "";
    for (size_t i = 0; i < pieces->count; i++) {
        text = arena_printf(arena, "%s%s", text, name_of(here, i));
        if (i + 1 < pieces->count)
            text =
                arena_printf(arena, "%s up to %s, then ", text,
                             quantity_show_bytes(arena, pieces->items[i].to * here->query.m_count));
    }
    return text;
}

static void write_piece(const Variant *variant, const SwitchCase *other, const char *changes,
                        const Collective *collective, size_t i, Table *table)
{
    const Piece *piece = &other->points.shown.items[i];
    const Curve *curve = other->opened->candidates.curves[piece->curve];
    bool no_end = i + 1 == other->points.shown.count && other->is_open;
    put_text(table, KEY_collective, collective->head.name);
    put_text(table, KEY_topology, other->opened->network.name);
    put_number(table, KEY_p, (double)other->opened->network.p);
    put_text(table, KEY_rule, variant->rule);
    put_text(table, KEY_choice, variant->choice);
    put_text(table, KEY_changes, changes);
    put_number(table, KEY_from_bytes, piece->from * other->query.m_count);
    if (!(no_end))
        put_number(table, KEY_to_bytes, piece->to * other->query.m_count);
    put_text(table, KEY_algorithm, curve_algorithm(curve)->head.name);
    if (curve_algorithm(curve)->free_chunks)
        put_number(table, KEY_k, piece->start.k);
    put_number(table, KEY_total_at_from_s, piece->start.total);
    put_text(table, KEY_fastest, strcmp(changes, "nothing") == 0 ? "the same" : describe(other));
    table_row(table);
}

/* A convention under which the costs cannot be followed is a row without an algorithm. */
static void write_variant(const Variant *variant, const Query *asked, const Collective *collective,
                          size_t index, SwitchCase *here, Table *table)
{
    Diag silent = diag_silent();
    Query *varied = ARENA_COPY(asked->study.arena, Query, asked, 1);
    SwitchCase *other = ARENA_NEW(asked->study.arena, SwitchCase);
    varied->study.rules = variant->rules;
    varied->study.diag = &silent;
    setting_put(table, varied, collective->problem, setting_rules(varied, &here->opened->network));
    if (!switchcase_open(varied, collective, index, other)) {
        put_text(table, KEY_collective, collective->head.name);
        put_text(table, KEY_topology, here->opened->network.name);
        put_number(table, KEY_p, (double)here->opened->network.p);
        put_text(table, KEY_rule, variant->rule);
        put_text(table, KEY_choice, variant->choice);
        put_text(table, KEY_fastest, "too large to expand");
        table_row(table);
        return;
    }
    if (here->is_right && !other->is_right) { /* once more, to be heard */
        other->opened->study.diag = asked->study.diag;
        here->is_right = switch_points_check(other->opened, &other->points);
    }
    const char *changes = compare(here, other);
    bool is_text = asked->format == FORMAT_TEXT;
    for (size_t i = 0; i < (is_text ? 1 : other->points.shown.count); i++)
        write_piece(variant, other, changes, collective, i, table);
}

Table *switch_rules_open(const Query *query)
{
    return table_open(query->study.arena, query->line->out, query->format, TABLE_switch_rules);
}

bool switch_rules_check(const Query *query)
{
    if (!option_given(query->line, OPTION_RULES) ||
        text_equals(option_value(query->line, OPTION_RULES), "all"))
        return true;
    diag_error(query->study.diag, option_value(query->line, OPTION_RULES).span,
               "invalid value; the only valid value is 'all'");
    return false;
}

bool switch_rules_write(Table *table, const Query *asked, const Collective *collective,
                        size_t index, SwitchCase *here)
{
    VariantArray variants = {0};
    add_messages(asked->study.arena, &variants, &asked->study.rules);
    add_work(asked->study.arena, &variants, &asked->study.rules);
    for (size_t i = 0; i < variants.count; i++)
        write_variant(&variants.items[i], asked, collective, index, here, table);
    return true;
}

#include "cli/switch_parts.h"

#include "cli/setting.h"

static const char *const change_names[] = {[COLLCOST_CHANGES_NOTHING] = "nothing",
                                           [COLLCOST_CHANGES_SIZES] = "sizes",
                                           [COLLCOST_CHANGES_FASTEST] = "fastest"};

/* "binomial up to 153.6 kB, then halving" */
static const char *describe(const SwitchCase *switches, const collcost_convention *with)
{
    Arena *arena = switches->query.study.arena;
    const char *text = "";
    for (size_t i = 0; i < with->piece_count; i++) {
        const collcost_piece *piece = &with->pieces[i];
        text = arena_printf(arena, "%s%s", text, piece->algorithm);
        if (i + 1 < with->piece_count)
            text =
                arena_printf(arena, "%s up to %s, then ", text,
                             quantity_show_bytes(arena, piece->to_bytes * switches->query.m_count));
    }
    return text;
}

static void put_convention(const SwitchCase *switches, const collcost_convention *with,
                           Table *table)
{
    switchcase_put(switches, table);
    PUT(table, with, rule, choice);
}

static void write_piece(const SwitchCase *switches, const collcost_convention *with, size_t i,
                        Table *table)
{
    const collcost_piece *piece = &with->pieces[i];
    bool has_end = i + 1 < with->piece_count || !switches->is_open;
    put_convention(switches, with, table);
    put_text(table, KEY_changes, change_names[with->change]);
    put_number(table, KEY_from_bytes, piece->from_bytes * switches->query.m_count);
    if (has_end)
        put_number(table, KEY_to_bytes, piece->to_bytes * switches->query.m_count);
    put_text(table, KEY_algorithm, piece->algorithm);
    if (piece->has_chunks)
        put_number(table, KEY_k, piece->from_k);
    put_number(table, KEY_total_at_from_s, piece->total_at_from_s);
    put_text(table, KEY_fastest,
             with->change == COLLCOST_CHANGES_NOTHING ? "the same" : describe(switches, with));
    table_row(table);
}

/* A convention under which the costs cannot be followed is a row without an algorithm. In text one
   row says it all. */
static void write_convention(const SwitchCase *switches, const collcost_convention *with,
                             Table *table)
{
    setting_put(table, &switches->query, false, with->rules);
    if (!with->is_followed) {
        put_convention(switches, with, table);
        put_text(table, KEY_fastest, with->reason);
        table_row(table);
        return;
    }
    size_t count = switches->query.format == FORMAT_TEXT ? 1 : with->piece_count;
    for (size_t i = 0; i < count; i++)
        write_piece(switches, with, i, table);
}

Table *switch_rules_open(const Query *query)
{
    return line_table(query->line, query->format, TABLE_switch_rules);
}

bool switch_rules_check(const Query *query)
{
    if (!option_given(query->line, OPTION_RULES) ||
        text_equals(option_value(query->line, OPTION_RULES), "all"))
        return true;
    return diag_error(query->study.diag, option_value(query->line, OPTION_RULES).span,
                      "invalid value; the only valid value is 'all'");
}

bool switch_rules_write(Table *table, SwitchCase *switches)
{
    const collcost_convention *conventions;
    size_t count;
    collcost_status status = collcost_case_conventions(
        switches->opened, switches->from, switches->to, switches->tolerance, &conventions, &count);
    if (!query_answered(&switches->query, status))
        return false;
    switches->is_wrong |= status == COLLCOST_CHECK_FAILED;
    for (size_t i = 0; i < count; i++)
        write_convention(switches, &conventions[i], table);
    return true;
}

#include "cli/errata.h"
#include "model/claim.h"

#include <string.h>

static const char introduction[] =
    "# What the sources print, checked by machine\n"
    "\n"
    "`collcost errata` writes this page, and a test keeps it current. The formulas, counts,\n"
    "bounds and procedures of the sources that were written down as claims follow in the order of\n"
    "the text, each with its verdict.\n"
    "\n"
    "A formula is a claim, and the schedule of the algorithm is the truth: it is run on real "
    "data,\n"
    "its cost is derived from its messages, and both are compared as fractions, for all sizes of\n"
    "the networks of which the text speaks up to 64 ranks (hypercubes up to 256), for some roots,\n"
    "numbers of chunks and ports, with store-and-forward and with cut-through, as far as the text\n"
    "leaves it open. Parameters that do not occur in a formula are zero in it: of one without ts, "
    "tw\n"
    "or tc it is said that it neglects them. One that fails may hold for one way of switching, "
    "which\n"
    "is said too. What a source calls approximate, and is not exact, holds as an approximation if "
    "its\n"
    "error vanishes for large m or many ranks. The first case that differs is the counterexample; "
    "one\n"
    "rank alone is one only where nothing else fails. Where a formula fails, the condition under "
    "which\n"
    "it holds follows, or what is right.\n"
    "\n"
    "m is the block of a rank (of a pair, in a total exchange; the whole vector in broadcast and\n"
    "reduce), M the largest buffer of a rank, d the number of ports, X and Y the sides of a grid;\n"
    "ts, th, tw, tc are the startup, the time per hop, per byte and per combined byte. Formulas "
    "are\n"
    "printed as the sources have them, and read as `collcost show MODEL` shows them.\n";

static void count_items(const ItemArray *items, const Origin *origin, int counts[ITEM_COUNT])
{
    memset(counts, 0, ITEM_COUNT * sizeof *counts);
    for (size_t i = 0; i < items->count; i++)
        if (!origin || items->items[i].origin == origin)
            counts[items->items[i].verdict]++;
}

/* Verdicts that no item has have no column. */
static void write_count_row(FILE *out, const char *name, const int counts[ITEM_COUNT],
                            const int all[ITEM_COUNT])
{
    int total = 0;
    for (int v = 0; v < ITEM_COUNT; v++)
        total += counts[v];
    fprintf(out, "| %s | %d |", name, total);
    for (int v = 0; v < ITEM_COUNT; v++)
        if (all[v])
            fprintf(out, " %d |", counts[v]);
    fputc('\n', out);
}

static void write_summary(FILE *out, const ItemArray *items)
{
    int counts[ITEM_COUNT], all[ITEM_COUNT], judged = 0, origins = 0;
    count_items(items, NULL, all);
    fputs("\n| source | printed |", out);
    for (int v = 0; v < ITEM_COUNT; v++)
        if (all[v])
            fprintf(out, " %s |", item_words[v]);
    fputs("\n|---|---|", out);
    for (int v = 0; v < ITEM_COUNT; v++)
        fputs(all[v] ? "---|" : "", out);
    fputc('\n', out);
    for (size_t i = 0; i < items->count; i++) {
        const Origin *origin = items->items[i].origin;
        if (i && origin == items->items[i - 1].origin)
            continue;
        count_items(items, origin, counts);
        write_count_row(out, origin->head.name, counts, all);
        origins++;
    }
    if (origins > 1)
        write_count_row(out, "all", all, all);
    for (int v = 0; v < OUTCOME_COUNT; v++)
        judged += all[v];
    /* How many do not stand as printed though the text does not call them approximate. */
    int count = 0;
    for (size_t i = 0; i < items->count; i++)
        count += (int)items->items[i].verdict < OUTCOME_COUNT && !errata_stands(&items->items[i]) &&
                 !items->items[i].printed->is_approximate;
    fprintf(
        out,
        "\nFormulas judged as printed: %d. Of these, not called approximate by the text, but\n"
        "wrong, or in need of a condition or of more terms: %d. Lost in the available text, and\n"
        "recovered: %d.\n",
        judged, count, all[ITEM_RECOVERED]);
}

/* "gather/binomial on full, when d == 1"; a topology by itself is where it is */
static const char *show_subject(Arena *arena, const ItemClaim *claim)
{
    const char *where = claim_where(arena, claim->claim);
    bool is_topology = claim_info[claim->claim->kind].owner == WHOSE_TOPOLOGY;
    return is_topology ? where : arena_printf(arena, "%s %s", claim->model, where);
}

static const char *approximately(const Item *item)
{
    return item->printed->is_approximate ? ", approximately" : "";
}

/* "- WORD: time `2 * ts`, gather/binomial on full" */
static void write_claim(FILE *out, Arena *arena, const Item *item, const ItemClaim *claim)
{
    const char *words = claim_words(arena, claim->claim);
    const char *verdict = verdict_words(arena, &claim->verdict);
    /* The same formula as one that is refuted, under a condition, is no other that is right. */
    bool is_right = errata_refuted(item) != NULL;
    for (size_t i = 0; is_right && i < item->claims.count; i++) {
        const ItemClaim *other = &item->claims.items[i];
        is_right = other->verdict.holds || !errata_is_same(arena, claim, other);
    }
    const char *word = errata_is_carried(claim) ? arena_printf(arena, "carried over, %s", verdict)
                       : !claim->verdict.holds  ? verdict
                       : item->printed->is_lost ? "recovered"
                       : is_right               ? "right"
                                                : verdict;
    fprintf(out, "- %s: %s%s`%s`, %s", word, words, *words ? " " : "",
            claim_formula(arena, claim->claim), show_subject(arena, claim));
    if (claim->verdict.counterexample)
        fprintf(out, ". %s", claim->verdict.counterexample);
    else if (verdict_outcome(&claim->verdict) != OUTCOME_PROVED)
        fprintf(out, " (%lld comparisons)", (long long)claim->verdict.cases);
    else if (strcmp(word, outcome_info[OUTCOME_PROVED].word) != 0)
        fprintf(out, " (%s)", outcome_info[OUTCOME_PROVED].word);
    if (claim->verdict.switching >= 0)
        fprintf(out, ", but for %s", switching_names[!claim->verdict.switching]);
    fprintf(out, "%s%s\n", *claim->claim->note ? ". " : "", claim->claim->note);
}

static void write_item(FILE *out, Arena *arena, const Item *item)
{
    fprintf(out, "\n### %s: %s\n\n", item->printed->place, item_words[item->verdict]);
    if (item->printed->is_lost)
        fprintf(out, "%s: lost in the available text.\n\n", item->printed->about);
    else
        fprintf(out, "%s: `%s`%s\n\n", item->printed->about, item->printed->printed,
                approximately(item));
    for (size_t i = 0; i < item->models.count; i++) {
        const ItemModel *model = &item->models.items[i];
        if (model->kind != KIND_ALGORITHM)
            fprintf(out, "- taken as the contract of %s\n", model->name);
        else if (model->fault)
            fprintf(out, "- %s is wrong on data: %s\n", model->name, model->fault);
        else
            fprintf(out, "- %s%s is right on data%s\n", model->is_carried ? "carried over: " : "",
                    model->name,
                    !model->combines                 ? ""
                    : model->order == ORDER_OF_RANKS ? "; it combines in the order of ranks"
                    : model->order == ORDER_AT_ROOT_0
                        ? "; unless the root is 0, the operation must be commutative"
                        : "; the operation must be commutative");
    }
    for (size_t i = 0; i < item->printed->correction_count; i++)
        fprintf(out, "- correction: %s\n", item->printed->corrections[i]);
    for (size_t i = 0; i < item->printed->partition_count; i++) {
        const PrintedPartition *printed = &item->printed->partitions[i];
        const long long order = printed->order, rows = printed->rows, columns = printed->columns;
        fprintf(out, "- %s: rank that owns element (i, j) `%.*s`, ",
                item->owned              ? "wrong"
                : item->printed->is_lost ? "recovered"
                                         : "holds",
                TEXT_ARGS(printed->owner.text));
        fprintf(out, "partition checkerboard -n %lld -p %lld --grid %lldx%lld", order,
                rows * columns, rows, columns);
        if (printed->block)
            fprintf(out, " --block %lld", (long long)printed->block);
        if (item->owned)
            fprintf(out, ". %s\n", item->owned);
        else
            fprintf(out, " (%lld comparisons)\n", order * order);
    }
    for (size_t i = 0; i < item->claims.count; i++)
        write_claim(out, arena, item, &item->claims.items[i]);
}

static void write_page(FILE *out, Arena *arena, const ItemArray *items)
{
    fputs(introduction, out);
    write_summary(out, items);
    /* What an author would want to see first. */
    fputs("\n## What is wrong\n\n| place | of what | printed | smallest counterexample |\n"
          "|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < items->count; i++) {
        const Item *item = &items->items[i];
        if (item->verdict != ITEM_WRONG && item->verdict != ITEM_FAULTY)
            continue;
        /* What the data shows, or the claim that holds nowhere. */
        const char *fault = NULL;
        for (size_t m = 0; m < item->models.count && !fault; m++)
            fault = item->models.items[m].fault;
        const ItemClaim *worst = errata_worst(arena, item);
        if (!fault)
            fault = item->owned ? item->owned : worst ? worst->verdict.counterexample : "";
        /* A bar would end a cell of a table. */
        const char *text = item->printed->printed;
        char *escaped = ARENA_ARRAY(arena, char, 2 * strlen(text) + 1), *next = escaped;
        for (; *text; text++) {
            if (*text == '|')
                *next++ = '\\';
            *next++ = *text;
        }
        fprintf(out, "| %s, %s | %s | `%s`%s | %s |\n", item->origin->head.name,
                item->printed->place, item->printed->about, escaped, approximately(item), fault);
    }
    for (size_t i = 0; i < items->count; i++) {
        const Item *item = &items->items[i];
        if (i == 0 || item->origin != items->items[i - 1].origin)
            fprintf(out, "\n## %s\n\n%s\n", item->origin->head.name, item->origin->head.summary);
        write_item(out, arena, item);
    }
}

/* The counterexamples, or what holds, of an item's own claims. */
static void put_claims(Table *table, Key key, Arena *arena, const Item *item, bool holding)
{
    const char **texts = ARENA_ARRAY(arena, const char *, item->claims.count);
    size_t count = 0;
    for (size_t i = 0; i < item->claims.count; i++) {
        const ItemClaim *claim = &item->claims.items[i];
        if (errata_is_carried(claim) || claim->verdict.holds != holding)
            continue;
        texts[count++] =
            holding ? arena_printf(arena, "%s, %s", claim_formula(arena, claim->claim),
                                   show_subject(arena, claim))
                    : arena_printf(arena, "%s: %s", claim->model, claim->verdict.counterexample);
    }
    put_list(table, key, texts, count);
}

static void write_errata_rows(const Query *query, const ItemArray *items)
{
    Arena *arena = query->study.arena;
    Table *table = query_table(query, TABLE_errata);
    for (size_t i = 0; i < items->count; i++) {
        const Item *item = &items->items[i];
        const char **models = ARENA_ARRAY(arena, const char *, item->models.count);
        for (size_t j = 0; j < item->models.count; j++)
            models[j] = item->models.items[j].name;
        put_text(table, KEY_source, item->origin->head.name);
        put_text(table, KEY_item_place, item->printed->place);
        PUT(table, item->printed, about, printed);
        put_bool(table, KEY_approximate, item->printed->is_approximate);
        put_text(table, KEY_item_verdict, item_words[item->verdict]);
        put_list(table, KEY_models, models, item->models.count);
        put_claims(table, KEY_counterexamples, arena, item, false);
        put_claims(table, KEY_holds, arena, item, true);
        /* What the claims that hold leave out, and the cost has. */
        const char **names = ARENA_ARRAY(arena, const char *, PARAMETER_COUNT);
        size_t count = 0;
        for (int x = 0; x < PARAMETER_COUNT; x++) {
            bool lacks = false;
            for (size_t n = 0; n < item->claims.count; n++)
                lacks |=
                    item->claims.items[n].verdict.lacks[x] && item->claims.items[n].verdict.holds;
            if (lacks)
                names[count++] = parameter_info[x].name;
        }
        put_list(table, KEY_neglects, names, count);
        table_row(table);
    }
    table_close(table);
}

static Status run_errata(const CommandLine *line)
{
    Query query;
    ItemArray items = {0};
    ItemChoice choice = {0};
    bool stands = true;
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < line->operands.count; i++) {
        /* "S3", "S3:chain", "chain": which items are wanted. */
        Text name = line->operands.items[i], word = {0};
        const bool has_sign = text_split(name, ':', &name, &word);
        const Origin *origin = has_sign ? library_origin(query.study.library, name, line->diag)
                                        : library_try(query.study.library, KIND_ORIGIN, name);
        if (has_sign && !origin)
            return STATUS_BAD_INPUT;
        if (origin)
            choice.origin = origin;
        else
            word = name;
        if (word.length)
            *ARRAY_PUSH(line->arena, &choice.words) = word;
    }
    Status status = errata_collect(&query, &choice, &items);
    if (status != STATUS_FINE)
        return status;
    if (query.format != FORMAT_TEXT)
        write_errata_rows(&query, &items);
    else if (choice.words.count == 0)
        write_page(line->out, line->arena, &items);
    for (size_t i = 0; i < items.count && choice.words.count; i++) {
        stands &= errata_stands(&items.items[i]);
        if (query.format == FORMAT_TEXT)
            write_item(line->out, line->arena, &items.items[i]);
    }
    return stands ? STATUS_FINE : STATUS_CHECK_FAILED;
}

const Command command_errata = {
    .name = "errata",
    .operands = "[SOURCE[:WORD]] [WORD...]",
    .summary = "what the sources print, item by item, with verdicts",
    .description =
        "Judges the formulas, counts, bounds and procedures of a source (by default, of all), "
        "and writes a page in Markdown: what is printed, the verdict, the smallest "
        "counterexample, and the condition under which it holds, or what is right instead. With "
        "WORDs it takes only the items that contain all of them; then the exit status is 1 "
        "unless they hold as they stand.",
    .examples = "collcost errata S3\n"
                "collcost errata S3 -o markdown",
    .options = OPTIONS(MODELS, JOBS, OUTPUT),
    .run = run_errata,
};

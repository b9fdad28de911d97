#include "cli/judge_record.h"

#include "lang/show.h"

ARRAY_TYPE(ColumnArray, Column);
ARRAY_TYPE(CellArray, Cell);
ARRAY_TYPE(StringArray, const char *);

static Meaning meaning_in(const JudgeCase *asked, const JudgedReading *judged, int symbol)
{
    return asked->symbols.items[symbol].meanings[judged->reading.choices[symbol]];
}

/* Do two readings differ in this symbol alone? */
static bool differs_in(const JudgeCase *asked, const Reading *a, const Reading *b, int symbol)
{
    for (int i = 0; i < asked->symbols.count; i++)
        if ((a->choices[i] == b->choices[i]) == (i == symbol))
            return false;
    return true;
}

/* The verdict on the chosen reading but for one symbol, which means the other thing; NULL: that is
   no time. */
static const JudgedReading *find_other(const JudgeCase *asked, int symbol, int choice)
{
    const Judgement *judgement = &asked->judgement;
    for (size_t i = 0; i < judgement->readings.count; i++) {
        const JudgedReading *judged = &judgement->readings.items[i];
        if (judged->reading.choices[symbol] == choice &&
            differs_in(asked, &judged->reading, &judgement->chosen->reading, symbol))
            return judged;
    }
    return NULL;
}

/* Does another letter have this meaning already? */
static bool is_taken(const JudgeCase *asked, int symbol, Meaning meaning)
{
    for (int i = 0; i < asked->symbols.count; i++)
        if (i != symbol && meaning_in(asked, asked->judgement.chosen, i) == meaning)
            return true;
    return false;
}

/* What became of the formula where a symbol means the other thing. */
typedef enum { OTHER_REFUTED, OTHER_HOLDS, OTHER_SILENT, OTHER_NO_TIME, OTHER_TAKEN } Other;

static Other judge_other(const JudgeCase *asked, int symbol, int choice)
{
    const JudgedReading *other = find_other(asked, symbol, choice);
    Meaning meaning = asked->symbols.items[symbol].meanings[choice];
    return !other                  ? is_taken(asked, symbol, meaning) ? OTHER_TAKEN : OTHER_NO_TIME
           : !other->verdict.holds ? OTHER_REFUTED
           : other->verdict.cases == 0 ? OTHER_SILENT
                                       : OTHER_HOLDS;
}

/* "; as buffer or block it is refuted" */
static const char *list_others(const JudgeCase *asked, int symbol, Other wanted, const char *words)
{
    Arena *arena = asked->query->arena;
    const Symbol *letter = &asked->symbols.items[symbol];
    const char *text = "";
    for (int choice = 0; choice < letter->count; choice++)
        if (choice != asked->judgement.chosen->reading.choices[symbol] &&
            judge_other(asked, symbol, choice) == wanted)
            text = arena_printf(arena, "%s%s%s", text, *text ? " or " : "; as ",
                                meaning_info[letter->meanings[choice]].word);
    return *text ? arena_printf(arena, "%s %s", text, words) : "";
}

static const char *describe_others(const JudgeCase *asked, int symbol)
{
    return arena_printf(asked->query->arena, "%s%s%s%s",
                        list_others(asked, symbol, OTHER_HOLDS, "it holds too"),
                        list_others(asked, symbol, OTHER_REFUTED, "it is refuted"),
                        list_others(asked, symbol, OTHER_SILENT, "it says nothing here"),
                        list_others(asked, symbol, OTHER_NO_TIME, "it is no time"));
}

/* Must it be said what the letter was taken for? */
static bool is_worth_saying(const JudgeCase *asked, int symbol)
{
    const Symbol *letter = &asked->symbols.items[symbol];
    const MeaningInfo *info = &meaning_info[meaning_in(asked, asked->judgement.chosen, symbol)];
    bool is_open = false;
    for (int choice = 0; choice < letter->count; choice++)
        is_open |= choice != asked->judgement.chosen->reading.choices[symbol] &&
                   find_other(asked, symbol, choice);
    return is_open || info->inverse || !text_equals(letter->name, info->name);
}

/* ", 1/tw" behind "a bandwidth"; the buffer also says how large it is. */
static const char *describe_name(const JudgeCase *asked, Meaning meaning)
{
    Arena *arena = asked->query->arena;
    const MeaningInfo *info = &meaning_info[meaning];
    const Text *buffer = &asked->algorithm->collective->buffer.text;
    if (meaning >= MEANING_EXACT)
        return "";
    if (meaning == MEANING_BUFFER)
        return arena_printf(arena, ", %s = %.*s%sm", info->name, (int)buffer->length, buffer->chars,
                            buffer->length ? " " : "");
    return arena_printf(arena, ", %s%s", info->inverse ? "1/" : "", info->name);
}

static const char *describe_symbol(const JudgeCase *asked, int symbol)
{
    Meaning meaning = meaning_in(asked, asked->judgement.chosen, symbol);
    return arena_printf(asked->query->arena, "%s%s%s", meaning_info[meaning].what,
                        describe_name(asked, meaning), describe_others(asked, symbol));
}

static const char *describe_choice(const JudgeCase *asked, const JudgedReading *judged, int symbol)
{
    const Text *name = &asked->symbols.items[symbol].name;
    return arena_printf(asked->query->arena, "%.*s=%s", (int)name->length, name->chars,
                        meaning_info[meaning_in(asked, judged, symbol)].word);
}

/* "m=buffer": where another reading differs from the chosen one. */
static StringArray list_differences(const JudgeCase *asked, const JudgedReading *other)
{
    StringArray list = {0};
    for (int i = 0; i < asked->symbols.count; i++)
        if (other->reading.choices[i] != asked->judgement.chosen->reading.choices[i])
            *ARRAY_PUSH(asked->query->arena, &list) = describe_choice(asked, other, i);
    return list;
}

static const char *describe_difference(const JudgeCase *asked, const JudgedReading *other)
{
    const char *text = "";
    StringArray list = list_differences(asked, other);
    for (size_t i = 0; i < list.count; i++)
        text = arena_printf(asked->query->arena, "%s%s%s", text, *text ? ", " : "", list.items[i]);
    return text;
}

/* "up to 64", "= 8" */
static const char *describe_ranks(const JudgeCase *asked)
{
    Arena *arena = asked->query->arena;
    const ShapeArray *shapes = &asked->shapes;
    const Verdict *verdict = &asked->judgement.chosen->verdict;
    if (!shapes->count)
        return arena_printf(
            arena, "up to %lld",
            (long long)(verdict->holds ? verdict->largest_p : asked->grid.largest_p));
    long long least = shapes->items[0].p, most = shapes->items[shapes->count - 1].p;
    return least == most ? arena_printf(arena, "= %lld", most)
                         : arena_printf(arena, "from %lld to %lld", least, most);
}

static const char *describe_ports(const JudgeCase *asked)
{
    const VerdictGrid *grid = &asked->grid;
    if (grid->ports)
        return arena_printf(asked->query->arena, "%lld port%s", (long long)grid->ports,
                            grid->ports == 1 ? "" : "s");
    return grid->on->direct ? "1 to 3 ports" : "1 to 3 ports and one for each link";
}

/* "ring, p up to 64; 1 to 3 ports; ..." */
static const char *describe_grid(const JudgeCase *asked)
{
    Arena *arena = asked->query->arena;
    const VerdictGrid *grid = &asked->grid;
    const char *text = arena_printf(arena, "%s, p %s; %s", grid->on->head.name,
                                    describe_ranks(asked), describe_ports(asked));
    if (!grid->on->direct)
        text = arena_printf(arena, "%s; %s", text,
                            grid->switching < 0 ? "cut-through and store-and-forward"
                                                : switching_names[grid->switching]);
    if (asked->algorithm->collective->rooted && grid->root < 0)
        text = arena_printf(arena, "%s; roots 0, 1, p/2, p - 1", text);
    else if (asked->algorithm->collective->rooted)
        text = arena_printf(arena, "%s; root %lld", text, (long long)grid->root);
    return asked->algorithm->free_chunks ? arena_printf(arena, "%s; k = 1, 2, 3, 5, 8", text)
                                         : text;
}

static const char *describe_comparisons(const JudgeCase *asked)
{
    const Verdict *verdict = &asked->judgement.chosen->verdict;
    return arena_printf(asked->query->arena, "%lld times%s: %s", (long long)verdict->cases,
                        verdict->holds ? "" : " until it failed", describe_grid(asked));
}

/* "7 th + 7 m tc: th, tc do not occur, so they are taken to be zero"; NULL: nothing is left out. */
static const char *describe_missing(const JudgeCase *asked)
{
    Arena *arena = asked->query->arena;
    const char *terms = "", *names = "";
    int count = 0;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        const char *term = asked->judgement.example.missing[i];
        if (!term)
            continue;
        terms = arena_printf(arena, "%s%s%s", terms, count ? " + " : "", term);
        names = arena_printf(arena, "%s%s%s", names, count ? ", " : "", parameter_info[i].name);
        count++;
    }
    return count ? arena_printf(arena, "%s: %s %s not occur, so %s taken to be zero", terms, names,
                                count == 1 ? "does" : "do", count == 1 ? "it is" : "they are")
                 : NULL;
}

/* "m=buffer (1015 comparisons)" */
static const char *describe_holding(const JudgeCase *asked, const char *condition,
                                    const JudgedReading *of, int64_t cases)
{
    const char *reading = describe_difference(asked, of);
    return arena_printf(asked->query->arena, "%s%s%s (compared %lld times)", condition,
                        *condition && *reading ? ", read with "
                        : *reading             ? "read with "
                                               : "",
                        reading, (long long)cases);
}

/* Under what a refuted formula holds; NULL: nothing was found. */
static const char *describe_rescue(const JudgeCase *asked)
{
    const Judgement *judgement = &asked->judgement;
    const HoldingCondition *condition = &judgement->condition;
    const JudgedReading *otherwise = judgement->otherwise;
    const char *reading =
        otherwise ? describe_holding(asked, "", otherwise, otherwise->verdict.cases) : NULL;
    const char *when =
        condition->text ? describe_holding(asked, condition->text, condition->of, condition->cases)
                        : NULL;
    return reading && when ? arena_printf(asked->query->arena, "%s; or %s", reading, when)
           : reading       ? reading
                           : when;
}

typedef struct {
    Arena *arena;
    ColumnArray columns;
    CellArray cells;
} Record;

static void add(Record *record, const char *key, const char *title, ColumnKind kind, Cell cell)
{
    *ARRAY_PUSH(record->arena, &record->columns) = (Column){key, title, kind};
    *ARRAY_PUSH(record->arena, &record->cells) = cell;
}

static void add_text(Record *record, const char *key, const char *title, const char *text)
{
    add(record, key, title, COLUMN_TEXT, cell_text(text));
}

/* The terms with this verdict, also in words if there are others. */
static void add_terms(const JudgeCase *asked, Record *record, TermVerdict wanted, const char *key,
                      const char *title)
{
    StringArray names = {0};
    bool others = false;
    const char *text = NULL;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        TermVerdict found = asked->judgement.terms[i];
        others |= found != TERM_ABSENT && found != wanted;
        if (found != wanted)
            continue;
        *ARRAY_PUSH(record->arena, &names) = parameter_info[i].name;
        text = arena_printf(record->arena, "%s%s%s", text ? text : "",
                            text ? ", " : "the terms of ", parameter_info[i].name);
    }
    add(record, key, NULL, COLUMN_LIST, cell_list(names.items, names.count));
    add_text(record, NULL, title, others ? text : NULL);
}

static void add_missing(const JudgeCase *asked, Record *record)
{
    StringArray terms = {0};
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (asked->judgement.example.missing[i])
            *ARRAY_PUSH(record->arena, &terms) = asked->judgement.example.missing[i];
    add(record, "left_out", NULL, COLUMN_LIST, cell_list(terms.items, terms.count));
    add_text(record, NULL, "left out", describe_missing(asked));
}

static void add_formula(const JudgeCase *asked, Record *record)
{
    const JudgedReading *chosen = asked->judgement.chosen;
    const Expr *when = chosen->reading.when;
    Arena *arena = record->arena;
    StringArray readings = {0};
    for (int i = 0; i < asked->symbols.count; i++)
        if (is_worth_saying(asked, i))
            *ARRAY_PUSH(arena, &readings) = describe_choice(asked, chosen, i);
    add_text(record, "formula", NULL, asked->typed.chars);
    add_text(record, "read_as", "formula",
             expr_show(arena, program_expr(chosen->claim.formula.program)));
    add(record, "readings", NULL, COLUMN_LIST, cell_list(readings.items, readings.count));
    for (int i = 0; i < asked->symbols.count; i++) {
        Text name = asked->symbols.items[i].name;
        if (is_worth_saying(asked, i))
            add_text(record, NULL, arena_copy(arena, name.chars, name.length),
                     describe_symbol(asked, i));
    }
    add_text(record, "claimed_for", NULL, when ? expr_show(arena, when) : NULL);
    add_text(
        record, NULL, "where",
        when ? arena_printf(arena, "%s, so that its logarithms are whole", expr_show(arena, when))
             : NULL);
}

static void add_verdict(const JudgeCase *asked, Record *record)
{
    const JudgedReading *chosen = asked->judgement.chosen;
    const Verdict *verdict = &chosen->verdict;
    const DerivedExample *example = &asked->judgement.example;
    add_text(record, "topology", NULL, asked->grid.on->head.name);
    add_text(record, "verdict", NULL, verdict->holds ? "holds" : "refuted");
    add(record, "cases", NULL, COLUMN_INT, cell_number((double)verdict->cases));
    add_text(record, NULL, "compared", describe_comparisons(asked));
    add_text(record, "counterexample", NULL, verdict->counterexample);
    add_text(record, "place", verdict->holds ? "for example" : "fails at", example->place);
    add_text(record, "claimed", "claimed", verdict->claimed);
    add_text(record, "derived", "derived", example->derived);
    add_missing(asked, record);
}

static void add_differences(const JudgeCase *asked, Record *record, const char *key,
                            const JudgedReading *other)
{
    StringArray list = {0};
    if (other)
        list = list_differences(asked, other);
    add(record, key, NULL, COLUMN_LIST, other ? cell_list(list.items, list.count) : cell_missing());
}

/* What is true of a refuted formula nevertheless. */
static void add_rescue(const JudgeCase *asked, Record *record)
{
    const Judgement *judgement = &asked->judgement;
    const JudgedReading *chosen = judgement->chosen;
    bool is_bound = chosen->at_most.holds;
    add_terms(asked, record, TERM_HOLDS, "right_terms", "right");
    add_terms(asked, record, TERM_REFUTED, "wrong_terms", "wrong");
    add_text(record, "condition", NULL, judgement->condition.text);
    add_differences(asked, record, "condition_readings", judgement->condition.of);
    add_differences(asked, record, "otherwise", judgement->otherwise);
    add_text(record, NULL, "holds if", describe_rescue(asked));
    add(record, "upper_bound", NULL, COLUMN_BOOL, cell_bool(is_bound));
    add_text(record, NULL, "bound",
             is_bound && !chosen->verdict.holds ? "it is never below the derived cost" : NULL);
}

void judge_record_write(const JudgeCase *asked)
{
    const Query *query = asked->query;
    Record record = {.arena = query->arena};
    const char *name = algorithm_full_name(query->arena, asked->algorithm);
    add_text(&record, "algorithm", NULL, name);
    add_formula(asked, &record);
    add_verdict(asked, &record);
    add_rescue(asked, &record);
    if (query->format == FORMAT_TEXT)
        fprintf(query->line->out, "%s on %s: %s\n\n", name, asked->grid.on->head.name,
                asked->judgement.chosen->verdict.holds ? "holds" : "refuted");
    record_write(query->arena, query->line->out, query->format, record.columns.items,
                 record.columns.count, record.cells.items);
}

#include "claims/compare.h"
#include "claims/judge.h"
#include "cli/files.h"
#include "cli/judge_record.h"
#include "lang/informal.h"
#include "lang/show.h"
#include "model/claim.h"
#include "prove/prove.h"
#include "scale/scale.h"

#include <math.h>
#include <string.h>

/* The ranks that are tried; with all algorithms of a collective, fewer, but squares enough for a
   condition on shapes; all of them for bounds. */
enum { LARGEST_P = 64, LARGEST_P_OF_MANY = 16, LARGEST_P_OF_SQUARES = 36, LARGEST_P_OF_BOUNDS = 9 };

/* "ranks, block, ... and floor"; brackets have no name that could be given */
static const char *list_words(Arena *arena)
{
    const char *text = "";
    for (int i = 0; i < MEANING_PLAIN; i++)
        text = arena_printf(arena, "%s%s%s", text,
                            i == 0                   ? ""
                            : i == MEANING_PLAIN - 1 ? " and "
                                                     : ", ",
                            meaning_info[i].word);
    return text;
}

static bool find_letters(const JudgeCase *asked, const FixedMeaningArray *fixed,
                         const Expr *formula, SymbolList *symbols)
{
    const Study *study = &asked->query->study;
    /* The readings that are given of letters of this formula. */
    FixedMeaningArray own = {0};
    for (size_t i = 0; i < fixed->count; i++) {
        Text name = fixed->items[i].name;
        if (asked->equation.parts.count == 1 ||
            expr_names(formula, text_string(asked->query->study.arena, name)))
            *ARRAY_PUSH(asked->query->study.arena, &own) = fixed->items[i];
    }
    if (!readings_check_length(formula, study->diag))
        return false;
    if (symbols_find(study->arena, formula, asked->equation.condition, &own, asked->algorithm,
                     symbols, study->diag))
        return true;
    if (!symbols->is_growth)
        diag_note(study->diag, NOWHERE, "--read NAME=READING gives the meaning of a symbol: %s",
                  list_words(study->arena));
    return false;
}

/* False after a report. */
static bool read_equation_typed(JudgeCase *asked)
{
    const Study *study = &asked->query->study;
    FixedMeaningArray fixed = {0};
    const TextArray *readings = &asked->query->line->values[OPTION_READ];
    for (size_t i = 0; i < readings->count; i++) {
        /* "beta=bandwidth" */
        Text name, word;
        FixedMeaning one;
        if (!text_split(readings->items[i], '=', &name, &word))
            return diag_error(study->diag, readings->items[i].span,
                              "a reading is written NAME=READING");
        const int meaning = meaning_find(word);
        if (meaning < 0) {
            diag_error(study->diag, word.span, "'%.*s' is not a reading", TEXT_ARGS(word));
            return diag_note(study->diag, NOWHERE, "readings are %s", list_words(study->arena));
        }
        one.meaning = (Meaning)meaning;
        if (!informal_parse_name(study->arena, name, &one.name, study->diag))
            return false;
        *ARRAY_PUSH(study->arena, &fixed) = one;
    }
    asked->letters.names = readings_names(study->arena, &fixed, asked->algorithm);
    if (!equation_read(study->arena, asked->typed, &asked->letters, &asked->equation, study->diag))
        return false;
    asked->solved =
        solve_for_time(study->arena, asked->algorithm, &asked->letters, &asked->equation);
    const EquationParts *parts = &asked->equation.parts;
    for (size_t i = 0; i < parts->count; i++)
        if (!find_letters(asked, &fixed, parts->items[i].formula,
                          &ARRAY_PUSH(study->arena, &asked->links)->symbols))
            return false;
    return true;
}

static VerdictQuestion question_of(const JudgeCase *asked)
{
    const Study *study = &asked->query->study;
    return (VerdictQuestion){
        study->arena, study->library, {.algorithm = asked->algorithm}, &asked->grid, study->diag};
}

/* The answer shown is the first that does not stand, else the last. False after a report. */
static bool judge_links(JudgeCase *asked)
{
    static const char *const others[] = {"factor", "diameter", "bisection", "width", "degree",
                                         "ratio",  "volume",   "speedup",   "links"};
    const VerdictQuestion question = question_of(asked);
    bool stands = true; /* those before */
    for (size_t i = 0; i < asked->links.count; i++) {
        JudgedLink *link = &asked->links.items[i];
        if (!judge_formula(&question, &asked->equation.parts.items[i], &link->symbols,
                           &link->judgement))
            return false;
        if (stands) {
            asked->symbols = link->symbols;
            asked->judgement = link->judgement;
        }
        stands &= outcome_info[link->judgement.outcome].stands;
    }
    /* A plain number is that of the rounds: not one that is said to be something else. */
    const Text name = asked->equation.name;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (text_holds(name, others[i]) && asked->judgement.chosen->claim.kind == CLAIM_ROUND_COUNT)
            return diag_error(asked->query->study.diag, name.span,
                              "a number is judged as that of the rounds, and this is another one");
    return true;
}

/* "T(SF) =" in front says so too. */
static bool read_switching(JudgeCase *asked)
{
    const Query *query = asked->query;
    static const char *const words[SWITCHING_STARTUPS] = {
        [SWITCHING_CUT_THROUGH] = "CT", [SWITCHING_STORE_AND_FORWARD] = "SF"};
    Text name = asked->equation.name;
    for (int mode = 0; mode < SWITCHING_STARTUPS; mode++)
        for (size_t i = 0; i + 1 < name.length; i++)
            if (memcmp(name.chars + i, words[mode], 2) == 0)
                asked->grid.switching = mode;
    if (!option_given(query->line, OPTION_SWITCHING))
        return true;
    asked->grid.switching = (int)query->study.rules.switching;
    if (query->study.rules.switching == SWITCHING_STARTUPS)
        diag_error(query->study.diag, option_value(query->line, OPTION_SWITCHING).span,
                   "formulas are judged for cut-through and store-and-forward only");
    return query->study.rules.switching != SWITCHING_STARTUPS;
}

/* What is not given is left open, and the formula claimed for all of it. */
static bool read_grid(JudgeCase *asked, int64_t largest_p)
{
    const Query *query = asked->query;
    const CommandLine *line = query->line;
    const Rules *rules = &query->study.rules;
    const size_t count = query->ranks.count;
    bool rooted = option_given(line, OPTION_ROOT) || option_given(line, OPTION_FROM);
    bool brief = asked->grid.brief;
    asked->grid = verdict_grid_up_to(largest_p);
    asked->grid.brief = brief;
    asked->grid.on = query->topology;
    asked->grid.root = rooted ? query->study.root : -1;
    asked->grid.target = query->study.target;
    /* Does a formula say how far apart the two ranks are? Else they are the farthest pair, as in
       `cost`. */
    bool has_path = option_given(line, OPTION_FROM);
    for (size_t i = 0; i < asked->links.count; i++) {
        const SymbolList *symbols = &asked->links.items[i].symbols;
        for (int s = 0; s < symbols->count; s++)
            for (int m = 0; m < symbols->items[s].count; m++)
                has_path |= symbols->items[s].meanings[m] == MEANING_LINKS;
        has_path |= expr_names(asked->equation.parts.items[i].formula, "target");
    }
    asked->grid.farthest = query->study.target < 0 && !has_path;
    asked->grid.asynchronous = rules->asynchronous;
    asked->grid.overlap = rules->combining == COMBINING_OVERLAP;
    if (option_given(line, OPTION_PORTS)) {
        asked->grid.ports = rules->ports;
        asked->grid.most_ports = query->most_ports ? query->most_ports : rules->ports;
        if (rules->all_ports || rules->level_ports)
            return diag_error(
                query->study.diag, option_value(line, OPTION_PORTS).span,
                "--ports needs a number or a range here; without the option, several are tried");
    }
    if (!read_switching(asked))
        return false;
    /* The ranks given; without any, all up to the largest. */
    for (size_t i = 0; i < count; i++)
        if (query->ranks.items[i] > LIMIT_JUDGED_RANKS)
            return diag_error(query->study.diag, NOWHERE,
                              "formulas are judged for at most %d ranks", LIMIT_JUDGED_RANKS);
    asked->shapes = (ShapeArray){query_shapes_by_ranks(query), count, count};
    asked->grid.shapes = count ? asked->shapes.items : NULL;
    asked->grid.shape_count = count;
    return true;
}

/* What `judge` looked for among the algorithms of a collective. */
typedef struct {
    const Algorithm *unread; /* one that was loaded, to say why no formula was read */
    bool any_read, any_fits, any_stands;
} FitSearch;

/* A row for each algorithm of the collective that the formula fits; not brief: under a condition.
 */
static void list_fits(const JudgeCase *question, const Collective *collective, bool brief,
                      FitSearch *found, Table *table)
{
    const Query *query = question->query;
    Library *library = query->study.library;
    Query own = *query;
    size_t length = strlen(collective->head.name);
    study_silence(&own.study);
    for (size_t i = 0; i < library_entry_count(library); i++) {
        const ModelEntry *entry = library_entry(library, i);
        if (entry->kind != KIND_ALGORITHM || entry->name[length] != '/' ||
            strncmp(entry->name, collective->head.name, length) != 0)
            continue;
        JudgeCase asked = {.query = &own,
                           .typed = question->typed,
                           .algorithm = library_load(library, entry, own.study.diag),
                           .grid = {.brief = brief}};
        bool is_read = asked.algorithm && read_equation_typed(&asked);
        found->any_read |= is_read;
        found->unread = asked.algorithm ? asked.algorithm : found->unread;
        if (!is_read || !read_grid(&asked, brief ? LARGEST_P_OF_MANY : LARGEST_P_OF_SQUARES) ||
            !judge_links(&asked))
            continue;
        const Judgement *judgement = &asked.judgement;
        const char *condition = judgement->condition.text;
        if (brief ? judgement->outcome == OUTCOME_WRONG : !condition)
            continue;
        const char *fit = brief ? judgement_words(query->study.arena, judgement)
                                : arena_printf(query->study.arena, "holds if %s", condition);
        found->any_fits = true;
        found->any_stands |= outcome_info[asked.judgement.outcome].stands;
        put_text(table, KEY_algorithm, entry->name);
        put_text(table, KEY_claim_verdict, fit);
        put_text(table, KEY_read_as,
                 expr_show(query->study.arena,
                           program_expr(asked.judgement.chosen->claim.formula.program)));
        table_row(table);
    }
}

/* The algorithms of the collective that the formula fits; where there is none, those that it fits
   under a condition. */
static Status judge_all(const JudgeCase *question, const Collective *collective)
{
    const Query *query = question->query;
    FitSearch found = {.any_read = false};
    Table *table = query_table(query, TABLE_judge_fits);
    list_fits(question, collective, true, &found, table);
    if (found.any_read && !found.any_fits)
        list_fits(question, collective, false, &found, table);
    table_close(table);
    if (found.any_read && !found.any_fits && query->format == FORMAT_TEXT)
        fprintf(query->line->out, "no algorithm of %s on %s fits, for up to %d ranks\n",
                collective->head.name, query->topology->head.name, LARGEST_P_OF_MANY);
    JudgeCase failed = {.query = query, .typed = question->typed, .algorithm = found.unread};
    if (!found.any_read && !(found.unread && read_equation_typed(&failed)))
        return STATUS_BAD_INPUT;
    return found.any_stands ? STATUS_FINE : STATUS_CHECK_FAILED;
}

/* As the largest of some bounds: one kind, two, or all but cuts; and as what no algorithm beats,
   which is said of it wherever it is none of those. */
static Status judge_bound(JudgeCase *asked, const Collective *collective)
{
    const Query *query = asked->query;
    Arena *arena = query->study.arena;
    const Algorithm any = {.head = collective->head, .collective = collective};
    const unsigned all = (1u << BOUND_CUT) - 1;
    const char *kind = NULL;
    asked->algorithm = &any;
    if (!read_equation_typed(asked) || !read_grid(asked, LARGEST_P))
        return STATUS_BAD_INPUT;
    asked->grid.largest_p = LARGEST_P_OF_BOUNDS;
    JudgeCase least = *asked;
    asked->grid.brief = true;
    for (unsigned kinds = 1; kinds <= all && !kind; kinds++) {
        asked->grid.bounds = kinds;
        if (__builtin_popcount(kinds) > 2 && kinds != all)
            continue;
        if (!judge_links(asked))
            return STATUS_BAD_INPUT;
        Outcome outcome = asked->judgement.outcome;
        if (outcome_info[outcome].stands || outcome == OUTCOME_ABOVE_ONE) {
            /* "rounds and node" */
            const char *text = "";
            for (int i = 0; i < BOUND_KIND_COUNT; i++)
                if (kinds >> i & 1)
                    text =
                        arena_printf(arena, "%s%s%s", text, *text ? " and " : "", bound_names[i]);
            kind = text;
        }
    }
    least.grid.bounds = all;
    for (size_t i = 0; i < least.equation.parts.count; i++)
        least.equation.parts.items[i].relation = RELATION_AT_LEAST;
    if (!judge_links(&least))
        return STATUS_BAD_INPUT;
    const Verdict *verdict = &least.judgement.chosen->verdict;
    const bool is_bound = verdict->holds || verdict->fails_alone;
    least.bound = kind ? kind : is_bound ? "never above a cost" : "none";
    if (verdict->places && is_bound)
        least.bound =
            arena_printf(arena, "%s; reached by an algorithm in %lld of %lld places", least.bound,
                         (long long)verdict->reached, (long long)verdict->places);
    if (verdict->weak_at && is_bound)
        least.bound = arena_printf(arena, "%s; %s", least.bound, verdict->weak_at);
    asked->bound = least.bound;
    judge_record_write(kind ? asked : &least);
    return outcome_info[kind ? asked->judgement.outcome : least.judgement.outcome].stands
               ? STATUS_FINE
               : STATUS_CHECK_FAILED;
}

/* What holds wherever it was compared may be a theorem, from obligations that are recorded. */
static void try_proof(JudgeCase *asked)
{
    Arena *arena = asked->query->study.arena;
    ProvedParts parts = {0};
    const Prover prover = {.arena = arena, .solvers = SOLVER_RECORDED, .parts = &parts};
    JudgedReading *chosen = (JudgedReading *)asked->judgement.chosen;
    Claim claim = chosen->claim;
    const Outcome outcome = asked->judgement.outcome;
    if ((outcome != OUTCOME_HOLDS && outcome != OUTCOME_PROVED) || asked->shapes.count ||
        asked->solved || asked->grid.overlap || asked->grid.asynchronous)
        return;
    claim.on = ARENA_COPY(arena, const char *, &asked->grid.on->head.name, 1);
    claim.on_count = 1;
    const Proved algorithm = prove_recorded(&prover, asked->algorithm);
    const Proved proved = prove_claim(&prover, asked->algorithm, &algorithm, &claim);
    const bool is = proved.verdict == PROVED_ALL_P;
    asked->theorem =
        is ? arena_printf(arena, "for all p: solvers proved %d obligations", proved.obligations)
           : arena_printf(arena, "not shown for all p: %s", proved.why);
    if (is) {
        chosen->verdict.is_proved = true;
        asked->judgement.outcome = OUTCOME_PROVED;
    }
}

/* "Theta(p^{3/2})" behind "W =": how fast the work must grow. */
typedef enum { GROWS_UNSAID, GROWS_LIKE, GROWS_AT_MOST, GROWS_AT_LEAST } OrderKind;

static OrderKind find_order(Text typed, Text *order)
{
    static const struct {
        const char *word;
        OrderKind kind;
    } words[] = {{"\\Theta", GROWS_LIKE},         {"Theta", GROWS_LIKE},
                 {"\u0398", GROWS_LIKE},          {"\\Omega", GROWS_AT_LEAST},
                 {"Omega", GROWS_AT_LEAST},       {"\u03a9", GROWS_AT_LEAST},
                 {"\\mathcal{O}", GROWS_AT_MOST}, {"O", GROWS_AT_MOST}};
    Text name, rest;
    if (!text_split(typed, '=', &name, &rest) || !name.length || *name.chars != 'W')
        return GROWS_UNSAID;
    while (rest.length && *rest.chars == ' ')
        rest = text_behind(rest, 1);
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t length = strlen(words[i].word);
        if (length < rest.length && strncmp(rest.chars, words[i].word, length) == 0) {
            *order = text_behind(rest, length);
            return words[i].kind;
        }
    }
    return GROWS_UNSAID;
}

/* A closed form of the model, and how the work must grow by it; NULL: there is none. */
static const Claim *find_growth(const JudgeCase *asked, Growth *growth)
{
    enum { FAR = 12 }; /* 2^12 ranks are a square and a cube */
    const Study *study = &asked->query->study;
    const Claim *own = NULL;
    Claim whole = {.when = {0}}; /* has terms of all parameters that cost anything */
    double least, most;
    Shape shape = {.p = 1 << FAR};
    for (int i = 0; i < PARAMETER_COUNT; i++)
        whole.neglects[i] = study->rules.parameters[i] == 0;
    for (shape.count = 1; shape.count <= 3 && !own; shape.count++) {
        for (int i = 0; i < shape.count; i++)
            shape.sizes[i] = 1 << FAR / shape.count;
        ClaimPoint point = claim_point(&shape, 0, 1, 1);
        point.order = shape.p;
        own = judge_own_claim(asked->algorithm, &whole, asked->grid.on->head.name,
                              SWITCHING_CUT_THROUGH, &point);
    }
    shape.count--;
    if (!own ||
        !problem_work(asked->algorithm->collective->problem, 1 << FAR, &least, study->diag) ||
        !problem_work(asked->algorithm->collective->problem, 2 << FAR, &most, study->diag))
        return NULL;
    *growth =
        growth_find(study->arena, own, &shape, study->rules.parameters, round(log2(most / least)));
    return growth->kind == GROWTH_FOUND ? own : NULL;
}

/* The claimed order is read as a time of multiply-adds, of which all ranks together spend p times
   as much. */
static Status judge_order(JudgeCase *asked, OrderKind kind)
{
    const Query *query = asked->query;
    const Study *study = &query->study;
    const Shape line = {.p = 1, .count = 1};
    const double all[PARAMETER_COUNT] = {0};
    Growth derived;
    asked->grid.brief = true;
    if (!read_equation_typed(asked) || !read_grid(asked, LARGEST_P_OF_MANY) || !judge_links(asked))
        return STATUS_BAD_INPUT;
    const Claim *read = &asked->judgement.chosen->claim, *own = find_growth(asked, &derived);
    Growth claimed = growth_find(study->arena, read, &line, all, 1);
    if (claimed.kind != GROWTH_FOUND || !own)
        return BAD_INPUT(study->diag, asked->typed.span,
                         own ? "this is no order of p" : "the model has no closed form to compare");
    claimed.power -= 1;
    claimed.decides[PARAMETER_COUNT] = false;
    /* Positive where `a` grows faster. */
    const double power = claimed.power - derived.power,
                 logarithm = claimed.logarithm - derived.logarithm;
    const double first = fabs(power) > 1e-9 ? power : logarithm;
    const int order = (first > 1e-9) - (first < -1e-9);
    const bool holds =
        order == 0 || (kind == GROWS_AT_MOST && order > 0) || (kind == GROWS_AT_LEAST && order < 0);
    judge_growth_write(asked, outcome_info[holds ? OUTCOME_HOLDS : OUTCOME_WRONG].word,
                       growth_describe(study->arena, &claimed),
                       growth_describe(study->arena, &derived), claim_formula(study->arena, own));
    return holds ? STATUS_FINE : STATUS_CHECK_FAILED;
}

static Status run_judge(const CommandLine *line)
{
    Query query;
    const Collective *collective;
    JudgeCase asked = {.query = &query, .typed = line->operands.items[0]};
    Text subject = line->operands.items[1], before, after;
    bool is_bound = text_split(subject, '/', &before, &after) && text_equals(before, "bound");
    const bool is_drawn = option_given(line, OPTION_PICTURE);
    const bool is_explained = is_drawn || option_given(line, OPTION_EXPLAIN);
    if (!picture_check(line) || !query_read(line, &query))
        return STATUS_BAD_INPUT;
    if (!subject_read(&query.study, is_bound ? after : subject, &collective, &asked.algorithm)) {
        if (library_find(query.study.library, asked.typed))
            diag_note(line->diag, NOWHERE, "the formula comes before the algorithm");
        return STATUS_BAD_INPUT;
    }
    Text order;
    const OrderKind kind = collective->problem ? find_order(asked.typed, &order) : GROWS_UNSAID;
    if (is_explained && (!asked.algorithm || kind != GROWS_UNSAID))
        return BAD_INPUT(line->diag, subject.span, "only the cost of one algorithm is explained");
    if (is_bound && !asked.algorithm)
        return judge_bound(&asked, collective);
    if (!asked.algorithm)
        return judge_all(&asked, collective);
    if (kind != GROWS_UNSAID) {
        asked.typed = order;
        return judge_order(&asked, kind);
    }
    if (!read_equation_typed(&asked) || !read_grid(&asked, LARGEST_P) || !judge_links(&asked))
        return STATUS_BAD_INPUT;
    if (is_explained) {
        const VerdictQuestion question = question_of(&asked);
        const ClaimKind claimed = asked.judgement.chosen->claim.kind;
        if (claimed != CLAIM_TIME && claimed != CLAIM_AT_MOST)
            return BAD_INPUT(line->diag, asked.typed.span,
                             "only formulas of the whole time are explained");
        if (!judge_explain(&question, &asked.judgement))
            return STATUS_BAD_INPUT;
    }
    try_proof(&asked);
    Status status = is_drawn ? judge_picture(&asked) : STATUS_FINE;
    if (!is_drawn)
        judge_record_write(&asked);
    return status == STATUS_FINE && !outcome_info[asked.judgement.outcome].stands
               ? STATUS_CHECK_FAILED
               : status;
}

const Command command_judge = {
    .name = "judge",
    .operands = "FORMULA COLLECTIVE[/ALGORITHM]|bound/COLLECTIVE",
    .summary = "check a formula for the cost of an algorithm",
    .description =
        "Compares a formula with the cost derived from the schedule, exactly, over a grid of "
        "cases, and shows the smallest counterexample. FORMULA is written as in a paper, as "
        "plain text or in LaTeX: '(p-1) alpha + (p-1)/p n beta'. It must hold for everything "
        "that it leaves open (ports, switching, root, up to 64 ranks); options narrow that. If "
        "a symbol can have several meanings, each is tried. bound/COLLECTIVE compares the "
        "formula with the lower bound. With a COLLECTIVE alone, the algorithms that the formula "
        "fits are listed. The exit status is 0 if it holds as it stands.",
    .examples = "collcost judge '(p-1) alpha + (p-1)/p n beta' allgather/ring -t ring\n"
                "collcost judge '\\lceil \\log_2 p \\rceil (t_s + m t_w)' broadcast/binomial",
    .options =
        OPTIONS_OF_PICTURES | OPTIONS(TOPOLOGY, RANKS, PORTS, SWITCHING, ROOT, FROM, TO, OVERLAP,
                                      ASYNCHRONOUS, READ, EXPLAIN, WITHOUT, MODELS, OUTPUT),
    .spoken = OPTIONS(TOPOLOGY, RANKS, PORTS, SWITCHING, ROOT, OVERLAP, ASYNCHRONOUS),
    .run = run_judge,
};

#include "exchange/goal.h"

#include "base/limits.h"
#include "base/quantity.h"

#include <ctype.h>

enum { MOST_UNITS_OF_RANK = 1 << 12, FIRST_LABELS = 64 };
static const int64_t most_size = INT64_C(1) << 50;

/* A word, a number (with what follows it at once), a sign, or the end. */
typedef struct {
    Text text;
    bool is_number;
} Token;

typedef struct {
    Arena *arena;
    const Source *source;
    GoalProgram *program;
    Diag *diag;
    size_t at; /* behind the token */
    Token token;
    int32_t rank, first; /* first: operation of the rank */
    TextArray names;     /* of operations; empty: none */
    int32_t *labels;     /* open addressing; what is before `first` is free */
    size_t label_size;
} Reader;

#define FAIL(reader, at, ...) diag_error((reader)->diag, (at).span, __VA_ARGS__)

/* ---- words ---- */

static size_t skip_blanks(const Source *source, size_t at)
{
    const char *text = source->text;
    for (;;) {
        if (at < source->length && isspace((unsigned char)text[at])) {
            at++;
        } else if (at + 1 < source->length && text[at] == '/' && text[at + 1] == '/') {
            while (at < source->length && text[at] != '\n')
                at++;
        } else if (at + 1 < source->length && text[at] == '/' && text[at + 1] == '*') {
            const size_t begin = at;
            for (at += 2; at < source->length &&
                          (text[at - 1] != '/' || text[at - 2] != '*' || at < begin + 4);)
                at++;
        } else {
            return at;
        }
    }
}

static void next_token(Reader *reader)
{
    const Source *source = reader->source;
    const size_t begin = skip_blanks(source, reader->at);
    size_t end = begin;
    const bool negative = end < source->length && source->text[end] == '-';
    const bool number =
        end + negative < source->length && isdigit((unsigned char)source->text[end + negative]);
    if (number)
        for (end += negative; end < source->length && isdigit((unsigned char)source->text[end]);)
            end++;
    else
        while (end < source->length &&
               (isalnum((unsigned char)source->text[end]) || source->text[end] == '_'))
            end++;
    if (end == begin && end < source->length)
        end++;
    const Text text = {source->text + begin, end - begin, {source, begin, end - begin}, true};
    reader->token = (Token){text, number};
    reader->at = end;
}

static bool is_word(const Reader *reader, const char *word)
{
    return text_equals(reader->token.text, word);
}

static bool expect(Reader *reader, const char *word)
{
    if (!is_word(reader, word))
        return FAIL(reader, reader->token.text, "expected '%s'", word);
    next_token(reader);
    return true;
}

static bool read_number(Reader *reader, int64_t least, int64_t most, int64_t *number)
{
    if (!reader->token.is_number)
        return FAIL(reader, reader->token.text, "expected a number");
    if (least < 0 && is_word(reader, "-1"))
        *number = -1;
    else if (!quantity_parse_integer(reader->token.text, least < 0 ? 0 : least, most, number,
                                     reader->diag))
        return false;
    next_token(reader);
    return true;
}

/* ---- labels ---- */

/* Where the label is, or is to be. */
static int32_t *find_label(const Reader *reader, Text name)
{
    uint64_t value = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < name.length; i++)
        value = (value ^ (unsigned char)name.chars[i]) * UINT64_C(1099511628211);
    size_t at = (size_t)value & (reader->label_size - 1);
    while (reader->labels[at] >= reader->first &&
           !text_same(reader->names.items[reader->labels[at]], name))
        at = (at + 1) & (reader->label_size - 1);
    return &reader->labels[at];
}

static void clear_labels(Reader *reader, size_t size)
{
    reader->label_size = size;
    reader->labels = ARENA_ROOM(reader->arena, int32_t, size);
    for (size_t i = 0; i < size; i++)
        reader->labels[i] = -1;
}

static bool add_label(Reader *reader, Text name, int32_t operation)
{
    int32_t *place = find_label(reader, name);
    if (*place >= reader->first) {
        FAIL(reader, name, "this label is there already");
        return diag_note(reader->diag, reader->names.items[*place].span, "here");
    }
    *place = operation;
    reader->names.items[operation] = name;
    if ((size_t)(operation - reader->first + 1) * 2 < reader->label_size)
        return true;
    clear_labels(reader, 2 * reader->label_size);
    for (int32_t i = reader->first; i <= operation; i++)
        if (reader->names.items[i].length)
            *find_label(reader, reader->names.items[i]) = i;
    return true;
}

/* ---- statements ---- */

/* A number behind a word that may be missing; then it stays as it is. */
static bool read_option(Reader *reader, const char *word, int64_t least, int64_t most,
                        int64_t *number)
{
    if (!is_word(reader, word))
        return true;
    next_token(reader);
    return read_number(reader, least, most, number);
}

/* send SIZEb to R, recv SIZEb from R, calc TIME; then [tag T] [cpu C] [nic K] */
static bool read_operation(Reader *reader, Text label)
{
    GoalProgram *program = reader->program;
    const Text name = reader->token.text;
    int64_t peer = -1, cpu = 0, nic = 0;
    GoalOperation operation = {.rank = reader->rank, .first_edge = -1, .span = name.span};
    if (is_word(reader, "send"))
        operation.kind = GOAL_SEND;
    else if (is_word(reader, "recv"))
        operation.kind = GOAL_RECEIVE;
    else if (is_word(reader, "calc"))
        operation.kind = GOAL_CALCULATE;
    else
        return FAIL(reader, name, "expected send, recv, calc, requires or irequires");
    next_token(reader);
    const bool calculates = operation.kind == GOAL_CALCULATE;
    const int64_t least = operation.kind == GOAL_RECEIVE ? -1 : 0, last = MOST_UNITS_OF_RANK - 1;
    if (!read_number(reader, 0, most_size, &operation.size))
        return false;
    if (!calculates && !expect(reader, "b"))
        return false;
    const Text at = reader->token.text;
    if (!calculates && (!expect(reader, operation.kind == GOAL_SEND ? "to" : "from") ||
                        !read_number(reader, least, program->rank_count - 1, &peer)))
        return false;
    if (peer == reader->rank)
        return FAIL(reader, at, "a rank sends to itself");
    if ((!calculates && !read_option(reader, "tag", least, most_size, &operation.tag)) ||
        !read_option(reader, "cpu", 0, last, &cpu) ||
        (!calculates && !read_option(reader, "nic", 0, last, &nic)))
        return false;
    operation.peer = (int32_t)peer;
    operation.cpu = (int32_t)cpu;
    operation.nic = (int32_t)nic;
    program->cpus = operation.cpu >= program->cpus ? operation.cpu + 1 : program->cpus;
    program->nics = operation.nic >= program->nics ? operation.nic + 1 : program->nics;
    *ARRAY_PUSH(reader->arena, &reader->names) = (Text){0};
    *ARRAY_PUSH(reader->arena, &program->operations) = operation;
    return !label.length || add_label(reader, label, (int32_t)program->operations.count - 1);
}

/* l1 requires l2, l1 irequires l2 */
static bool read_requirement(Reader *reader, Text later)
{
    GoalProgram *program = reader->program;
    const bool at_start = is_word(reader, "irequires");
    next_token(reader);
    const Text earlier = reader->token.text;
    const int32_t to = *find_label(reader, later), from = *find_label(reader, earlier);
    if (to < reader->first || from < reader->first)
        return FAIL(reader, to < reader->first ? later : earlier,
                    "no operation above has this label");
    if (to == from)
        return FAIL(reader, later, "an operation cannot require itself");
    next_token(reader);
    GoalOperation *first = &program->operations.items[from];
    const int32_t edge = (int32_t)program->edges.count;
    *ARRAY_PUSH(reader->arena, &program->edges) = (GoalEdge){to, -1, at_start};
    if (first->first_edge < 0)
        first->first_edge = edge;
    else
        program->edges.items[first->last_edge].next = edge;
    first->last_edge = edge;
    program->operations.items[to].required++;
    return true;
}

static bool read_statement(Reader *reader)
{
    const Text word = reader->token.text;
    if (is_word(reader, "send") || is_word(reader, "recv") || is_word(reader, "calc"))
        return read_operation(reader, (Text){0});
    if (!word.length || !isalpha((unsigned char)word.chars[0]))
        return FAIL(reader, word, word.length ? "expected an operation, or '}'" : "'}' is missing");
    next_token(reader);
    if (is_word(reader, "requires") || is_word(reader, "irequires"))
        return read_requirement(reader, word);
    if (!is_word(reader, ":"))
        return FAIL(reader, reader->token.text, "expected ':', requires or irequires");
    next_token(reader);
    return read_operation(reader, word);
}

bool goal_is_source(const Source *source)
{
    Reader reader = {.source = source, .at = source_mark(source)};
    next_token(&reader);
    return is_word(&reader, "num_ranks");
}

bool goal_read(Arena *arena, const Source *source, GoalProgram *program, Diag *diag)
{
    Reader reader = {.arena = arena,
                     .source = source,
                     .program = program,
                     .diag = diag,
                     .at = source_mark(source)};
    int64_t ranks, number;
    *program = (GoalProgram){.cpus = 1, .nics = 1};
    clear_labels(&reader, FIRST_LABELS);
    next_token(&reader);
    program->span = reader.token.text.span;
    if (!expect(&reader, "num_ranks") || !read_number(&reader, 1, MOST_GOAL_RANKS, &ranks))
        return false;
    program->rank_count = (int32_t)ranks;
    for (int32_t r = 0; r < program->rank_count; r++) {
        if (!expect(&reader, "rank") || !read_number(&reader, r, r, &number) ||
            !expect(&reader, "{"))
            return false;
        reader.rank = r;
        reader.first = (int32_t)program->operations.count;
        while (!is_word(&reader, "}"))
            if (!read_statement(&reader))
                return false;
        next_token(&reader);
    }
    if (reader.token.text.length)
        return FAIL(&reader, reader.token.text, "nothing may follow the last rank");
    if (ranks * (program->cpus + 2 * (int64_t)program->nics) > MOST_ENTRIES)
        return diag_limit(diag, program->span,
                          "%lld ranks with %d processors and %d adapters are too many",
                          (long long)ranks, program->cpus, program->nics);
    return true;
}

/* Strings by which UCC's tl/ucp chooses (UCC_TL_UCP_TUNE), as UCC 1.9 reads them:

       allreduce:0-4k:host:[2-8]:@0#allreduce:4k-inf:host:[2-8]:@sra_knomial

   Tokens are between `#`, their parts between `:` in any order. A range of sizes ends below its
   second number, where scores are alike. A file is such a string, or lines NAME=VALUE. */
#include "exchange/tuning_reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const TunedCollective collectives[] = {
#define UCC(name, collective, variant, measure) {name, collective, variant, MEASURE_##measure, {0}},
#include "exchange/tuning_collectives.def"
};
static const char *const names[] = {
#define UCC(name, collective, variant, measure) name,
#include "exchange/tuning_collectives.def"
};
enum { COUNT = COUNT_OF(collectives) };

static const char *const memories[] = {"host", "cuda", "cuda_managed", "rocm", "rocm_managed"};
enum { MEMORY_COUNT = COUNT_OF(memories), HOST = 0 };

/* A number alone that is so large is hardly a score: the default is 10. */
enum { LARGE_SCORE = 1024 };

typedef TuningRange Range;
ARRAY_TYPE(Ranges, Range);

/* What was added to the choice of one collective for one kind of memory, by rising sizes within
   each block of 2^j from a multiple of 2^j on. Item n, with 2^j as its last bit that is set, knows
   where the sizes of the block from n - 2^j below n + 2^j end. */
typedef struct {
    Range sizes, ranks;
    int64_t below;
} Added;
ARRAY_TYPE(AddedArray, Added);

/* One token; what it does not say is 0, or has no items. */
typedef struct {
    Text text;
    unsigned collectives, memories; /* bits */
    bool has_score;
    int64_t score;
    Ranges sizes, ranks;
    Text algorithm; /* behind the @ */
} Token;

/* A string that is read. */
typedef struct {
    TuningReader *in;
    AddedArray added[COUNT][MEMORY_COUNT];
    TuningRules rules;
    Ranges refused;  /* numbers of ranks for which UCC refuses the string */
    bool is_refused; /* for all of them */
} Reader;

/* Words of a list, separated by commas, as bits. False: one is not in the list. */
static bool take_words(Text part, const char *const *words, size_t count, unsigned *bits)
{
    unsigned found = 0;
    for (Text rest = part, word; next_part(&rest, ',', &word);) {
        size_t i = 0;
        while (i < count && !text_like(word, words[i]))
            i++;
        if (i == count)
            return false;
        found |= 1U << i;
    }
    *bits = found;
    return found != 0;
}

/* 4096, 4k, 4KB, inf: a number with at most one prefix, and a B behind it. */
static bool take_size(Text text, int64_t *size)
{
    static const char prefixes[] = "bkmgt";
    if (text_like(text, "inf")) {
        *size = INT64_MAX;
        return true;
    }
    Text digits = text;
    while (digits.length && !isdigit((unsigned char)digits.chars[digits.length - 1]))
        digits.length--;
    if (digits.length == 0 || !is_number(digits, size))
        return false;
    const char *unit = text.chars + digits.length;
    const size_t length = text.length - digits.length;
    const char *prefix = length ? strchr(prefixes, tolower((unsigned char)*unit)) : prefixes;
    if (!prefix || (length > 1 && tolower((unsigned char)unit[1]) != 'b'))
        return false;
    if (__builtin_mul_overflow(*size, INT64_C(1) << (10 * (prefix - prefixes)), size))
        *size = INT64_MAX;
    return true;
}

static bool take_sizes(Arena *arena, Text part, Ranges *sizes)
{
    Ranges found = {0};
    for (Text rest = part, one; next_part(&rest, ',', &one);) {
        Text ends[3];
        size_t count = 0;
        while (count < 3 && next_part(&one, '-', &ends[count]))
            count++;
        Range *range = ARRAY_PUSH(arena, &found);
        if (count != 2 || !take_size(ends[0], &range->from) || !take_size(ends[1], &range->below))
            return false;
    }
    *sizes = found;
    return found.count > 0;
}

/* [4,8-16,32-inf] */
static bool take_ranks(Arena *arena, Text part, Ranges *ranks)
{
    Ranges found = {0};
    if (part.length < 2 || part.chars[0] != '[' || part.chars[part.length - 1] != ']')
        return false;
    Text inside = text_slice(part, 1, part.length - 2);
    for (Text rest = inside, one; next_part(&rest, ',', &one);) {
        Range *range = ARRAY_PUSH(arena, &found);
        /* 4, 8-16, 32-inf */
        if (!(take_span(one, "inf", &range->from, &range->below) && range->from < range->below))
            return false;
    }
    *ranks = found;
    return found.count > 0;
}

static bool take_score(Text part, Token *token)
{
    token->has_score = text_like(part, "inf") || is_number(part, &token->score);
    if (text_like(part, "inf"))
        token->score = INT64_MAX;
    return token->has_score;
}

/* Why no field takes this part. */
static const char *explain(Text part, const Token *token)
{
    unsigned bits;
    if (text_like(part, "cpu"))
        return "no memory type: memory of the host is called host";
    if (part.chars[0] == '[')
        return "not numbers of ranks: they are [8], [2-8] or [2-inf], with rising numbers";
    if (token->collectives && take_words(part, names, COUNT, &bits))
        return "a second collective: several are separated by commas";
    if (isdigit((unsigned char)part.chars[0]))
        return "not sizes: they are a range, 0-4k or 4096-inf, with K, M, G or T and perhaps B "
               "after a number, and are given once";
    return "not a collective, a memory type, a score, sizes, [ranks] or an @algorithm";
}

/* UCC refuses the string for some numbers of ranks, and takes it for others. */
static void refuse(Reader *reader, const Range *ranks, size_t count)
{
    Ranges *refused = &reader->refused;
    reader->is_refused |= count == 0;
    for (size_t i = 0; i < count; i++) {
        const Range *last = refused->count ? &refused->items[refused->count - 1] : NULL;
        reader->is_refused |= ranks[i].from <= 1 && ranks[i].below == INT64_MAX;
        if (!last || last->from != ranks[i].from || last->below != ranks[i].below)
            *ARRAY_PUSH(reader->in->arena, refused) = ranks[i];
    }
}

static bool read_part(Reader *reader, Text part, Token *token)
{
    if ((!token->collectives && take_words(part, names, COUNT, &token->collectives)) ||
        (!token->memories && take_words(part, memories, MEMORY_COUNT, &token->memories)) ||
        (!token->has_score && take_score(part, token)) ||
        (!token->sizes.count && take_sizes(reader->in->arena, part, &token->sizes)) ||
        (!token->ranks.count && take_ranks(reader->in->arena, part, &token->ranks)))
        return true;
    if (!token->algorithm.chars && part.chars[0] == '@') {
        token->algorithm = text_behind(part, 1);
        return true;
    }
    tuning_fault(reader->in, FAULT(NO_PART), part.span, explain(part, token));
    refuse(reader, NULL, 0);
    return false;
}

/* Numbers of ranks of both, if a part of their sizes is the same. */
static bool overlap(const Added *added, Range sizes, Range ranks, Range *common)
{
    common->from = added->ranks.from > ranks.from ? added->ranks.from : ranks.from;
    common->below = added->ranks.below < ranks.below ? added->ranks.below : ranks.below;
    return added->sizes.from < sizes.below && sizes.from < added->sizes.below &&
           common->from < common->below;
}

/* The first item from i on that overlaps; their number: none. */
static size_t next_overlap(const AddedArray *all, size_t i, Range sizes, Range ranks, Range *common)
{
    const Added *items = all->items;
    for (size_t size; i < all->count && !overlap(&items[i], sizes, ranks, common); i += size)
        for (size = 1; !(i & size) && i + 2 * size <= all->count &&
                       (items[i].sizes.from >= sizes.below || items[i + size].below <= sizes.from);)
            size *= 2;
    return i;
}

static int compare_added(const void *a, const void *b)
{
    const int64_t order = ((const Added *)a)->sizes.from - ((const Added *)b)->sizes.from;
    return (order > 0) - (order < 0);
}

static int64_t note_ends(Added *items, size_t count)
{
    if (count == 1)
        return items->sizes.below;
    const int64_t low = note_ends(items, count / 2), high = note_ends(items + count / 2, count / 2);
    return items[count / 2].below = low > high ? low : high;
}

/* What a token says of one collective for one memory. Of sizes that are empty, or that were there
   before, UCC returns only what became of the last ones of a token, and passes over others. */
typedef struct {
    const Token *token;
    int collective, memory;
    const LibraryAlgorithm *runs; /* the algorithm of the token; NULL: none that is known here */
    bool is_last, is_refused;     /* the string is refused for these */
    bool is_told;
} Adding;

/* False: UCC passes over these sizes. */
static bool add_sizes(Reader *reader, Adding *adding, Range sizes, Range ranks)
{
    AddedArray *all = &reader->added[adding->collective][adding->memory];
    const Span span = adding->token->text.span;
    Range common = ranks;
    const bool is_empty = sizes.from >= sizes.below;
    const char *const name = names[adding->collective];
    const char *const why =
        is_empty ? "these sizes are empty" : "an earlier token has some of these sizes";
    size_t i = is_empty ? 0 : next_overlap(all, 0, sizes, ranks, &common);
    for (bool more = is_empty || i < all->count; more;) {
        if (!adding->is_last && !adding->is_refused) {
            if (!adding->is_told)
                tuning_fault(reader->in, FAULT(PASSED_SIZES), span, why, name);
            adding->is_told = true;
            return false;
        }
        if (!adding->is_told)
            tuning_fault(reader->in, FAULT(REFUSED_SIZES), span, why, name,
                         common.from > 1 ? common.from : 2,
                         common.below - common.from > 1 ? " and others" : "");
        adding->is_told = adding->is_refused = true;
        refuse(reader, &common, 1);
        more = common.from != ranks.from || common.below != ranks.below;
        i = more ? next_overlap(all, i + 1, sizes, ranks, &common) : i;
        more &= i < all->count;
    }
    if (is_empty)
        return false;
    *ARRAY_PUSH(reader->in->arena, all) = (Added){sizes, ranks, 0};
    const size_t last = all->count & -all->count;
    qsort(&all->items[all->count - last], last, sizeof *all->items, compare_added);
    note_ends(&all->items[all->count - last], last);
    return true;
}

static void add_rule(Reader *reader, const Adding *adding, Range sizes, Range ranks)
{
    const Span span = adding->token->text.span;
    const bool is_flat = collectives[adding->collective].measure == MEASURE_NONE;
    if (is_flat && sizes.from > 0)
        tuning_fault(reader->in, FAULT(NO_SIZE), span, names[adding->collective]);
    *ARRAY_PUSH(reader->in->arena, &reader->rules) =
        (TuningRule){.collective = adding->collective,
                     .from_ranks = ranks.from,
                     .below_ranks = ranks.below,
                     .from_size = sizes.from,
                     .below_size = is_flat && sizes.from == 0 ? INT64_MAX : sizes.below,
                     .algorithm = adding->runs ? adding->runs->number : -1,
                     .runs = adding->runs,
                     .span = span};
}

/* Finds the algorithm that a token names, by its number or name in any case: those of tl/ucp have
   numbers. False after a finding: there is no such one. */
static bool find_runs(Reader *reader, Adding *adding)
{
    const Token *token = adding->token;
    const Text word = token->algorithm;
    const char *const name = names[adding->collective];
    const int length = (int)(word.length < 64 ? word.length : 64);
    int64_t number;
    size_t at = 0;
    const bool by_number = is_number(word, &number);
    while ((adding->runs = tuned_next(reader->in, adding->collective, &at)))
        if (adding->runs->number >= 0 &&
            (by_number ? adding->runs->number == number : text_like(word, adding->runs->name)))
            return true;
    if (!*collectives[adding->collective].collective && token->collectives) {
        tuning_fault(reader->in, FAULT(SECRET), word.span, name);
        return true;
    }
    if (token->collectives)
        tuning_fault(reader->in, FAULT(NO_UCP), word.span, length, word.chars, name);
    else
        tuning_fault(reader->in, FAULT(OF_ALL), word.span, length, word.chars, name);
    refuse(reader, token->ranks.items, token->ranks.count);
    return false;
}

/* One collective for one memory. */
static void apply_to(Reader *reader, Adding *adding, bool is_last)
{
    static const Range all = {0, INT64_MAX};
    const Token *token = adding->token;
    const size_t sizes = token->sizes.count ? token->sizes.count : 1;
    const size_t ranks = token->ranks.count ? token->ranks.count : 1;
    for (size_t s = 0; s < sizes; s++)
        for (size_t r = 0; r < ranks; r++) {
            const Range size = token->sizes.count ? token->sizes.items[s] : all;
            const Range rank = token->ranks.count ? token->ranks.items[r] : all;
            adding->is_last = is_last && s + 1 == sizes;
            if (add_sizes(reader, adding, size, rank) && adding->memory == HOST &&
                token->algorithm.chars)
                add_rule(reader, adding, size, rank);
        }
}

static void read_token(Reader *reader, Text text)
{
    Token token = {.text = text};
    for (Text rest = text, part; next_part(&rest, ':', &part);)
        if (!read_part(reader, part, &token))
            return;
    if (!token.has_score && !token.algorithm.chars) {
        tuning_fault(reader->in, FAULT(IDLE), text.span);
        return;
    }
    if (token.has_score && token.score >= LARGE_SCORE && token.score < INT64_MAX &&
        !token.sizes.count)
        tuning_fault(reader->in, FAULT(SCORE), text.span, token.score);
    if (token.has_score && token.score == 0)
        tuning_fault(reader->in, FAULT(SCORE_0), text.span);
    const unsigned which = token.collectives ? token.collectives : (1U << COUNT) - 1;
    const unsigned where = token.memories ? token.memories : (1U << MEMORY_COUNT) - 1;
    for (int c = 0; c < COUNT; c++) {
        Adding adding = {.token = &token, .collective = c};
        if (!(which >> c & 1))
            continue;
        if (token.algorithm.chars && !find_runs(reader, &adding))
            return;
        /* The last memory goes first, since it decides whether UCC refuses the string. */
        for (int m = MEMORY_COUNT - 1; m >= 0 && !reader->is_refused; m--)
            if (where >> m & 1) {
                adding.memory = m;
                apply_to(reader, &adding, !(which >> c >> 1) && !(where >> m >> 1));
            }
    }
}

/* Appends the rules of a string. Where UCC refuses it, it chooses by itself. False: it refuses it
   for all numbers of ranks. */
static bool read_string(TuningReader *in, Text value, TuningRules *rules)
{
    Reader *reader = arena_alloc(in->arena, sizeof *reader);
    unsigned ruled = 0;
    *reader = (Reader){.in = in};
    for (Text rest = value, token; !reader->is_refused && next_part(&rest, '#', &token);)
        read_token(reader, token);
    if (reader->is_refused)
        return false;
    for (size_t i = 0; i < reader->rules.count; i++)
        ruled |= 1U << reader->rules.items[i].collective;
    for (size_t i = 0; i < reader->refused.count; i++)
        for (int c = 0; c < COUNT; c++)
            if (ruled >> c & 1)
                *ARRAY_PUSH(in->arena, rules) =
                    (TuningRule){.collective = c,
                                 .from_ranks = reader->refused.items[i].from,
                                 .below_ranks = reader->refused.items[i].below,
                                 .below_size = INT64_MAX,
                                 .is_rest = true,
                                 .span = value.span};
    for (size_t i = 0; i < reader->rules.count; i++)
        *ARRAY_PUSH(in->arena, rules) = reader->rules.items[i];
    return true;
}

/* A file: a string for all teams, and those of sections, which count before it. */
typedef struct {
    TuningReader *in;
    Text value; /* the string for all that counts; no characters: none yet */
    bool is_section, has_teams, is_refused;
    bool is_broken;                   /* UCC reads nothing of the file */
    TuningRange team, nodes, devices; /* of the section */
    TuningRules for_all, for_teams;
} Settings;

/* [vendor=intel model=skylake team_size=2-8 ppn=1]: for which teams the lines below are. */
static void read_section(Settings *settings, Text line)
{
    TuningReader *in = settings->in;
    Text inside = text_behind(line, 1), name, value;
    const char *others = "";
    settings->is_section = true;
    settings->team = (TuningRange){0, INT64_MAX};
    settings->nodes = settings->devices = (TuningRange){0};
    inside.length -= inside.chars[inside.length - 1] == ']';
    for (Text rest = inside, one; next_part(&rest, ' ', &one);) {
        size_t within = 0;
        const bool is_set = next_assignment(one, &within, &name, &value);
        TuningRange *range = !is_set                        ? NULL
                             : text_like(name, "team_size") ? &settings->team
                             : text_like(name, "nnodes")    ? &settings->nodes
                             : text_like(name, "ppn")       ? &settings->devices
                                                            : NULL;
        if (range ? !take_span(value, "", &range->from, &range->below)
                  : !is_set || !(text_like(name, "vendor") || text_like(name, "model") ||
                                 text_like(name, "sock")))
            settings->is_broken = !tuning_fault(in, FAULT(NO_TEAM), one.span);
        else if (!range)
            others = arena_printf(in->arena, "%s%s%.*s", others, *others ? " " : "",
                                  (int)one.length, one.chars);
    }
    if (*others)
        tuning_fault(in, FAULT(TEAMS), line.span, others);
}

/* A string that counts for the teams of a section. One that is refused leaves the choice to UCC. */
static void read_for_team(Settings *settings, Text value)
{
    TuningRules own = {0};
    const TuningRule rest = {
        .below_ranks = INT64_MAX, .below_size = INT64_MAX, .is_rest = true, .span = value.span};
    const bool is_refused = !read_string(settings->in, value, &own);
    for (int c = 0; c < COUNT && is_refused; c++) {
        TuningRule *rule = ARRAY_PUSH(settings->in->arena, &own);
        *rule = rest;
        rule->collective = c;
    }
    for (size_t i = 0; i < own.count; i++) {
        TuningRule *rule = ARRAY_PUSH(settings->in->arena, &settings->for_teams);
        *rule = own.items[i];
        if (rule->from_ranks < settings->team.from)
            rule->from_ranks = settings->team.from;
        if (rule->below_ranks > settings->team.below)
            rule->below_ranks = settings->team.below;
        rule->nodes = settings->nodes;
        rule->devices = settings->devices;
    }
    settings->has_teams = true;
}

static void read_for_all(Settings *settings, Text value)
{
    if (settings->value.chars)
        tuning_fault(settings->in, FAULT(AGAIN), settings->value.span);
    settings->value = value;
    settings->for_all.count = 0;
    settings->is_refused = !read_string(settings->in, value, &settings->for_all);
}

/* Lines of the environment, a script or ucc.conf; or the string itself, one word with a colon or an
   algorithm. */
static void read_ucc(TuningReader *in)
{
    Settings settings = {.in = in};
    Text rest = whole_of(in->source), name, value;
    for (Text line; next_line(&rest, &line);) {
        const char *chars = line.chars;
        size_t at = 0;
        if (strchr("#;", *chars))
            continue;
        if (*chars == '[' && memchr(chars, '=', line.length))
            read_section(&settings, line);
        else if (!memchr(chars, '=', line.length) && !memchr(chars, ' ', line.length) &&
                 (memchr(chars, ':', line.length) || memchr(chars, '@', line.length)))
            read_for_all(&settings, line);
        else
            while (next_assignment(line, &at, &name, &value)) {
                if (text_equals(name, "UCC_TL_UCP_TUNE"))
                    (settings.is_section ? read_for_team : read_for_all)(&settings, value);
                else if (text_ends(name, "_TUNE"))
                    tuning_fault(in, FAULT(OTHER_TUNE), name.span);
                else if (text_ends(name, "_RADIX"))
                    tuning_fault(in, FAULT(RADIX), name.span);
            }
    }
    if (settings.value.chars || settings.has_teams)
        in->file->is_dropped = settings.is_broken || (settings.is_refused && !settings.has_teams);
    else if (!in->file->findings.count)
        tuning_fault(in, FAULT(UNSET), (Span){in->source, in->source->length, 0},
                     "UCC_TL_UCP_TUNE");
    for (size_t i = 0; i < settings.for_all.count; i++)
        *ARRAY_PUSH(in->arena, &settings.for_teams) = settings.for_all.items[i];
    in->file->rules = settings.for_teams;
}

static void put_end(Buffer *text, int64_t end)
{
    if (end == INT64_MAX)
        buffer_printf(text, "inf");
    else
        buffer_printf(text, "%" PRId64, end);
}

static void write_ucc(Buffer *text, const TuningRules *rules, const char *version)
{
    (void)version;
    const char *between = "";
    buffer_printf(text, "UCC_TL_UCP_TUNE=");
    for (size_t i = 0; i < rules->count; i++) {
        const TuningRule *rule = &rules->items[i];
        if (!rule->runs)
            continue;
        buffer_printf(text, "%s%s:%" PRId64 "-", between, names[rule->collective], rule->from_size);
        put_end(text, rule->below_size);
        buffer_printf(text, ":host:[%" PRId64 "-", rule->from_ranks);
        put_end(text, rule->below_ranks == INT64_MAX ? INT64_MAX : rule->below_ranks - 1);
        buffer_printf(text, "]:@%s", rule->runs->name);
        between = "#";
    }
    buffer_printf(text, "\n");
}

const TuningFormat tuning_format_ucc = {
    .library = "ucc",
    .collectives = collectives,
    .count = COUNT,
    .what = "Choices of tl/ucp for memory of the host",
    .otherwise = "elsewhere UCC chooses by itself",
    .loading = "# To be loaded by UCC_CONFIG_FILE=FILE, or as a variable of the environment\n",
    .read = read_ucc,
    .write = write_ucc,
};

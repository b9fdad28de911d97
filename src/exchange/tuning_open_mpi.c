#include "exchange/open_mpi.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* ### What both formats have in common */

int open_mpi_most_algorithms(const char *version, int collective)
{
    const int place = strcmp(version, "4.1") == 0 ? 0 : strcmp(version, "5.0") == 0 ? 1 : 2;
    return tuned_collectives[collective].algorithms[place];
}

void open_mpi_check(TuningReader *in, TuningRule *rule)
{
    const TunedCollective *tuned = &tuned_collectives[rule->collective];
    const int most = open_mpi_most_algorithms(in->version, rule->collective);
    rule->runs = rule->algorithm ? tuned_numbered(in, rule->collective, rule->algorithm) : NULL;
    const char *called = rule->runs ? rule->runs->name : "";
    const bool is_chain = strcmp(called, "chain") == 0;
    if (rule->from_ranks >= rule->below_ranks || rule->from_size >= rule->below_size)
        return;
    if (most >= 0 && rule->algorithm > most) {
        rule->aborts_from = 1;
        tuning_fault(in, FAULT(BEYOND), rule->span, tuned->name, most, in->version);
    }
    const bool is_for_two =
        strcmp(called, "two_proc") == 0 || (rule->collective == 1 && rule->algorithm == 5);
    rule->aborts_from = is_for_two ? 3 : rule->aborts_from;
    if (is_for_two && (rule->from_ranks > 2 || rule->below_ranks > 3))
        tuning_fault(in, FAULT(FOR_TWO), rule->span, rule->from_ranks > 2 ? rule->from_ranks : 3);
    if (strcmp(called, "segmented_ring") == 0 && rule->segment == 0)
        tuning_fault(in, FAULT(RING), rule->span);
    if (is_chain && rule->fanout == 0)
        tuning_fault(in, FAULT(ONE_BRANCH), rule->span);
    if (is_chain && rule->fanout > MOST_FANOUT)
        tuning_fault(in, FAULT(MANY_BRANCHES), rule->span, MOST_FANOUT);
}

void open_mpi_check_size(TuningReader *in, const TuningRule *rule)
{
    const TunedCollective *tuned = &tuned_collectives[rule->collective];
    if (tuned->measure == MEASURE_NONE)
        tuning_fault(in, FAULT(FLAT), rule->span, tuned->name);
    else if (tuned->measure == MEASURE_TYPE_TIMES_RANKS)
        tuning_fault(in, FAULT(BY_TYPE), rule->span, tuned->name);
    else if (strcmp(tuned->name, "scatter") == 0)
        tuning_fault(in, FAULT(BY_RANK), rule->span);
}

const char open_mpi_loading[] =
    "# To be loaded with all of\n"
    "#   --mca coll_tuned_use_dynamic_rules 1\n"
    "#   --mca coll_tuned_dynamic_rules_filename FILE\n"
    "#   --mca coll ^han (from 5.0 on, where nodes have several ranks)\n";

/* ### The older format */

/* A number as scanf's %li takes it. */
typedef struct {
    int64_t value;
    Span span;
    bool is_there; /* else the file ends before it */
} Number;

/* Where the numbers of a rule stand, and those of the lists around it. */
typedef struct {
    TuningReader *in;
    bool has_requests; /* rules may have a fifth number */
    size_t at;
    size_t word_end;        /* of the word that was looked at last */
    bool is_spread;         /* it was said that a rule goes over several lines */
    Span seen[TUNED_COUNT]; /* where each collective stands; no source: nowhere yet */
} Reader;

static int next_char(const Reader *reader, size_t ahead)
{
    const size_t at = reader->at + ahead;
    return at < reader->in->source->length ? (unsigned char)reader->in->source->text[at] : -1;
}

static bool is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int digit_value(int c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 16;
}

static Span span_from(const Reader *reader, size_t from)
{
    return (Span){reader->in->source, from, reader->at - from};
}

/* Digits of a base, or none; a value that is too large is the largest. */
static bool take_digits(Reader *reader, int base, bool is_negative, int64_t *value)
{
    bool any = false;
    *value = 0;
    for (int digit; (digit = digit_value(next_char(reader, 0))) < base; reader->at++) {
        any = true;
        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, is_negative ? -digit : digit, value)) {
            *value = is_negative ? INT64_MIN : INT64_MAX;
            while (digit_value(next_char(reader, 1)) < base)
                reader->at++;
        }
    }
    return any;
}

/* The number that begins here; of a sign without one the sign is gone. */
static bool take_number(Reader *reader, Number *number)
{
    const size_t from = reader->at;
    const bool is_negative = next_char(reader, 0) == '-';
    int base = 10;
    reader->at += is_negative || next_char(reader, 0) == '+';
    const size_t digits = reader->at;
    if (next_char(reader, 0) == '0') {
        const bool is_hex = next_char(reader, 1) == 'x' || next_char(reader, 1) == 'X';
        base = is_hex ? 16 : 8;
        reader->at += is_hex ? 2 : 0;
    }
    number->is_there =
        take_digits(reader, base, is_negative, &number->value) || reader->at > digits;
    if (!number->is_there)
        return false;
    number->span = span_from(reader, from);
    if (base == 8 && reader->at > digits + 1)
        tuning_fault(reader->in, FAULT(OCTAL), number->span, number->value);
    const int after = next_char(reader, 0);
    if (after == '.' || after == '_' || after == '+' || after == '-' || isalnum(after)) {
        /* Where the word ends that the reader is in: several numbers may be read from one, each
           of which asks. */
        if (reader->word_end <= reader->at) {
            const size_t at = reader->at;
            while (next_char(reader, 0) >= 0 && next_char(reader, 0) != '#' &&
                   !is_blank(next_char(reader, 0)))
                reader->at++;
            reader->word_end = reader->at;
            reader->at = at;
        }
        const Span word = {reader->in->source, from, reader->word_end - from};
        tuning_fault(reader->in, FAULT(SPLIT), word, number->value);
    }
    return true;
}

/* What is no number is passed over, byte by byte. */
static Number next_number(Reader *reader)
{
    Number number = {0};
    for (;;) {
        while (is_blank(next_char(reader, 0)))
            reader->at++;
        if (next_char(reader, 0) < 0) {
            number.span = (Span){reader->in->source, reader->in->source->length, 0};
            return number;
        }
        const size_t from = reader->at;
        if (take_number(reader, &number))
            return number;
        const int c = next_char(reader, 0);
        if (c == '#') {
            while (next_char(reader, 0) >= 0 && next_char(reader, 0) != '\n')
                reader->at++;
            reader->at += next_char(reader, 0) == '\n';
            continue;
        }
        reader->at += c >= 0;
        const int before = from ? (unsigned char)reader->in->source->text[from - 1] : ' ';
        if (is_blank(before))
            tuning_fault(reader->in, FAULT(NO_NUMBER), (Span){reader->in->source, from, 1});
    }
}

/* A number of at least 0; it is kept as an int unless it `is_long`. False: the file is dropped. */
static bool read_number(Reader *reader, const char *what, bool is_long, Number *number)
{
    *number = next_number(reader);
    if (!number->is_there)
        return tuning_fault(reader->in, FAULT(ENDS), number->span, what);
    const int64_t value = number->value;
    if (!is_long && (value > INT_MAX || value < INT_MIN)) {
        number->value = (int32_t)(uint32_t)(uint64_t)value;
        tuning_fault(reader->in, FAULT(WIDE), number->span, what, number->value);
    }
    if (number->value < 0)
        tuning_fault(reader->in, FAULT(NEGATIVE), number->span, what);
    return number->value >= 0;
}

static bool read_count(Reader *reader, const char *what, Number *number)
{
    return read_number(reader, what, false, number);
}

/* Says that sizes of messages, or of communicators, do not rise. */
static void tell_order(TuningReader *in, Span span, bool of_messages, int64_t own, int64_t largest)
{
    const char *what = of_messages ? "message size" : "communicator size";
    const char *which = of_messages ? "the rule" : "the one";
    if (own == largest)
        tuning_fault(in, FAULT(REPEATED), span, what, own, which);
    else
        tuning_fault(in, FAULT(FALLING), span, what, which, largest);
}

/* The rules of a list apply from the largest size so far to below the next one. */
static void settle_sizes(TuningReader *in, size_t from, size_t end, int64_t from_ranks,
                         int64_t below_ranks)
{
    TuningRule *rules = in->file->rules.items;
    for (size_t i = from; i < end; i++) {
        TuningRule *rule = &rules[i];
        const int64_t own = rule->from_size, before = i > from ? rules[i - 1].from_size : -1;
        rule->from_ranks = from_ranks;
        rule->below_ranks = below_ranks;
        rule->from_size = own > before ? own : before;
        rule->below_size = i + 1 < end ? rules[i + 1].from_size : INT64_MAX;
        if (own <= before)
            tell_order(in, rule->span, true, own, before);
        else if (i > from && (strcmp(tuned_collectives[rule->collective].name, "scatter") != 0 ||
                              rule->algorithm != rules[i - 1].algorithm))
            open_mpi_check_size(in, rule);
    }
}

/* One rule: size, algorithm, fan-out, segment, and in new files requests. */
static bool read_rule(Reader *reader, int collective, bool is_first)
{
    TuningReader *in = reader->in;
    Number size, algorithm, fanout, segment;
    size_t blanks = 0;
    if (!read_number(reader, "a message size", true, &size))
        return false;
    if (is_first && size.value != 0)
        tuning_fault(in, FAULT(NOT_ZERO), size.span);
    if (!read_count(reader, "the number of an algorithm", &algorithm) ||
        !read_count(reader, "a fan-out", &fanout) ||
        !read_number(reader, "a segment size", true, &segment))
        return false;
    while (next_char(reader, blanks) == ' ' || next_char(reader, blanks) == '\t')
        blanks++;
    if (reader->has_requests && digit_value(next_char(reader, blanks)) < 10) /* on this line */
        next_number(reader);
    const Span span = span_from(reader, size.span.offset);
    if (!reader->is_spread && memchr(in->source->text + span.offset, '\n', span.length)) {
        reader->is_spread = true;
        tuning_fault(in, FAULT(SPREAD), size.span);
    }
    *ARRAY_PUSH(in->arena, &in->file->rules) = (TuningRule){.collective = collective,
                                                            .from_size = size.value,
                                                            .algorithm = algorithm.value,
                                                            .fanout = fanout.value,
                                                            .segment = segment.value,
                                                            .span = span};
    return true;
}

/* The number of items that follow. */
static bool read_length(Reader *reader, const char *what, Number *count)
{
    if (!read_count(reader, what, count))
        return false;
    if (count->value == 0)
        tuning_fault(reader->in, FAULT(NO_RULES), count->span);
    return true;
}

/* An entry of a collective: a size of communicators, and where its rules begin. */
typedef struct {
    Number ranks;
    size_t first;
} SizeEntry;
ARRAY_TYPE(SizeEntries, SizeEntry);

/* An entry applies from the largest size so far to below the next one, the first also to fewer
   ranks. In 6.0 it applies from the size of the one before to below its own, the last to all that
   are more. */
static void settle_ranks(TuningReader *in, const SizeEntries *entries)
{
    const bool are_ends = *in->version == '6';
    const TuningRules *rules = &in->file->rules;
    int64_t largest = 0;
    if (are_ends && entries->count > 1)
        tuning_fault(in, FAULT(BELOW), entries->items[0].ranks.span, entries->items[0].ranks.value);
    for (size_t i = 0; i < entries->count; i++) {
        const SizeEntry *entry = &entries->items[i];
        const SizeEntry *next = i + 1 < entries->count ? entry + 1 : NULL;
        const int64_t own = entry->ranks.value, before = largest;
        if (!are_ends && i > 0 && own <= before)
            tell_order(in, entry->ranks.span, false, own, before);
        else if (!are_ends && i == 0 && own > 2)
            tuning_fault(in, FAULT(FEWER), entry->ranks.span, own);
        largest = own > largest ? own : largest;
        const int64_t end =
            next && !are_ends && next->ranks.value > largest ? next->ranks.value : largest;
        settle_sizes(in, entry->first, next ? next->first : rules->count,
                     are_ends ? before
                     : i      ? largest
                              : 0,
                     next ? end : INT64_MAX);
    }
}

static bool read_collective(Reader *reader)
{
    TuningReader *in = reader->in;
    TuningRules *rules = &in->file->rules;
    Number id, count;
    if (!read_count(reader, "the id of a collective", &id))
        return false;
    if (id.value >= TUNED_COUNT)
        return tuning_fault(in, FAULT(MANY), id.span, TUNED_COUNT);
    const int collective = (int)id.value;
    if (!read_length(reader, "the number of communicator sizes", &count))
        return false;
    if (reader->seen[collective].source) {
        /* Of several lists of a collective the last one counts. */
        tuning_fault(in, FAULT(AGAIN), reader->seen[collective]);
        for (size_t j = 0; j < rules->count; j++)
            if (rules->items[j].collective == collective)
                tuning_empty(&rules->items[j]);
    }
    reader->seen[collective] = id.span;
    if (open_mpi_most_algorithms(in->version, collective) < 0)
        tuning_fault(in, FAULT(UNTUNED), id.span, tuned_collectives[collective].name);
    const size_t first = rules->count;
    SizeEntries entries = {0};
    /* Rules of one size of communicators are settled when the next size is known. */
    for (int64_t i = 0; i < count.value; i++) {
        SizeEntry *entry = ARRAY_PUSH(in->arena, &entries);
        Number sizes;
        entry->first = rules->count;
        if (!read_count(reader, "a communicator size", &entry->ranks) ||
            !read_length(reader, "the number of message sizes", &sizes))
            return false;
        for (int64_t j = 0; j < sizes.value; j++)
            if (!read_rule(reader, collective, j == 0))
                return false;
    }
    settle_ranks(in, &entries);
    for (size_t i = first; i < rules->count; i++)
        open_mpi_check(in, &rules->items[i]);
    return true;
}

/* The version of the format, which 5.0.7 and later read at the very beginning. */
static void read_header(Reader *reader)
{
    static const char header[] = "rule-file-version-";
    const size_t length = sizeof header - 1;
    if (reader->in->source->length <= length ||
        memcmp(reader->in->source->text, header, length) != 0 ||
        digit_value((unsigned char)reader->in->source->text[length]) > 9)
        return;
    if (strcmp(reader->in->version, "4.1") == 0) {
        tuning_fault(reader->in, FAULT(NO_HEADER), (Span){reader->in->source, 0, length + 1});
        return;
    }
    int64_t version;
    reader->at = length;
    take_digits(reader, 10, false, &version);
    reader->has_requests = version >= 2;
    if (*reader->in->version == '5')
        tuning_fault(reader->in, FAULT(NEW_HEADER), (Span){reader->in->source, 0, reader->at});
}

/* Rules as coll/tuned of 4.1 or 5.0 reads them: numbers by scanf's %li, `#` to the end of a line,
   anything else passed over. */
void open_mpi_read_rules(TuningReader *in)
{
    Reader state = {.in = in}, *reader = &state;
    Number count, rest;
    if (han_is_rules(in)) {
        han_read_rules(in);
        return;
    }
    reader->at = source_mark(in->source); /* passed over as anything else; check says so */
    if (reader->at == 0)
        read_header(reader);
    if (in->file->is_dropped || !read_count(reader, "the number of collectives", &count))
        return;
    if (count.value > TUNED_COUNT) {
        tuning_fault(in, FAULT(MANY), count.span, TUNED_COUNT);
        return;
    }
    for (int64_t i = 0; i < count.value; i++)
        if (!read_collective(reader))
            return;
    rest = next_number(reader);
    if (rest.is_there)
        tuning_fault(in, FAULT(UNREAD), rest.span);
}

static void write_collective(Buffer *text, const TuningRules *rules, size_t from, size_t count)
{
    size_t sizes = 0;
    for (size_t i = 0; i < count; i += tuning_alike(rules, from + i, true))
        sizes++;
    const int id = rules->items[from].collective;
    buffer_printf(text, "\n%d # %s\n%zu # numbers of ranks\n", id, tuned_collectives[id].name,
                  sizes);
    for (size_t i = 0; i < count;) {
        const size_t alike = tuning_alike(rules, from + i, true);
        const TuningRule *rule = &rules->items[from + i];
        buffer_printf(text, "%" PRId64 " # ranks", rule->from_ranks);
        if (rule->below_ranks == INT64_MAX)
            buffer_printf(text, " and more");
        else if (rule->below_ranks - 1 > rule->from_ranks)
            buffer_printf(text, " to %" PRId64, rule->below_ranks - 1);
        buffer_printf(text, "\n%zu # rules: size, algorithm, fan-out, segment\n", alike);
        for (size_t end = i + alike; i < end; i++, rule++)
            buffer_printf(text, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
                          rule->from_size, rule->algorithm, rule->fanout, rule->segment);
    }
}

/* The rules as a file for all versions that read one, without a comment at its head; it is read
   back as these rules, but that the first numbers of ranks of a collective count for fewer ranks
   too. Rules are by collective, by ranks and by size, without gaps, the first size being 0. */
static void write_rules(Buffer *text, const TuningRules *rules, const char *version)
{
    (void)version;
    size_t collectives = 0;
    for (size_t i = 0; i < rules->count; i += tuning_alike(rules, i, false))
        collectives++;
    buffer_printf(text, "%zu # collectives\n", collectives);
    for (size_t i = 0; i < rules->count;) {
        const size_t count = tuning_alike(rules, i, false);
        write_collective(text, rules, i, count);
        i += count;
    }
}

const TuningFormat tuning_format_open_mpi = {
    .library = "open-mpi",
    .collectives = tuned_collectives,
    .count = TUNED_COUNT,
    .what = "Rules",
    .otherwise = "0 leaves the choice to the library",
    .loading = open_mpi_loading,
    .read = open_mpi_read_rules,
    .write = write_rules,
};

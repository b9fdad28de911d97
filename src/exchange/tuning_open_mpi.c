#include "exchange/open_mpi.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* A number as scanf's %li takes it. */
typedef struct {
    int64_t value;
    Span span;
    bool is_there; /* else the file ends before it */
} Number;

/* Where the numbers of a rule stand, and those of the lists around it. */
typedef struct {
    Arena *arena;
    const Source *source;
    const Implementation *library;
    const char *version;
    bool has_requests; /* rules may have a fifth number */
    size_t at;
    size_t word_end; /* of the word that was looked at last */
    TuningFile *file;
    bool is_spread;         /* it was said that a rule goes over several lines */
    Span seen[TUNED_COUNT]; /* where each collective stands; no source: nowhere yet */
} Reader;

static int next_char(const Reader *reader, size_t ahead)
{
    const size_t at = reader->at + ahead;
    return at < reader->source->length ? (unsigned char)reader->source->text[at] : -1;
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
    return (Span){reader->source, from, reader->at - from};
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

/* Where the word ends that the reader is in: several numbers may be read from one, each of which
   asks. */
static size_t find_word_end(Reader *reader)
{
    if (reader->word_end <= reader->at) {
        const size_t at = reader->at;
        while (next_char(reader, 0) >= 0 && next_char(reader, 0) != '#' &&
               !is_blank(next_char(reader, 0)))
            reader->at++;
        reader->word_end = reader->at;
        reader->at = at;
    }
    return reader->word_end;
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
        FAULT(MISREAD, number->span, "a number that begins with 0 is octal: this is %" PRId64,
              number->value);
    const int after = next_char(reader, 0);
    if (after == '.' || after == '_' || after == '+' || after == '-' || isalnum(after)) {
        const Span word = {reader->source, from, find_word_end(reader) - from};
        FAULT(MISREAD, word,
              "this is read as %" PRId64
              ", and what follows it by itself: numbers have no suffixes, "
              "exponents or separators",
              number->value);
    }
    return true;
}

static void skip_line(Reader *reader)
{
    while (next_char(reader, 0) >= 0 && next_char(reader, 0) != '\n')
        reader->at++;
    reader->at += next_char(reader, 0) == '\n';
}

/* What is no number is passed over, byte by byte. */
static Number next_number(Reader *reader)
{
    Number number = {0};
    for (;;) {
        while (is_blank(next_char(reader, 0)))
            reader->at++;
        if (next_char(reader, 0) < 0) {
            number.span = (Span){reader->source, reader->source->length, 0};
            return number;
        }
        const size_t from = reader->at;
        if (take_number(reader, &number))
            return number;
        const int c = next_char(reader, 0);
        if (c == '#') {
            skip_line(reader);
            continue;
        }
        reader->at += c >= 0;
        const int before = from ? (unsigned char)reader->source->text[from - 1] : ' ';
        if (is_blank(before))
            FAULT(IGNORED, ((Span){reader->source, from, 1}),
                  "what is no number is passed over, but numbers after it count: a comment begins "
                  "with #");
    }
}

/* Does another number follow on this line? */
static bool has_more(const Reader *reader)
{
    size_t ahead = 0;
    while (next_char(reader, ahead) == ' ' || next_char(reader, ahead) == '\t')
        ahead++;
    return digit_value(next_char(reader, ahead)) < 10;
}

/* A number of at least 0; it is kept as an int unless it `is_long`. False: the file is dropped. */
static bool read_number(Reader *reader, const char *what, bool is_long, Number *number)
{
    *number = next_number(reader);
    if (!number->is_there) {
        FAULT(DROPPED, number->span, "the file ends where %s is expected: it is dropped as a whole",
              what);
        return false;
    }
    const int64_t value = number->value;
    if (!is_long && (value > INT_MAX || value < INT_MIN)) {
        number->value = (int32_t)(uint32_t)(uint64_t)value;
        FAULT(MISREAD, number->span, "%s does not fit in 32 bits: it is read as %" PRId64, what,
              number->value);
    }
    if (number->value < 0)
        FAULT(DROPPED, number->span, "%s cannot be negative: the file is dropped as a whole", what);
    return number->value >= 0;
}

static bool read_count(Reader *reader, const char *what, Number *number)
{
    return read_number(reader, what, false, number);
}

/* The rules of a list apply from the largest size so far to below the next one. */
static void settle_sizes(Reader *reader, size_t from, int64_t from_ranks, int64_t below_ranks)
{
    TuningRules *rules = &reader->file->rules;
    int64_t largest = 0;
    for (size_t i = from; i < rules->count; i++) {
        TuningRule *rule = &rules->items[i];
        const int64_t own = rule->from_size;
        const TunedCollective *tuned = &tuned_collectives[rule->collective];
        rule->from_ranks = from_ranks;
        rule->below_ranks = below_ranks;
        largest = own > largest || i == from ? own : largest;
        rule->from_size = largest;
        rule->below_size = i + 1 < rules->count ? rules->items[i + 1].from_size : INT64_MAX;
        if (i > from && own <= rules->items[i - 1].from_size)
            FAULT(DEAD, rule->span,
                  own == rules->items[i - 1].from_size
                      ? "message size %" PRId64 " is there twice: the rule before never applies"
                      : "message sizes must rise: the rule before never applies, and this one only "
                        "from %" PRId64 " on",
                  rule->from_size);
        else if (i > from && (strcmp(tuned->name, "scatter") != 0 ||
                              rule->algorithm != rules->items[i - 1].algorithm))
            open_mpi_check_size(reader->arena, reader->file, rule);
    }
}

/* One rule: size, algorithm, fan-out, segment, and in new files requests. */
static bool read_rule(Reader *reader, TuningRules *rules, int collective, bool is_first)
{
    Number size = next_number(reader), algorithm, fanout, segment;
    if (!size.is_there) {
        FAULT(DROPPED, size.span,
              "the file ends where a message size is expected, so that it is dropped as a whole: a "
              "count before it is too large");
        return false;
    }
    if (size.value < 0) {
        FAULT(DROPPED, size.span,
              "a message size cannot be negative: the file is dropped as a whole");
        return false;
    }
    if (is_first && size.value != 0)
        FAULT(DROPPED, size.span,
              "the first message size of a communicator size must be 0: the file is dropped as a "
              "whole");
    if (!read_count(reader, "the number of an algorithm", &algorithm) ||
        !read_count(reader, "a fan-out", &fanout) ||
        !read_number(reader, "a segment size", true, &segment))
        return false;
    if (reader->has_requests && has_more(reader))
        next_number(reader);
    const Span span = span_from(reader, size.span.offset);
    if (!reader->is_spread && memchr(reader->source->text + span.offset, '\n', span.length)) {
        reader->is_spread = true;
        FAULT(REMARK, size.span,
              "the numbers of this rule stand on several lines: is a count before it wrong?");
    }
    *ARRAY_PUSH(reader->arena, rules) = (TuningRule){.collective = collective,
                                                     .from_size = size.value,
                                                     .algorithm = algorithm.value,
                                                     .fanout = fanout.value,
                                                     .segment = segment.value,
                                                     .span = span};
    return true;
}

/* One size of communicators with its rules. Those are settled when the next size is known. */
static bool read_size(Reader *reader, int collective, Number *ranks)
{
    Number count;
    if (!read_count(reader, "a communicator size", ranks) ||
        !read_count(reader, "the number of message sizes", &count))
        return false;
    if (count.value == 0)
        FAULT(REMARK, count.span, "no rules: the library chooses by itself");
    for (int64_t i = 0; i < count.value; i++)
        if (!read_rule(reader, &reader->file->rules, collective, i == 0))
            return false;
    return true;
}

/* An entry of a collective: a size of communicators, and where its rules begin. */
typedef struct {
    Number ranks;
    size_t first;
} SizeEntry;
ARRAY_TYPE(SizeEntries, SizeEntry);

/* In 6.0 an entry applies from the size of the one before to below its own, the last to all that
   are more. */
static void settle_as_ends(Reader *reader, const SizeEntries *entries)
{
    TuningRules *rules = &reader->file->rules;
    const TuningRules all = *rules;
    int64_t from = 0;
    if (entries->count > 1)
        FAULT(MISREAD, entries->items[0].ranks.span,
              "Open MPI 6 reads a communicator size as where its rules end, here below %" PRId64
              " ranks, and the last one as open: write JSON",
              entries->items[0].ranks.value);
    for (size_t i = 0; i < entries->count; i++) {
        const bool is_last = i + 1 == entries->count;
        const int64_t own = is_last ? INT64_MAX : entries->items[i].ranks.value;
        if (!is_last)
            rules->count = entries->items[i + 1].first;
        settle_sizes(reader, entries->items[i].first, from, own > from ? own : from);
        from = own > from ? own : from;
        *rules = all;
    }
}

/* An entry applies from the largest size so far to below the next one, the first also to fewer
   ranks. */
static void settle_ranks(Reader *reader, const SizeEntries *entries)
{
    TuningRules *rules = &reader->file->rules;
    const TuningRules all = *rules;
    int64_t largest = 0;
    for (size_t i = 0; i < entries->count; i++) {
        const SizeEntry *entry = &entries->items[i];
        const int64_t own = entry->ranks.value;
        int64_t below = INT64_MAX;
        if (i + 1 < entries->count) {
            below = entries->items[i + 1].ranks.value;
            rules->count = entries->items[i + 1].first;
        }
        if (i == 0 && own > below)
            below = own;
        if (i > 0 && own <= largest)
            FAULT(DEAD, entry->ranks.span,
                  own == largest
                      ? "communicator size %" PRId64 " is there twice: the one before never applies"
                      : "communicator sizes must rise: the one before never applies, and this one "
                        "only from %" PRId64 " ranks on",
                  largest);
        else if (i == 0 && own > 2)
            FAULT(REMARK, entry->ranks.span,
                  "the first communicator size also applies to fewer than %" PRId64 " ranks", own);
        largest = own > largest ? own : largest;
        settle_sizes(reader, entry->first, i ? largest : 0, below);
        *rules = all;
    }
}

static bool read_collective(Reader *reader)
{
    Number id, count;
    if (!read_count(reader, "the id of a collective", &id))
        return false;
    if (id.value >= TUNED_COUNT) {
        FAULT(DROPPED, id.span, "collectives are 0 to %d: the file is dropped as a whole",
              TUNED_COUNT - 1);
        return false;
    }
    const int collective = (int)id.value;
    if (!read_count(reader, "the number of communicator sizes", &count))
        return false;
    TuningRules *rules = &reader->file->rules;
    if (reader->seen[collective].source) {
        FAULT(DEAD, reader->seen[collective],
              "the rules for %s stand here and again further down: these never apply",
              tuned_collectives[collective].name);
        for (size_t i = 0; i < rules->count; i++)
            if (rules->items[i].collective == collective)
                rules->items[i].below_ranks = rules->items[i].from_ranks;
    }
    reader->seen[collective] = id.span;
    if (open_mpi_most_algorithms(reader->version, collective) < 0)
        FAULT(IGNORED, id.span, "coll/tuned does not choose for %s: these rules have no effect",
              tuned_collectives[collective].name);
    if (count.value == 0)
        FAULT(REMARK, count.span, "no rules: the library chooses by itself");
    const size_t first = rules->count;
    SizeEntries entries = {0};
    bool good = true;
    for (int64_t i = 0; i < count.value && good; i++) {
        SizeEntry *entry = ARRAY_PUSH(reader->arena, &entries);
        entry->first = rules->count;
        good = read_size(reader, collective, &entry->ranks);
    }
    if (!good)
        return false;
    if (*reader->version == '6')
        settle_as_ends(reader, &entries);
    else
        settle_ranks(reader, &entries);
    for (size_t i = first; i < rules->count; i++) {
        TuningRule *rule = &rules->items[i];
        rule->runs =
            open_mpi_algorithm(reader->library, reader->version, collective, rule->algorithm);
        open_mpi_check(reader->arena, reader->file, reader->version, rule);
    }
    return true;
}

/* The version of the format, which 5.0.7 and later read at the very beginning. */
static void read_header(Reader *reader)
{
    static const char header[] = "rule-file-version-";
    const size_t length = sizeof header - 1;
    if (reader->source->length <= length || memcmp(reader->source->text, header, length) != 0 ||
        digit_value((unsigned char)reader->source->text[length]) > 9)
        return;
    if (strcmp(reader->version, "4.1") == 0) {
        FAULT(DROPPED, ((Span){reader->source, 0, length + 1}),
              "the version of the format is for Open MPI 5.0.7 and later: of 4.1 only 4.1.8 reads "
              "it, others drop the whole file");
        return;
    }
    int64_t version;
    reader->at = length;
    take_digits(reader, 10, false, &version);
    reader->has_requests = version >= 2;
    if (*reader->version == '5')
        FAULT(REMARK, ((Span){reader->source, 0, reader->at}),
              "Open MPI before 5.0.7 drops a file with this line");
}

/* After the last collective: numbers that nothing reads. */
static void check_rest(Reader *reader)
{
    Number rest = next_number(reader);
    if (rest.is_there)
        FAULT(IGNORED, rest.span,
              "nothing reads from here on: a count before it is too small, or there are more "
              "collectives than the first number says");
}

TuningFile tuning_read_open_mpi(Arena *arena, const Source *source, const Implementation *library,
                                const char *version)
{
    TuningFile file = {0};
    Reader place = {.arena = arena,
                    .source = source,
                    .library = library,
                    .version = version,
                    .file = &file},
           *reader = &place;
    Number count;
    if (han_is_rules(source))
        return han_read_rules(arena, source, version);
    read_header(reader);
    bool good = !file.is_dropped && read_count(reader, "the number of collectives", &count);
    if (good && count.value > TUNED_COUNT) {
        FAULT(DROPPED, count.span,
              "there are %d collectives: with more the file is dropped as a whole", TUNED_COUNT);
        good = false;
    }
    for (int64_t i = 0; good && i < count.value; i++)
        good = read_collective(reader);
    if (good)
        check_rest(reader);
    tuning_sort(&file);
    return file;
}

static void write_collective(Buffer *text, const TuningRules *rules, size_t from, size_t count)
{
    size_t sizes = 0;
    for (size_t i = 0; i < count; i += open_mpi_alike(rules, from + i, true))
        sizes++;
    const int id = rules->items[from].collective;
    buffer_printf(text, "\n%d # %s\n%zu # numbers of ranks\n", id, tuned_collectives[id].name,
                  sizes);
    for (size_t i = 0; i < count;) {
        const size_t alike = open_mpi_alike(rules, from + i, true);
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
    for (size_t i = 0; i < rules->count; i += open_mpi_alike(rules, i, false))
        collectives++;
    buffer_printf(text, "%zu # collectives\n", collectives);
    for (size_t i = 0; i < rules->count;) {
        const size_t count = open_mpi_alike(rules, i, false);
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
    .read = tuning_read_open_mpi,
    .write = write_rules,
};

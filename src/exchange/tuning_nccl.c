/* Tables of tuners (NCCL_TUNER_CONFIG_FILE): of NCCL's example plugin, and of RCCL, which has one
   built in,

       collective,min_bytes,max_bytes,algorithm,protocol,channels,nodes,ranks
           [,pipe ops[,registered]]

   and of NCCLX (NCCLX_TUNER_CONFIG_FILE), whose sizes and ranks are per rank and per node,

       collective,bytes,algorithm,protocol,channels,nodes,ranks[,chunk]

   with intervals such as [0,1024) and (1024,). The first line that fits a call counts; what the
   library does not have is passed over. Sizes of the first two are the larger of what a rank sends
   and receives in all. NCCL 2.27 to 2.30, plugins/tuner/example; rocm-systems,
   projects/rccl/src/plugin/tuner; torchcomms, comms/ncclx/meta/tuner. */
#include "base/whole.h"
#include "exchange/tuning_reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const TunedCollective collectives[] =
    {
#define NCCL(name, collective, measure, by_rank) {name, collective, "", MEASURE_##measure, {0}},
#include "exchange/tuning_collectives.def"
},
                             collectives_by_rank[] = {
#define NCCL(name, collective, measure, by_rank) {name, collective, "", MEASURE_##by_rank, {0}},
#include "exchange/tuning_collectives.def"
};
enum { COUNT = COUNT_OF(collectives), ALLREDUCE = COUNT - 1 };

const char *const nccl_algorithms[] = {
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat", NULL};
const char *const nccl_protocols[] = {"ll", "ll128", "simple", NULL};
enum { RING = 1, SIMPLE = 2 };

/* A line is read into so many bytes at a time; fields of it. */
enum { LONGEST_PIECE = 255, LEAST_FIELDS = 8, MOST_FIELDS = 10 };

typedef struct {
    TuningReader *in;
    bool is_example;      /* NCCL's plugin, which reads words that it does not know as others */
    bool has_last[COUNT]; /* a line for all calls */
} Reader;

/* -1: it is not there. */
static int find_word(Text field, const char *const *words)
{
    int found = 0;
    while (words[found] && !text_equals(field, words[found]))
        found++;
    return words[found] ? found : -1;
}

/* The place of a word in a list. If it is not there, the plugin takes another one; -1: the line is
   passed over. */
static int word_or(Reader *reader, Text field, const char *const *words, int other,
                   const char *what)
{
    const int found = find_word(field, words);
    if (found < 0 && reader->is_example)
        tuning_fault(reader->in, FAULT(NO_WORD), field.span, what, words[other]);
    else if (found < 0)
        tuning_fault(reader->in, FAULT(PASSED_WORD), field.span, what);
    return found < 0 && reader->is_example ? other : found;
}

/* Digits as strtoull takes them; where there are none, 0. A negative size is the largest. */
static int64_t read_number(Reader *reader, Text field, bool is_size)
{
    const char *text = field.chars;
    size_t at = 0;
    int64_t value = 0;
    const bool is_negative = field.length && *text == '-';
    at += field.length && (*text == '-' || *text == '+');
    const size_t digits = at;
    for (; at < field.length && isdigit((unsigned char)text[at]); at++)
        value = whole_append_digit(value, text[at] - '0');
    if (at == digits)
        at = value = 0;
    if (at < field.length)
        tuning_fault(reader->in, FAULT(CUT), field.span, is_negative ? -value : value);
    return !is_negative || value == 0 ? value : is_size ? INT64_MAX : -value;
}

/* Adds a rule if the library has its algorithm. Does a call get there? Of lines before only those
   of ring always are there to take its calls. */
static bool add_rule(Reader *reader, TuningRule rule, bool applies)
{
    TuningReader *in = reader->in;
    const char *const algorithm = nccl_algorithms[rule.algorithm - 1];
    rule.runs = tuned_named(in, rule.collective, text_plain(algorithm));
    if (applies && !rule.runs)
        tuning_fault(in, FAULT(LACKING), rule.span, algorithm, collectives[rule.collective].name);
    applies = applies && rule.runs && tuning_is_reached(in, &rule, rule.span, 0, RING + 1);
    if (!applies)
        tuning_empty(&rule);
    *ARRAY_PUSH(in->arena, &in->file->rules) = rule;
    return applies;
}

static void read_fields(Reader *reader, Text line, const Text *fields, int count)
{
    TuningReader *in = reader->in;
    const char *names[COUNT + 1] = {NULL};
    for (int i = 0; i < COUNT; i++)
        names[i] = collectives[i].name;
    const int collective = word_or(reader, fields[0], names, ALLREDUCE, "collective");
    const int algorithm =
        collective < 0 ? -1 : word_or(reader, fields[3], nccl_algorithms, RING, "algorithm");
    const int protocol =
        algorithm < 0 ? -1 : word_or(reader, fields[4], nccl_protocols, SIMPLE, "protocol");
    if (protocol < 0)
        return;
    const int64_t least = read_number(reader, fields[1], true);
    const int64_t most = read_number(reader, fields[2], true);
    int64_t number[] = {0, 0, 0, -1, -1}; /* channels, nodes, ranks, pipe ops, registered */
    for (int i = 5; i < count; i++)
        number[i - 5] = read_number(reader, fields[i], false);
    const int64_t nodes = number[1], ranks = number[2];
    const TuningRule rule = {.collective = collective,
                             .from_ranks = ranks == -1 ? 0 : ranks,
                             .below_ranks =
                                 ranks == -1 || ranks == INT64_MAX ? INT64_MAX : ranks + 1,
                             .from_size = least,
                             .below_size = most == INT64_MAX ? most : most + 1,
                             .nodes = {nodes, nodes > 0 && nodes < INT64_MAX ? nodes + 1 : 0},
                             .algorithm = algorithm + 1,
                             .protocol = protocol,
                             .span = line.span};
    bool applies = false;
    if (number[0] == -1 && reader->is_example)
        tuning_fault(in, FAULT(ONE_CHANNEL), fields[5].span);
    if ((ranks != -1 && ranks < 1) || (nodes != -1 && nodes < 1))
        tuning_fault(in, FAULT(NO_RANKS), line.span);
    else if (protocol != SIMPLE && algorithm > RING)
        tuning_fault(in, FAULT(SIMPLE_ONLY), line.span, nccl_algorithms[algorithm]);
    else if (number[3] > 1 || number[3] == 0 || number[4] > 0)
        tuning_fault(in, FAULT(GROUPED), line.span);
    else
        applies = true;
    if (add_rule(reader, rule, applies))
        reader->has_last[collective] |= ranks == -1 && nodes == -1 && most == INT64_MAX;
}

/* "*", "8", "[0,1024)", "(1024,)": numbers from the first to below the second. */
static bool take_interval(Text text, int64_t *from, int64_t *below)
{
    *from = 0;
    *below = INT64_MAX;
    if (text_like(text, "*"))
        return true;
    const char *chars = text.chars, *comma = memchr(chars, ',', text.length);
    const size_t last = text.length - 1;
    if (!comma) {
        *below = is_number(text, from) ? *from : 0;
        *below += *below < INT64_MAX;
        return text.length && is_number(text, from);
    }
    const size_t middle = (size_t)(comma - chars);
    if (!strchr("[(", chars[0]) || !strchr("])", chars[last]))
        return false;
    const Text low = strip(text_slice(text, 1, middle - 1), " ");
    const Text high = strip(text_slice(text, middle + 1, last - middle - 1), " ");
    if (!is_number(low, from) || (high.length && !is_number(high, below)))
        return false;
    *from += chars[0] == '(' && *from < INT64_MAX;
    *below += chars[last] == ']' && high.length && *below < INT64_MAX;
    if (*below == 0) /* which would be all */
        *from = *below = 1;
    return true;
}

static void read_interval_line(Reader *reader, Text line)
{
    TuningReader *in = reader->in;
    Text fields[MOST_FIELDS];
    TuningRule rule = {.below_ranks = INT64_MAX, .span = line.span};
    int count = 0, depth = 0;
    size_t from = 0;
    for (size_t at = 0; at <= line.length && count < MOST_FIELDS; at++) {
        /* between commas outside of brackets */
        const char c = at < line.length ? line.chars[at] : ',';
        depth += (c == '[' || c == '(') - (c == ']' || c == ')');
        if (c != ',' || (depth > 0 && at < line.length))
            continue;
        fields[count++] = strip(text_slice(line, from, at - from), " \t");
        from = at + 1;
    }
    if (count < 7 || count > 8) {
        tuning_fault(in, FAULT(REFUSED_LINE), line.span, "a line has 7 or 8 fields");
        return;
    }
    const int collective = tuned_collective(collectives, COUNT, fields[0]);
    const int algorithm = find_word(fields[2], nccl_algorithms);
    const int protocol = find_word(fields[3], nccl_protocols);
    if (collective == COUNT)
        tuning_fault(in, FAULT(REFUSED_LINE), fields[0].span, "this is no collective");
    else if (algorithm < 0)
        tuning_fault(in, FAULT(REFUSED_LINE), fields[2].span, "this is no algorithm");
    else if (protocol < 0)
        tuning_fault(in, FAULT(REFUSED_LINE), fields[3].span, "this is no protocol");
    else if (!take_interval(fields[1], &rule.from_size, &rule.below_size) ||
             !take_interval(fields[5], &rule.nodes.from, &rule.nodes.below) ||
             !take_interval(fields[6], &rule.devices.from, &rule.devices.below))
        tuning_fault(in, FAULT(REFUSED_LINE), line.span,
                     "sizes, nodes and ranks are numbers, *, or such as [0,1024)");
    else {
        rule.collective = collective;
        rule.algorithm = algorithm + 1;
        rule.protocol = protocol;
        add_rule(reader, rule, true);
    }
}

static void read_line(Reader *reader, Text line)
{
    TuningReader *in = reader->in;
    Text fields[MOST_FIELDS];
    int count = 0;
    bool is_shifted = false;
    for (size_t at = 0, from; at < line.length; at++) { /* between commas */
        for (from = at; at < line.length && line.chars[at] != ',';)
            at++;
        const Text field = text_slice(line, from, at - from);
        if (field.length == 0) { /* which is passed over */
            if (!is_shifted)
                tuning_fault(in, FAULT(SHIFTED), (Span){field.span.source, field.span.offset, 1});
            is_shifted = true;
        } else if (count < MOST_FIELDS) {
            fields[count++] = strip(field, " \t");
        } else {
            tuning_fault(in, FAULT(MANY_FIELDS), field.span, MOST_FIELDS);
            break;
        }
    }
    if (count > 1 && strchr("[(", *fields[1].chars))
        tuning_fault(in, FAULT(INTERVALS), line.span);
    else if (count >= LEAST_FIELDS && reader->is_example &&
             isalpha((unsigned char)*fields[1].chars) && isalpha((unsigned char)*fields[2].chars))
        tuning_fault(in, FAULT(HEADER), line.span);
    else if (count >= LEAST_FIELDS)
        read_fields(reader, line, fields, count);
    else if (count > 0)
        tuning_fault(in, FAULT(FIELDS), line.span, LEAST_FIELDS);
}

/* Lines without a # at their beginning, in pieces as the plugin reads them. */
static void read_lines(Reader *reader, void (*read)(Reader *, Text line))
{
    const Text whole = whole_of(reader->in->source);
    for (size_t from = 0; from < whole.length;) {
        const size_t rest = whole.length - from;
        const size_t most = reader->is_example && rest > LONGEST_PIECE ? LONGEST_PIECE : rest;
        const char *end = memchr(whole.chars + from, '\n', most);
        const size_t length = end ? (size_t)(end - whole.chars) - from : most;
        const Text line = text_slice(whole, from, length);
        from += length + (end != NULL);
        if (length == 0 || *line.chars == '#')
            continue;
        if (!end && from < whole.length && whole.chars[from] != '\n')
            tuning_fault(reader->in, FAULT(LONG), line.span, LONGEST_PIECE);
        read(reader, text_slice(line, 0, length - text_ends(line, "\r")));
    }
}

static void read_nccl(TuningReader *in)
{
    Reader reader = {.in = in, .is_example = true};
    const TuningRules *rules = &in->file->rules;
    const char *without = "";
    read_lines(&reader, read_line);
    for (int i = 0; i < COUNT; i++)
        if (!reader.has_last[i])
            without = arena_printf(in->arena, "%s%s%s", without, *without ? ", " : "",
                                   collectives[i].name);
    if (*without)
        tuning_fault(in, FAULT(UNFIT), (Span){in->source, in->source->length, 0}, without);
    /* NCCL's plugin from before 2.30.3 takes the table of costs for one of pointers
       (NVIDIA/nccl#1974). */
    if (strncmp(in->version, "2.", 2) == 0 && strtol(in->version + 2, NULL, 10) < 30 &&
        rules->count)
        tuning_fault(in, FAULT(SHIPPED), rules->items[0].span, in->version);
}

static void read_rccl(TuningReader *in)
{
    read_lines(&(Reader){.in = in}, read_line);
}

static void read_ncclx(TuningReader *in)
{
    read_lines(&(Reader){.in = in}, read_interval_line);
}

/* Only ring and tree have all protocols; pat is for one rank on each node (ncclPatEnable). */
static const char *refuses(const LibraryAlgorithm *algorithm, int protocol, const Shape *shape)
{
    int device = 0;
    if (protocol != SIMPLE && strcmp(algorithm->name, "ring") != 0 &&
        strcmp(algorithm->name, "tree") != 0)
        return "it has the protocol simple only";
    while (device < shape->count && strcmp(shape->names[device], "device") != 0)
        device++;
    if (strcmp(algorithm->name, "pat") == 0 && (device == shape->count || shape->sizes[device] > 1))
        return "NCCL runs it with one rank on each node only, such as on cluster:8x1";
    return NULL;
}

/* 'allreduce,0,8191,tree,ll,0,-1,8' */
static void write_line(Buffer *text, const TuningRule *rule, const char *algorithm)
{
    buffer_printf(text, "%s,%" PRId64 ",%" PRId64 ",%s,%s,0,-1,%" PRId64 "\n",
                  collectives[rule->collective].name, rule->from_size,
                  rule->below_size == INT64_MAX ? INT64_MAX : rule->below_size - 1, algorithm,
                  nccl_protocols[rule->protocol],
                  rule->below_ranks == INT64_MAX ? -1 : rule->from_ranks);
}

/* One line for each rule; 0 channels leave them to NCCL. Ranks are one number or any. NCCL has
   other algorithms than ring only where hardware and placement allow it (pat: one rank a node), and
   passes over a line without its algorithm: then ring, in the next line, takes the call. */
static void write_nccl(Buffer *text, const TuningRules *rules, const char *version)
{
    (void)version;
    for (size_t i = 0; i < rules->count; i++) {
        const TuningRule *rule = &rules->items[i];
        if (!rule->runs)
            continue;
        write_line(text, rule, rule->runs->name);
        if (strcmp(rule->runs->name, nccl_algorithms[RING]) != 0)
            write_line(text, rule, nccl_algorithms[RING]);
    }
}

const TuningFormat tuning_format_nccl = {
    .library = "nccl",
    .collectives = collectives,
    .count = COUNT,
    .what = "Choices of NCCL's example tuner",
    .otherwise = "the last lines of a collective are for all other numbers of ranks",
    .protocols = nccl_protocols,
    .refuses = refuses,
    .loading = "# To be loaded with both of\n"
               "#   NCCL_TUNER_PLUGIN=libnccl-tuner-example.so\n"
               "#   NCCL_TUNER_CONFIG_FILE=FILE\n"
               "# The plugin must be that of 2.30.3 or later: earlier ones crash.\n"
               "# For a collective without a line the plugin asks for 1 channel.\n",
    .read = read_nccl,
    .write = write_nccl,
};

const TuningFormat tuning_format_rccl = {
    .library = "rccl",
    .collectives = collectives,
    .count = COUNT,
    .what = "Choices of RCCL's built-in tuner",
    .otherwise = "elsewhere the library chooses by itself",
    .protocols = nccl_protocols,
    .refuses = refuses,
    .loading = "# To be loaded with NCCL_TUNER_CONFIG_FILE=FILE\n",
    .read = read_rccl,
    .write = write_nccl,
};

const TuningFormat tuning_format_ncclx = {
    .library = "ncclx",
    .collectives = collectives_by_rank,
    .count = COUNT,
    .protocols = nccl_protocols,
    .refuses = refuses,
    .read = read_ncclx,
};

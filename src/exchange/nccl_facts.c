/* What NCCL_DEBUG=INFO prints: "comm 0x1 rank 0 nRanks 16 nNodes 2 ... Init COMPLETE", and with
   TUNING "64 Bytes -> Algo 1 proto 2 time 3.5" or "AllReduce: 64 Bytes -> Algo RING proto LL128
   channel{Lo..Hi}={0..7}". */
#include "exchange/reading.h"
#include "exchange/tuning_reader.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *nccl_name(Arena *arena, Text algorithm, Text protocol)
{
    char *name = arena_printf(arena, "%.*s_%.*s", TEXT_ARGS(algorithm), TEXT_ARGS(protocol));
    for (char *at = name; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return name;
}

/* A name, or a number of NCCL, in small letters; NULL: it is none. */
static const char *name_of(Text text, const char *const *names)
{
    double number;
    const bool is_number = log_number(text, &number);
    size_t i = 0;
    while (names[i] && (is_number ? (double)i != floor(number) : !text_like(text, names[i])))
        i++;
    return names[i];
}

/* The word behind one; empty: there is none. */
static Text behind(const LogLine *line, const char *word)
{
    for (int i = 0; i + 1 < line->count; i++)
        if (text_equals(line->words[i], word))
            return line->words[i + 1];
    return (Text){0};
}

static void note(int64_t *known, Text text)
{
    double number;
    if (log_number(text, &number) && number >= 1 && number <= 1e9)
        *known = *known == 0 || *known == (int64_t)number ? (int64_t)number : -1;
}

void nccl_facts_note(LogReading *reading, const LogLine *line)
{
    NcclChoices *choices = &reading->nccl.choices;
    double bytes;
    if (!memmem(line->text.chars, line->text.length, "NCCL INFO", 9))
        return;
    note(&reading->nccl.ranks, behind(line, "nRanks"));
    note(&reading->nccl.ranks, behind(line, "nranks"));
    note(&reading->nccl.nodes, behind(line, "nNodes"));
    const char *algorithm = name_of(behind(line, "Algo"), nccl_algorithms);
    const char *protocol = name_of(behind(line, "proto"), nccl_protocols);
    for (int i = 1; i < line->count && algorithm && protocol; i++) {
        if (!text_equals(line->words[i], "Bytes") || !log_number(line->words[i - 1], &bytes))
            continue;
        const char *name = arena_printf(reading->arena, "%s_%s", algorithm, protocol);
        size_t known = choices->count;
        while (known > 0 && choices->items[known - 1].bytes != bytes)
            known--;
        NcclChoice *choice = known ? &choices->items[known - 1] : NULL;
        if (choice && choice->algorithm && strcmp(choice->algorithm, name) != 0)
            choice->algorithm = NULL;
        else if (!choice && choices->count < MOST_LOG_WORDS)
            *ARRAY_PUSH(reading->arena, choices) = (NcclChoice){bytes, name};
    }
}

const char *nccl_facts_choice(const LogReading *reading, double bytes)
{
    const NcclChoices *choices = &reading->nccl.choices;
    for (size_t i = 0; i < choices->count; i++)
        if (choices->items[i].bytes == bytes)
            return choices->items[i].algorithm;
    return NULL;
}

static int compare_hosts(const void *first, const void *second)
{
    const Text *a = first, *b = second;
    return a->length != b->length ? (a->length < b->length ? -1 : 1)
                                  : memcmp(a->chars, b->chars, a->length);
}

int64_t nccl_ranks_per_node(TextArray *hosts)
{
    const Text *host = hosts->items;
    size_t per_node = 1;
    if (hosts->count == 0)
        return 0;
    qsort(hosts->items, hosts->count, sizeof *hosts->items, compare_hosts);
    while (per_node < hosts->count && text_same(host[0], host[per_node]))
        per_node++;
    if (host[0].length == 0)
        return per_node == hosts->count ? 0 : -1;
    for (size_t i = per_node; i < hosts->count; i++)
        if (text_same(host[i], host[i - 1]) != (i % per_node != 0))
            return -1;
    return hosts->count % per_node == 0 ? (int64_t)per_node : -1;
}

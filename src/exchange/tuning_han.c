/* Rules files of Open MPI's coll/han (coll_han_dynamic_rules_filename), by which it takes
   components for its levels:

       1                          collectives
       bcast                      or its id
       2                          levels
       intra_node                 or inter_node, global_communicator, or 0 to 2
       1                          sizes
       1                          the first is 1
       2                          messages
       0 tuned
       65536 libnbc               and for han a name behind @, and segments in brackets

   They name no algorithms of coll/tuned, so that nothing becomes a rule. One wrong word, and the
   whole file is ignored. ompi/mca/coll/han of 4.1 to 6.0. */
#include "exchange/open_mpi.h"

#include <string.h>

static const char *const levels[] = {"intra_node", "inter_node", "global_communicator"};
enum { LEVEL_COUNT = COUNT_OF(levels) };
static const char *const components[] = {"self", "basic", "libnbc", "tuned",
                                         "sm",   "adapt", "han",    "xhc"};
enum { COMPONENT_COUNT = COUNT_OF(components), XHC = COMPONENT_COUNT - 1 };

typedef struct {
    TuningReader *in;
    size_t at;
} Reader;

/* The next word, outside of comments. False at the end. */
static bool next_word(Reader *reader, Text *word)
{
    const Text whole = whole_of(reader->in->source);
    while (reader->at < whole.length &&
           (strchr(" \t\r\n", whole.chars[reader->at]) || whole.chars[reader->at] == '#'))
        if (whole.chars[reader->at++] == '#')
            while (reader->at < whole.length && whole.chars[reader->at] != '\n')
                reader->at++;
    const size_t start = reader->at;
    while (reader->at < whole.length && !strchr(" \t\r\n#", whole.chars[reader->at]))
        reader->at++;
    *word = text_slice(whole, start, reader->at - start);
    return word->length > 0;
}

/* False, and the file is dropped. */
static bool read_number(Reader *reader, const char *what, int64_t *value, Text *word)
{
    if (next_word(reader, word) && is_number(*word, value))
        return true;
    return tuning_fault(reader->in, FAULT(EXPECTED), word->span, what);
}

/* The next of numbers that rise from 0 or 1 on. */
static bool read_rising(Reader *reader, const char *what, int64_t least, int64_t *last)
{
    Text place;
    int64_t value;
    const bool is_first = *last < 0;
    if (!read_number(reader, what, &value, &place))
        return false;
    if (value <= *last || value < least || (is_first && value > 1))
        return tuning_fault(reader->in, FAULT(UNORDERED), place.span, (int)least);
    *last = value;
    return true;
}

/* A word of a list, or its number there. */
static bool read_listed(Reader *reader, const char *what, const char *const *words, int count)
{
    Text word;
    int64_t number;
    next_word(reader, &word);
    const char *at = memchr(word.chars, '@', word.length);
    if (at)
        word = text_slice(word, 0, (size_t)(at - word.chars));
    for (int i = 0; i < count; i++)
        if (text_like(word, words[i]))
            return true;
    if (word.length && is_number(word, &number) && number < count)
        return true;
    return tuning_fault(reader->in, FAULT(UNKNOWN), word.span, what);
}

/* Sizes of messages with a component each. */
static bool read_messages(Reader *reader)
{
    const int known = *reader->in->version == '6' ? COMPONENT_COUNT : XHC;
    int64_t count, last = -1;
    Text place;
    if (!read_number(reader, "the number of message sizes", &count, &place))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (!read_rising(reader, "a message size", 0, &last) ||
            !read_listed(reader, "component of this version", components, known))
            return false;
        /* "@simple", "[4096, 65536]" behind a component. */
        Text word;
        size_t before = reader->at;
        while (next_word(reader, &word) && strchr("@[", *word.chars)) {
            bool is_open = *word.chars == '[';
            while (is_open && word.chars[word.length - 1] != ']')
                is_open = next_word(reader, &word);
            before = reader->at;
        }
        reader->at = before;
    }
    return true;
}

/* Its levels have names, or numbers with a remark. */
bool han_is_rules(TuningReader *in)
{
    Reader reader = {.in = in};
    if (text_holds(whole_of(in->source), "opologic") ||
        text_holds(whole_of(in->source), "opo level"))
        return true;
    for (Text word; next_word(&reader, &word);)
        for (int i = 0; i < LEVEL_COUNT; i++)
            if (text_like(word, levels[i]))
                return true;
    return false;
}

void han_read_rules(TuningReader *in)
{
    Reader reader = {.in = in};
    const char *names[TUNED_COUNT];
    int64_t collectives, count;
    Text place;
    for (int i = 0; i < TUNED_COUNT; i++)
        names[i] = tuned_collectives[i].name;
    if (!read_number(&reader, "the number of collectives", &collectives, &place))
        return;
    for (int64_t i = 0; i < collectives; i++) {
        if (!read_listed(&reader, "collective", names, TUNED_COUNT) ||
            !read_number(&reader, "the number of levels", &count, &place))
            return;
        for (int64_t j = 0; j < count; j++) {
            int64_t sizes, last = -1;
            if (!read_listed(&reader, "level", levels, LEVEL_COUNT) ||
                !read_number(&reader, "the number of sizes", &sizes, &place))
                return;
            for (int64_t k = 0; k < sizes; k++)
                if (!read_rising(&reader, "a size", 1, &last) || !read_messages(&reader))
                    return;
        }
    }
    tuning_fault(in, FAULT(HAN), (Span){in->source, 0, 0});
}

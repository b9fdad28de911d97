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
#include "exchange/tuning_words.h"

#include <inttypes.h>
#include <string.h>

static const char *const levels[] = {"intra_node", "inter_node", "global_communicator"};
enum { LEVEL_COUNT = sizeof levels / sizeof *levels };
static const char *const components[] = {"self", "basic", "libnbc", "tuned",
                                         "sm",   "adapt", "han",    "xhc"};
enum { COMPONENT_COUNT = sizeof components / sizeof *components, XHC = COMPONENT_COUNT - 1 };

typedef struct {
    Arena *arena;
    const Source *source;
    TuningFile *file;
    int components; /* of this version */
    size_t at;
} Reader;

/* The next word, outside of comments. False at the end. */
static bool next_word(Reader *reader, Span *word)
{
    const Source *source = reader->source;
    while (reader->at < source->length &&
           (strchr(" \t\r\n", source->text[reader->at]) || source->text[reader->at] == '#'))
        if (source->text[reader->at++] == '#')
            while (reader->at < source->length && source->text[reader->at] != '\n')
                reader->at++;
    *word = (Span){source, reader->at, 0};
    while (reader->at < source->length && !strchr(" \t\r\n#", source->text[reader->at]))
        reader->at++;
    word->length = reader->at - word->offset;
    return word->length > 0;
}

/* False, and the file is dropped. */
static bool drop(Reader *reader, Span place, const char *what)
{
    tuning_find_fault(reader->arena, reader->file, TUNING_DROPPED, place,
                      "%s: coll/han ignores the whole file", what);
    return false;
}

static bool read_number(Reader *reader, const char *what, int64_t *value, Span *word)
{
    return (next_word(reader, word) && is_number(*word, value)) ||
           drop(reader, *word, arena_printf(reader->arena, "%s is expected", what));
}

/* A word of a list, or its number there. */
static bool read_listed(Reader *reader, const char *what, const char *const *words, int count)
{
    Span word;
    int64_t number;
    if (!next_word(reader, &word))
        return drop(reader, word, arena_printf(reader->arena, "%s is expected", what));
    const char *at = memchr(chars_of(word), '@', word.length);
    if (at)
        word.length = (size_t)(at - chars_of(word));
    for (int i = 0; i < count; i++)
        if (is_word(word, words[i]))
            return true;
    return (word.length && is_number(word, &number) && number < count) ||
           drop(reader, word, arena_printf(reader->arena, "this is no %s", what));
}

/* "@simple", "[4096, 65536]" behind a component. */
static void pass_options(Reader *reader)
{
    Span word;
    size_t before = reader->at;
    while (next_word(reader, &word) && strchr("@[", *chars_of(word))) {
        bool is_open = *chars_of(word) == '[';
        while (is_open && chars_of(word)[word.length - 1] != ']')
            is_open = next_word(reader, &word);
        before = reader->at;
    }
    reader->at = before;
}

/* Sizes of messages with a component each. */
static bool read_messages(Reader *reader)
{
    int64_t count, size, last = -1;
    Span place;
    if (!read_number(reader, "the number of message sizes", &count, &place))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (!read_number(reader, "a message size", &size, &place))
            return false;
        if (size <= last || (i == 0 && size > 1))
            return drop(reader, place, "message sizes begin with 0 and rise");
        last = size;
        if (!read_listed(reader, "component of this version", components, reader->components))
            return false;
        pass_options(reader);
    }
    return true;
}

static bool read_level(Reader *reader)
{
    int64_t count, size, last = 0;
    Span place;
    if (!read_listed(reader, "level", levels, LEVEL_COUNT) ||
        !read_number(reader, "the number of sizes", &count, &place))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (!read_number(reader, "a size", &size, &place))
            return false;
        if (size <= last || (i == 0 && size != 1))
            return drop(reader, place, "sizes begin with 1 and rise");
        last = size;
        if (!read_messages(reader))
            return false;
    }
    return true;
}

static bool read_rules(Reader *reader)
{
    const char *names[TUNED_COUNT];
    int64_t collectives, count;
    Span place;
    for (int i = 0; i < TUNED_COUNT; i++)
        names[i] = tuned_collectives[i].name;
    if (!read_number(reader, "the number of collectives", &collectives, &place))
        return false;
    for (int64_t i = 0; i < collectives; i++) {
        if (!read_listed(reader, "collective", names, TUNED_COUNT) ||
            !read_number(reader, "the number of levels", &count, &place))
            return false;
        for (int64_t j = 0; j < count; j++)
            if (!read_level(reader))
                return false;
    }
    return true;
}

bool han_is_rules(const Source *source)
{
    Reader reader = {.source = source};
    for (Span word; next_word(&reader, &word);)
        for (int i = 0; i < LEVEL_COUNT; i++)
            if (is_word(word, levels[i]))
                return true;
    return false;
}

TuningFile han_read_rules(Arena *arena, const Source *source, const char *version)
{
    TuningFile file = {0};
    Reader reader = {.arena = arena,
                     .source = source,
                     .file = &file,
                     .components = *version == '6' ? COMPONENT_COUNT : XHC};
    if (read_rules(&reader))
        tuning_find_fault(arena, &file, TUNING_REMARK, (Span){source, 0, 0},
                          "this is for coll_han_dynamic_rules_filename: it names components for "
                          "levels, and no algorithms");
    tuning_sort(&file);
    return file;
}

#include "exchange/mpich.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const TunedCollective mpich_collectives[MPICH_COUNT] = {
#define MPICH(name, collective, variant, measure, tests)                                           \
    [MPICH_##name] = {#name, collective, variant, MEASURE_##measure, {0}},
#include "exchange/mpich.def"
};

static const char *const tests_of[MPICH_COUNT] = {
#define MPICH(name, collective, variant, measure, tests) [MPICH_##name] = (tests),
#include "exchange/mpich.def"
};

static const struct {
    int from, to, collective;
    const char *names;
} algorithms[] = {
#define MPICH_NAMES(from, to, collective, names) {from, to, MPICH_##collective, names},
#include "exchange/mpich.def"
};

static const MpichNeeds needs[] = {
#define MPICH_NEEDS(algorithm, needs, otherwise) {algorithm, needs, otherwise},
#include "exchange/mpich.def"
};

static const struct {
    const char *algorithm, *names;
} parameters[] = {
#define MPICH_PARAMETERS(algorithm, names) {algorithm, names},
#include "exchange/mpich.def"
};

bool mpich_has_test(int collective, char letter)
{
    return strchr(tests_of[collective], letter) != NULL;
}

int mpich_version(const char *version)
{
    const char *dot = strchr(version, '.');
    return !isdigit((unsigned char)*version) ? NEWEST_MPICH
                                             : atoi(version) * 100 + (dot ? atoi(dot + 1) : 0);
}

const char *mpich_function(Arena *arena, int collective, const char *name)
{
    const char *called = mpich_collectives[collective].name;
    return arena_printf(arena, "MPIR_%c%s_%s", toupper((unsigned char)*called), called + 1, name);
}

/* "intra_ring", where "MPIR_Allgather_intra_ring" is of this collective; else no characters. */
static Text name_of(Text function, int collective)
{
    static const char prefix[] = "MPIR_";
    const char *called = mpich_collectives[collective].name;
    const size_t start = sizeof prefix - 1, length = strlen(called);
    const bool is_its = function.length > start + length + 1 &&
                        memcmp(function.chars, prefix, start) == 0 &&
                        function.chars[start] == toupper((unsigned char)*called) &&
                        memcmp(function.chars + start + 1, called + 1, length - 1) == 0 &&
                        function.chars[start + length] == '_';
    return is_its ? text_behind(function, start + length + 1) : (Text){0};
}

bool mpich_next_word(const char **list, Text *word)
{
    *word = (Text){.chars = *list, .length = strcspn(*list, " ")};
    *list += word->length + ((*list)[word->length] == ' ');
    return word->length > 0;
}

int mpich_algorithm(Text function, const char **name, int *from, int *to)
{
    for (size_t i = 0; i < COUNT_OF(algorithms); i++) {
        const Text own = name_of(function, algorithms[i].collective);
        const char *list = algorithms[i].names;
        for (Text one; own.length && mpich_next_word(&list, &one);)
            if (text_same(one, own)) {
                *name = own.chars;
                *from = algorithms[i].from;
                *to = algorithms[i].to;
                return algorithms[i].collective;
            }
    }
    return MPICH_COUNT;
}

const MpichNeeds *mpich_needs(const char *function)
{
    for (size_t i = 0; i < COUNT_OF(needs); i++)
        if (strcmp(needs[i].algorithm, function) == 0)
            return &needs[i];
    return NULL;
}

const char *mpich_parameters(const char *function)
{
    for (size_t i = 0; i < COUNT_OF(parameters); i++)
        if (strcmp(parameters[i].algorithm, function) == 0)
            return parameters[i].names;
    return "";
}

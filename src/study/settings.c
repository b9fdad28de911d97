#include "study/study.h"

const char default_machine[] = "sg2260";

const char *const compose_names[COMPOSE_COUNT] = {"levels", "none", "all"};

/* Under the rules to which it was fitted, until others are set. */
static bool set_machine(Study *study, Text value)
{
    const Machine *machine = library_machine(study->library, value, study->diag);
    if (!machine)
        return false;
    const bool is_short = strncmp(value.chars, machine->head.name, value.length) == 0;
    if (!is_short && !known_alike(value, machine->head.name))
        diag_note(study->diag, value.span, "%.*s is another name of %s now, with its values",
                  TEXT_ARGS(value), machine->head.name);
    study->machine = *machine;
    rules_follow_machine(&study->rules, &study->machine);
    study->rules.switching = machine->switching;
    study->rules.duplex = machine->duplex;
    bool good = true;
    for (size_t i = 0; machine->fitted && i < machine->fitted->rule_count && good; i++)
        good = study_set(study, machine->fitted->rules[i].name, machine->fitted->rules[i].value);
    return good;
}

const char *const finish_words[2] = {"last", "mean"};
static const char *const flag_words[2] = {"no", "yes"};
static const char *const rank_roles[] = {"root", "sender", "receiver"};
static const char *const text_subjects[] = {"weights", "groups"};

/* The two ways that --overlap chooses. */
_Static_assert(COMBINING_AFTER == 0 && COMBINING_OVERLAP == 1, "as \"no\" and \"yes\"");

/* One word of a list; its number, or -1 after a report. */
static int choose(const Study *study, Text value, const char *const *names, int count)
{
    const int found = (int)text_among(value, names, (size_t)count);
    if (found < count)
        return found;
    const char *list = names[0];
    for (int i = 1; i < count; i++)
        list =
            arena_printf(study->arena, "%s%s%s", list, i == count - 1 ? " and " : ", ", names[i]);
    diag_error(study->diag, value.span, "invalid value '%.*s'", TEXT_ARGS(value));
    diag_note(study->diag, NOWHERE, "valid values are %s", list);
    return -1;
}

static bool set_switching(Study *study, Text value)
{
    int found = switching_find(value);
    if (found < 0)
        return choose(study, value, switching_letters, SWITCHING_COUNT) >= 0;
    study->rules.switching = (Switching)found;
    return true;
}

static bool set_ports(Study *study, Text value)
{
    Machine *machine = &study->machine;
    if (!ports_parse(value, &machine->ports, &machine->all_ports, &machine->level_ports,
                     study->diag))
        return false;
    rules_follow_machine(&study->rules, machine);
    study->rules.fixed_ports = true;
    return true;
}

static bool set_segment(Study *study, Text value)
{
    study->chosen.k = 0;
    study->chosen.segment = 0;
    if (text_equals(value, "best"))
        return true;
    if (!quantity_parse(value, DIMENSION_BYTES, &study->chosen.segment, study->diag))
        return false;
    return study->chosen.segment >= 1 ||
           diag_error(study->diag, value.span, "a segment has at least one byte");
}

static NameList split_names(const Study *study, Text value)
{
    NameList list = {.is_given = true, .place = value.span};
    Text name, rest = value;
    while (text_next(&rest, ',', &name))
        *ARRAY_PUSH(study->arena, &list.names) = name;
    return list;
}

static bool set_using(Study *study, Text value)
{
    NameList list = split_names(study, value);
    bool good = true;
    study->parts_place = list.place;
    for (size_t i = 0; i < list.names.count && good; i++)
        good = parts_add(study, list.names.items[i]);
    return good;
}

/* No implementation runs what is composed; there may be none. */
static bool allow_compositions(const Study *study, Text value, const Implementation *implementation,
                               Compose compose)
{
    return !(compose != COMPOSE_NONE && implementation) ||
           diag_error(study->diag, value.span, "%s runs no compositions of this library",
                      implementation->head.name);
}

static bool set_compose(Study *study, Text value)
{
    int chosen = choose(study, value, compose_names, COMPOSE_COUNT);
    if (chosen < 0 || !allow_compositions(study, value, study->implementation, (Compose)chosen))
        return false;
    study->compose = (Compose)chosen;
    study->chose_compose = true;
    return true;
}

/* "open-mpi@4.1", "nccl": the last version that is known. */
static bool set_for(Study *study, Text value)
{
    Text name = value, version = {0};
    if (text_split(value, '@', &name, &version) && version.length == 0)
        return diag_error(study->diag, value.span, "the version after '@' is missing");
    const Implementation *found = library_implementation(study->library, name, study->diag);
    if (study->chose_compose && !allow_compositions(study, value, found, study->compose))
        return false;
    study->implementation = found;
    study->version = study->implementation
                         ? implementation_version(study->implementation, version, study->diag)
                         : NULL;
    return study->version != NULL;
}

/* One of two words, or of several; a number from `least` on, or the best; a rank of that role;
   names; a text that must not be empty; bytes of an element: which is all that these say. */
typedef enum {
    VALUE_OF_ITS_OWN,
    VALUE_FLAG,
    VALUE_WORD,
    VALUE_FREE,
    VALUE_RANK,
    VALUE_NAMES,
    VALUE_TEXT,
    VALUE_BYTES
} Kind;
#define VALUE(name, kind, words, count, member)                                                    \
    {                                                                                              \
        name, NULL, VALUE_##kind, words, count, offsetof(Study, member)                            \
    }
#define TWO(name, words, member) VALUE(name, FLAG, words, 2, member)
#define WORD(name, words, count, member) VALUE(name, WORD, words, count, member)

static const struct {
    const char *name;
    bool (*set)(Study *study, Text value); /* NULL: the value goes to a member of the study */
    Kind kind;
    const char *const *words;
    int count; /* of words; of a number the least one; which role, or what a text says */
    size_t member;
} settings[] = {
    {.name = "machine", .set = set_machine},
    {.name = "switching", .set = set_switching},
    WORD("contention", contention_names, CONTENTION_COUNT, rules.contention),
    WORD("duplex", duplex_names, DUPLEX_COUNT, rules.duplex),
    WORD("combining", combining_names, COMBINING_COUNT, rules.combining),
    WORD("overlap", flag_words, 2, rules.combining),
    TWO("asynchronous", flag_words, rules.asynchronous),
    WORD("posting", posting_names + 1, POSTING_COUNT - 1, rules.posting),
    TWO("finish", finish_words, rules.averages),
    WORD("ties", ties_names, TIES_COUNT, rules.ties),
    {.name = "ports", .set = set_ports},
    TWO("real-k", flag_words, rules.real_chunks),
    TWO("ceil-chunks", flag_words, rules.ceil_chunks),
    TWO("loads", flag_words, counts_loads),
    VALUE("k", FREE, NULL, 1, chosen.k),
    {.name = "segment", .set = set_segment},
    VALUE("radix", FREE, NULL, 2, chosen.branches[BRANCHING_RADIX]),
    VALUE("fanout", FREE, NULL, 1, chosen.branches[BRANCHING_FANOUT]),
    VALUE("root", RANK, rank_roles, 0, root),
    VALUE("from", RANK, rank_roles, 1, root),
    VALUE("to", RANK, rank_roles, 2, target),
    VALUE("among", NAMES, NULL, 0, among),
    VALUE("without", NAMES, NULL, 0, without),
    {.name = "using", .set = set_using},
    {.name = "compose", .set = set_compose},
    TWO("front", flag_words, wants_front),
    {.name = "for", .set = set_for},
    VALUE("weights", TEXT, text_subjects, 0, weights.text),
    VALUE("along", TEXT, text_subjects, 1, groups.along),
    VALUE("members", TEXT, text_subjects, 1, groups.members),
    VALUE("element", BYTES, NULL, 0, element),
};

Study *study_create(Arena *arena, Library *library, Diag *diag)
{
    Study *study = ARENA_NEW(arena, Study);
    *study = (Study){.arena = arena, .library = library, .diag = diag, .target = -1, .element = 8};
    return set_machine(study, source_argument(arena, "machine", default_machine)) ? study : NULL;
}

bool study_set_parameter(Study *study, Text name, Text value)
{
    if (!machine_set(&study->machine, name, value, study->diag))
        return false;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (study->machine.parameters[i] != study->rules.parameters[i])
            study->machine.assumed[i] = false;
    rules_follow_machine(&study->rules, &study->machine);
    return true;
}

bool study_set(Study *study, Text name, Text value)
{
    size_t i = 0;
    while (i < COUNT_OF(settings) && !text_equals(name, settings[i].name))
        i++;
    if (i == COUNT_OF(settings))
        return study_set_parameter(study, name, value);
    void *const member = (char *)study + settings[i].member;
    int chosen;
    switch (settings[i].kind) {
    case VALUE_FREE:
        if (member == &study->chosen.k)
            study->chosen.segment = 0;
        *(int64_t *)member = 0;
        return text_equals(value, "best") ||
               quantity_parse_integer(value, settings[i].count, INT32_MAX, member, study->diag);
    case VALUE_RANK:
        *(member == &study->root ? &study->given_root : &study->given_target) =
            (GivenRank){settings[i].words[settings[i].count], value.span};
        return quantity_parse_integer(value, 0, topology_most_ranks, member, study->diag);
    case VALUE_NAMES:
        *(NameList *)member = split_names(study, value);
        return true;
    case VALUE_TEXT:
        *(Text *)member = text_trim(value);
        if (member == &study->weights.text)
            study->rules.weights = NULL;
        return ((Text *)member)->length > 0 ||
               diag_error(study->diag, value.span, "the %s are missing",
                          settings[i].words[settings[i].count]);
    case VALUE_FLAG:
        chosen = choose(study, value, settings[i].words, 2);
        if (chosen < 0)
            return false;
        *(bool *)member = chosen;
        return !study->rules.real_chunks || !study->rules.ceil_chunks ||
               diag_error(study->diag, NOWHERE, "real-k and ceil-chunks cannot be combined");
    case VALUE_WORD:
        chosen = choose(study, value, settings[i].words, settings[i].count);
        if (chosen < 0)
            return false;
        *(int *)member = chosen;
        /* Overlapped combining, and links that are shared in time, leave no barriers. */
        if (member == &study->rules.combining)
            study->rules.asynchronous |= chosen == COMBINING_OVERLAP;
        if (member == &study->rules.posting) { /* what no algorithm states has no word */
            study->rules.posting = (Posting)(chosen + 1);
            study->rules.fixed_posting = true;
        }
        if (member == &study->rules.contention) {
            study->rules.asynchronous |= chosen == CONTENTION_SHARED;
            study->chose_contention = true;
        }
        return true;
    case VALUE_BYTES:
        return quantity_parse(value, DIMENSION_BYTES, member, study->diag) &&
               (study->element > 0 ||
                diag_error(study->diag, value.span, "the size of an element must be positive"));
    case VALUE_OF_ITS_OWN:
        break;
    }
    return settings[i].set(study, value);
}

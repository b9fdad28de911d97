#include "study/checked.h"

#include "base/random.h"

#include <string.h>

/* Each is kept in one place, which follows from what it is, until another one comes there. */
enum { PLACES = 1 << 10 };

/* A shape is known by its hash: it may live in a line, and is long. */
typedef struct {
    const Algorithm *algorithm; /* NULL: the place is free */
    int64_t root, k, ports, target, branches;
    uint64_t shape;
} Place;

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return random_hash(hash ^ value);
}

static uint64_t hash_shape(const Shape *shape)
{
    uint64_t hash = mix((uint64_t)shape->p, (uint64_t)shape->count);
    for (int i = 0; i < shape->count; i++) {
        hash = mix(hash, (uint64_t)shape->sizes[i]);
        for (const char *c = shape->names[i]; *c; c++)
            hash = mix(hash, (unsigned char)*c);
    }
    return hash;
}

static Place describe(const Instance *of)
{
    Place place;
    memset(&place, 0, sizeof place);
    place.algorithm = of->algorithm;
    place.root = of->root;
    place.k = of->k;
    place.ports = of->ports;
    place.target = of->target;
    place.branches = of->branches;
    place.shape = hash_shape(of->shape);
    return place;
}

static size_t place_of(const Place *place)
{
    uint64_t hash = mix((uintptr_t)place->algorithm, (uint64_t)place->root);
    hash = mix(hash, (uint64_t)place->k);
    hash = mix(mix(hash, (uint64_t)place->ports), (uint64_t)place->target);
    hash = mix(hash, (uint64_t)place->branches);
    return (size_t)(mix(hash, place->shape) % PLACES);
}

/* Algorithms with other parts and compositions live in a line: the next one may lie where this one
   was. */
static bool can_be_remembered(const Study *study, const Instance *instance)
{
    return study->parts.count == 0 && !instance->algorithm->composed;
}

bool checked_is_known(const Study *study, const Instance *instance)
{
    Arena *arena;
    const Place *places = *library_findings(study->library, &arena);
    if (!places || !can_be_remembered(study, instance))
        return false;
    Place wanted = describe(instance);
    return memcmp(&places[place_of(&wanted)], &wanted, sizeof wanted) == 0;
}

void checked_remember(const Study *study, const Instance *instance)
{
    Arena *arena;
    void **findings = library_findings(study->library, &arena);
    if (!can_be_remembered(study, instance))
        return;
    if (!*findings)
        *findings = ARENA_ARRAY(arena, Place, PLACES);
    Place place = describe(instance);
    ((Place *)*findings)[place_of(&place)] = place;
}

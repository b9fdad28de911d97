/* How many closed forms of the library `propose` finds by itself: make proposals. It takes minutes.

   Asked is each algorithm on each topology, in each mode of switching, about which a claim of its
   time is recorded to hold. A form covers the claims if its condition is met at all points at which
   one of them speaks. Forms that do not are listed, with the part of these points that they cover.
 */
#include "cli/messages.h"
#include "cost/claim.h"
#include "forms/propose.h"
#include "model/library.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Library *library;
    const char *only; /* of names that begin so */
    int asked, found, complete, covering;
} Count;

typedef struct {
    const Algorithm *algorithm;
    const Topology *topology;
    Switching switching;
} Case;

static bool speaks(const Claim *claim, const Case *asked)
{
    return claim->kind == CLAIM_TIME && !claim->recorded_refuted &&
           claim_is_on(claim, asked->topology->head.name) &&
           (asked->topology->direct || claim->switching[asked->switching]);
}

static bool is_claimed(const Case *asked, const Sample *sample)
{
    const int64_t *at = sample->point.values;
    const ClaimList *claims = claims_all(&asked->algorithm->claims);
    ClaimPoint point = claim_point(sample->shape, at[FORM_ROOT], at[FORM_K], at[FORM_D]);
    point.target = at[FORM_TARGET];
    for (size_t i = 0; i < claims->count; i++)
        if (speaks(&claims->items[i], asked) && claim_applies(&claims->items[i], &point))
            return true;
    return false;
}

static bool is_covered(Arena *arena, const Proposals *proposals, const Sample *sample)
{
    for (size_t i = 0; i < proposals->count; i++) {
        const char *when = proposals->items[i].when;
        FormTerm condition = family_read(arena, when ? when : "1 == 1", 0);
        if (proposals->items[i].found && family_holds(&condition, &sample->point))
            return true;
    }
    return false;
}

static void report(const Case *asked, const Proposals *proposals, int covered, int claimed)
{
    printf("%s/%s on %s, %s: ", asked->algorithm->collective->head.name,
           asked->algorithm->head.name, asked->topology->head.name,
           switching_names[asked->switching]);
    if (proposals->found)
        printf("%d of %d points, when %s\n", covered, claimed, proposals->items[0].when);
    else
        puts("not found");
}

static void ask(Count *count, const Case *asked)
{
    Arena *arena = arena_create(NULL);
    Diag diag = messages_to(stderr);
    SampleQuestion question = {asked->algorithm, asked->topology,
                               (Rules){.ports = 1, .switching = asked->switching}, -1, -1};
    Proposals proposals;
    int claimed = 0, covered = 0;
    if (!propose_forms(arena, &question, NULL, &proposals, &diag))
        exit(1);
    for (size_t i = 0; i < proposals.samples->count; i++) {
        const Sample *sample = &proposals.samples->items[i];
        if (!is_claimed(asked, sample))
            continue;
        claimed++;
        covered += is_covered(arena, &proposals, sample);
    }
    count->asked++;
    count->found += proposals.found;
    count->complete += proposals.complete;
    count->covering += covered == claimed;
    if (covered < claimed)
        report(asked, &proposals, covered, claimed);
    arena_destroy(arena);
}

static void ask_modes(Count *count, Case asked)
{
    const ClaimList *claims = claims_all(&asked.algorithm->claims);
    for (int mode = 0; mode < (asked.topology->direct ? 1 : 2); mode++) {
        bool any = false;
        asked.switching = (Switching)mode;
        for (size_t i = 0; i < claims->count; i++)
            any |= speaks(&claims->items[i], &asked);
        if (any)
            ask(count, &asked);
    }
}

/* All models of a kind, one after the other. */
static const void *next_model(const Count *count, ModelKind kind, size_t *at, Diag *diag)
{
    while (*at < library_entry_count(count->library)) {
        const ModelEntry *entry = library_entry(count->library, (*at)++);
        bool wanted =
            kind != KIND_ALGORITHM || strncmp(entry->name, count->only, strlen(count->only)) == 0;
        if (entry->kind == kind && wanted)
            return library_load(count->library, entry, diag);
    }
    return NULL;
}

int main(int argument_count, char **arguments)
{
    Arena *arena = arena_create(NULL);
    Diag diag = messages_to(stderr);
    Count count = {.library = library_open(arena), .only = argument_count > 1 ? arguments[1] : ""};
    size_t algorithms = 0;
    for (const Algorithm *algorithm;
         (algorithm = next_model(&count, KIND_ALGORITHM, &algorithms, &diag));) {
        size_t topologies = 0;
        for (const Topology *topology;
             (topology = next_model(&count, KIND_TOPOLOGY, &topologies, &diag));)
            ask_modes(&count, (Case){algorithm, topology, SWITCHING_CUT_THROUGH});
    }
    printf("asked %d, found %d, complete %d, covering all claims %d\n", count.asked, count.found,
           count.complete, count.covering);
    arena_destroy(arena);
    return 0;
}

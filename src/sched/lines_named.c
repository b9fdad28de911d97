#include "sched/lines.h"

/* In a problem, a use moves the blocks that `of` names. Along j, with `of: A(i, b)`, block b of an
   allgather in the line of ranks (i, 0), (i, 1), ... is A(i, b):

       line i = 0:  A(0, 0) A(0, 1) ...      line i = 1:  A(1, 0) A(1, 1) ...

   Names of `of`, and roots, that differ from rank to rank must be the same for all ranks of a line.
   Each line may have a root of its own, so lines with the same root run together, and round n of
   all of them is one round. */

/* All rounds of the used algorithm for one root. */
typedef struct {
    bool is_known;
    RoundArray rounds;
} RootedProgram;

/* What `of` names, in one lane for each line and block of the used algorithm, as the rank at
   `coordinate` of each line has the names. */
static bool list_parts(const Lines *lines, const BlockSpace *inner, int64_t coordinate,
                       LaneLists *parts)
{
    Expander *expander = lines->expander;
    const SetList *of = &lines->step->use.of;
    size_t lanes = (size_t)(lines->count * lines->inner_array_blocks);
    int64_t *ranks = ARENA_ROOM(expander->arena, int64_t, lanes);
    Frame frame = expander->frame;
    for (size_t i = 0; i < lanes; i++)
        ranks[i] = lines_rank_at(lines, (int64_t)i / lines->inner_array_blocks, coordinate);
    for (int slot = 0; slot < MOST_SLOTS; slot++)
        if (expander->varying >> slot & 1)
            frame.slots[slot] =
                lanes_gather(expander->arena, expander->frame.slots[slot], ranks, lanes);
    int64_t below = 1;
    for (int x = lines->step->use.algorithm->collective->index_count - 1; x >= 0; x--) {
        int64_t *index = ARENA_ROOM(expander->arena, int64_t, lanes);
        for (size_t i = 0; i < lanes; i++)
            index[i] = (int64_t)i % lines->inner_array_blocks / below % inner->extents[x];
        below *= inner->extents[x];
        frame.slots[lines->step->use.of_slot + x] = index;
    }
    SetItems *items = ARENA_ARRAY(expander->arena, SetItems, of->count);
    int64_t **numbers = ARENA_ARRAY(expander->arena, int64_t *, of->count);
    for (size_t s = 0; s < of->count; s++) {
        if (!set_expand(&of->items[s], expander->arena, &frame, lanes, &items[s], expander->diag))
            return false;
        numbers[s] = ARENA_ROOM(expander->arena, int64_t, items[s].count);
        if (!blockspace_number(&expander->space, &of->items[s], &items[s], numbers[s],
                               expander->diag))
            return false;
    }
    *parts = lanes_lists(expander->arena, items, numbers, of->count, lanes);
    return true;
}

/* What `of` names must not depend on who asks. */
static bool find_parts(Lines *lines, const BlockSpace *inner)
{
    Expander *expander = lines->expander;
    const size_t lanes = (size_t)(lines->count * lines->inner_array_blocks);
    const LaneLists *first = &lines->parts;
    bool good = list_parts(lines, inner, 0, &lines->parts);
    for (int64_t c = 1; good && c < lines->length; c++) {
        LaneLists parts;
        ArenaMark mark = arena_mark(expander->arena);
        good = list_parts(lines, inner, c, &parts);
        bool same = true;
        for (size_t i = 0; i <= lanes && good && same; i++)
            same = first->starts[i] == parts.starts[i];
        for (int64_t i = 0; good && same && i < parts.starts[lanes]; i++)
            same = first->numbers[i] == parts.numbers[i];
        if (!same)
            good = diag_error(
                expander->diag, lines->step->use.of.items[0].syntax->text.span,
                "this names different blocks at rank %lld and at rank %lld, which are in the "
                "same line",
                (long long)lines_rank_at(lines, 0, c), (long long)lines_rank_at(lines, 0, 0));
        arena_release(expander->arena, mark);
    }
    return good;
}

static bool is_rank(const Lines *lines, int64_t root)
{
    const int64_t p = lines->expander->instance->p;
    return (root >= 0 && root < p) ||
           diag_error(lines->expander->diag, lines->step->use.root.text.span,
                      "the root %lld is not one of the ranks 0 .. %lld", (long long)root,
                      (long long)p - 1);
}

/* What each rank of a line names as its root must not depend on who asks. */
static bool check_root(const Lines *lines, int64_t line, const int64_t *roots)
{
    const int64_t first = lines_rank_at(lines, line, 0);
    for (int64_t c = 0; c < lines->length; c++) {
        const int64_t rank = lines_rank_at(lines, line, c);
        if (!is_rank(lines, roots[rank]))
            return false;
        if (roots[rank] != roots[first])
            return diag_error(
                lines->expander->diag, lines->step->use.root.text.span,
                "this names different roots at rank %lld and at rank %lld, which are in the "
                "same line",
                (long long)rank, (long long)first);
    }
    return true;
}

/* Of each line, as a coordinate. */
static bool find_roots(const Lines *lines, const int64_t **found)
{
    Expander *expander = lines->expander;
    const Formula *root = &lines->step->use.root;
    const size_t p = (size_t)expander->instance->p;
    int64_t *named = ARENA_ROOM(expander->arena, int64_t, p);
    int64_t *roots = ARENA_ARRAY(expander->arena, int64_t, (size_t)lines->count);
    const bool varies = root->program && program_varies(root->program);
    *found = roots;
    if (!root->program)
        return true;
    if (!program_run(root->program, expander->frame.slots, varies ? p : 1, named, expander->diag))
        return false;
    for (int64_t line = 0; line < lines->count; line++) {
        const int64_t rank = named[varies ? lines_rank_at(lines, line, 0) : 0];
        if (!(varies ? check_root(lines, line, named) : is_rank(lines, rank)))
            return false;
        roots[line] = lines_coordinate_of(lines, rank);
    }
    return true;
}

/* What all lines do in round n; a sender that holds nothing of what it should send stays idle. */
static bool run_round(Lines *lines, const int64_t *roots, const RootedProgram *programs, size_t n)
{
    Expander *expander = lines->expander;
    Draft draft = {0};
    ArenaMark mark = arena_mark(expander->drafts);
    for (int64_t line = 0; line < lines->count; line++) {
        const RoundArray *rounds = &programs[roots[line]].rounds;
        if (n >= rounds->count)
            continue;
        const Round *round = &rounds->items[n];
        lines->channel = line; /* the parts are by line */
        for (size_t t = 0; t < round->count; t++) {
            ScheduledTransfer transfer = round->transfers[t];
            transfer.from = (int32_t)lines_rank_at(lines, line, round->transfers[t].from);
            transfer.to = (int32_t)lines_rank_at(lines, line, round->transfers[t].to);
            transfer.span = &lines->step->span;
            lines_note_held(lines, round, &round->transfers[t], 0, &draft, &transfer);
            draft_append(expander->drafts, &draft, &transfer);
        }
        draft.posting = round->posting;
    }
    bool good = expander_count(expander, expander->instance->p, lines->step->span) &&
                expander_emit(expander, &draft);
    arena_release(expander->drafts, mark);
    return good;
}

/* The rounds of the used algorithm for every root that some line has. */
static bool run_programs(Lines *lines, const int64_t *roots, Instance *inner)
{
    Expander *expander = lines->expander;
    const RoundsWanted whole = {0};
    RootedProgram *programs = ARENA_ARRAY(expander->arena, RootedProgram, (size_t)lines->length);
    size_t longest = 0;
    for (int64_t line = 0; line < lines->count; line++) {
        RootedProgram *program = &programs[roots[line]];
        if (program->is_known)
            continue;
        inner->root = roots[line];
        program->is_known = true;
        if (!expander_collect(expander->arena, inner, &whole, expander->work, &program->rounds,
                              expander->diag))
            return false;
        longest = program->rounds.count > longest ? program->rounds.count : longest;
    }
    for (size_t n = 0; n < longest; n++)
        if (!run_round(lines, roots, programs, n))
            return false;
    return true;
}

bool lines_run_named(Lines *lines, const Instance *inner)
{
    BlockSpace space;
    Instance rooted = *inner;
    const int64_t *roots;
    if (!blockspace_create(inner->algorithm->collective, inner->p, 0, &space,
                           lines->expander->diag))
        return false;
    lines->inner_array_blocks = space.count;
    lines->ownership = &lines->expander->ownership;
    return find_parts(lines, &space) && find_roots(lines, &roots) &&
           run_programs(lines, roots, &rooted);
}

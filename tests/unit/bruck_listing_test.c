/* A printed listing of Bruck's all-to-all on buffer positions (S1, algorithm 2), carried out by P
   processes in lockstep, with each of its mistakes left in apart from the others. Models name
   blocks and know no positions, so none of this could show there.

   Lines are counted as the text below the listing counts them: its first loop is line 2. SB and T
   have the size that it gives them, in blocks; that `send` means the first NB blocks of T is the
   one thing that it leaves to the reader. An access outside of an array, or of an element that
   nobody has set, is noted and not made. */
#include "unit.h"

#include <string.h>

enum { MOST_P = 17, MOST_EXCHANGES = 128 };

/* Where the listing is mended. What is not mended stands as it is printed. */
enum {
    SHIFT_TO_THE_LAST = 1 << 0,  /* line 2: i in [0, P) instead of [0, P] */
    SELECT_TO_THE_LAST = 1 << 1, /* line 9: i in [k, P) */
    UNPACK_TO_THE_LAST = 1 << 2, /* line 21: i in [0, ...) */
    ROTATE_TO_THE_LAST = 1 << 3, /* line 25: i in [0, P) */
    EXCHANGE_ONCE = 1 << 4,      /* lines 15 to 23 follow the loop over i that surrounds them */
    UNPACK_AS_MANY = 1 << 5,     /* line 21: NB instead of SB; an array as a bound is its length */
    UNPACK_RECEIVED = 1 << 6,    /* line 22: S, what was received, instead of T, what was sent */
    ROTATE_AT_THE_END = 1 << 7,  /* lines 25 to 27 follow the loop over k that surrounds them */
    ROTATE_A_COPY = 1 << 8,      /* line 26 reads what was in R before line 25 */
    ALL_MENDED = (1 << 9) - 1,
    ALL_RANGES = SHIFT_TO_THE_LAST | SELECT_TO_THE_LAST | UNPACK_TO_THE_LAST | ROTATE_TO_THE_LAST
};

/* Blocks for which T and SB have room: (P + 1) / 2, P / 2, one less. */
typedef enum { AS_PRINTED, JUST_ENOUGH, TOO_SMALL } Size;

/* What is carried out. */
typedef struct {
    int mended;
    Size size;
    bool rotates_other_way;  /* line 26 reads R[(p + i) % P] */
    bool receives_elsewhere; /* line 19 leaves S alone */
} Variant;

/* The block of one process for another. */
typedef struct {
    bool is_set;
    int source, destination;
} Block;

typedef struct {
    const char *name;
    int size;
    Block blocks[MOST_P];
} Storage;

typedef struct {
    Storage S, R, T, received;
    int SB[MOST_P];
    int NB; /* elements of SB and T that are set */
} Process;

typedef struct {
    Arena *arena;
    Variant variant;
    int P, room; /* of T and SB */
    Process processes[MOST_P];
    struct {
        int k, blocks;
    } exchanges[MOST_EXCHANGES];
    int exchange_count;
    const char *fault; /* the first access that could not be made */
} World;

static bool is_mended(const World *world, int place)
{
    return (world->variant.mended & place) != 0;
}

/* The end of a loop over [.., bound], or over [.., bound) if that is how the range is read. */
static int end_of(const World *world, int place, int bound)
{
    return is_mended(world, place) ? bound : bound + 1;
}

static void note(World *world, int line, int p, const char *name, int index, const char *what)
{
    if (!world->fault)
        world->fault = arena_printf(world->arena, "P = %d, rank %d, line %d: %s[%d] %s", world->P,
                                    p, line, name, index, what);
}

static bool is_inside(World *world, int line, int p, const char *name, int size, int index)
{
    bool inside = 0 <= index && index < size;
    if (!inside)
        note(world, line, p, name, index, arena_printf(world->arena, "is one of %d", size));
    return inside;
}

/* Every access to a block is a copy. */
static void copy(World *world, int line, int p, Storage *to, int to_index, const Storage *from,
                 int from_index)
{
    if (!is_inside(world, line, p, from->name, from->size, from_index) ||
        !is_inside(world, line, p, to->name, to->size, to_index))
        return;
    if (!from->blocks[from_index].is_set) {
        note(world, line, p, from->name, from_index, "is not set");
        return;
    }
    to->blocks[to_index] = from->blocks[from_index];
}

static int room_of(int P, Size size)
{
    if (size == AS_PRINTED)
        return (P + 1) / 2;
    return size == TOO_SMALL && P > 1 ? P / 2 - 1 : P / 2;
}

static World *new_world(Arena *arena, int P, Variant variant)
{
    World *world = ARENA_NEW(arena, World);
    world->arena = arena, world->variant = variant, world->P = P;
    world->room = room_of(P, variant.size);
    for (int p = 0; p < P; p++) {
        Process *process = &world->processes[p];
        process->S = (Storage){.name = "S", .size = P};
        process->R = (Storage){.name = "R", .size = P};
        process->T = (Storage){.name = "T", .size = world->room};
        process->received = (Storage){.name = "received", .size = P};
        for (int i = 0; i < P; i++)
            process->S.blocks[i] = (Block){true, p, i};
    }
    return world;
}

/* Lines 2 to 4. */
static void shift(World *world)
{
    int P = world->P;
    for (int p = 0; p < P; p++)
        for (int i = 0; i < end_of(world, SHIFT_TO_THE_LAST, P); i++)
            copy(world, 3, p, &world->processes[p].R, i, &world->processes[p].S, (p + i) % P);
}

/* Lines 10 to 14. */
static void select_block(World *world, int k, int i)
{
    for (int p = 0; p < world->P && (i & k); p++) {
        Process *process = &world->processes[p];
        if (is_inside(world, 11, p, "SB", world->room, process->NB))
            process->SB[process->NB] = i;
        copy(world, 12, p, &process->T, process->NB, &process->R, i);
        process->NB++;
    }
}

static Storage *receive_buffer(World *world, int p)
{
    Process *process = &world->processes[p];
    return world->variant.receives_elsewhere ? &process->received : &process->S;
}

/* Lines 15 to 20: what p sends arrives if the receiver expects it from p. */
static void exchange(World *world, int k)
{
    int P = world->P, count = world->exchange_count++;
    ck_assert_int_lt(count, MOST_EXCHANGES);
    world->exchanges[count].k = k;
    world->exchanges[count].blocks = world->processes[0].NB;
    for (int p = 0; p < P; p++) {
        int sendproc = (p + k) % P, recvproc = (sendproc - k + P) % P;
        ck_assert_int_eq(recvproc, p);
        ck_assert_int_eq(world->processes[p].NB, world->exchanges[count].blocks);
        for (int i = 0; i < world->processes[p].NB; i++)
            copy(world, 19, p, receive_buffer(world, sendproc), i, &world->processes[p].T, i);
    }
}

/* Lines 21 to 23. */
static void unpack(World *world)
{
    for (int p = 0; p < world->P; p++) {
        Process *process = &world->processes[p];
        int bound = is_mended(world, UNPACK_AS_MANY) ? process->NB : world->room;
        Storage *from = is_mended(world, UNPACK_RECEIVED) ? receive_buffer(world, p) : &process->T;
        for (int i = 0; i < end_of(world, UNPACK_TO_THE_LAST, bound); i++) {
            if (!is_inside(world, 22, p, "SB", world->room, i))
                continue;
            if (i < process->NB)
                copy(world, 22, p, &process->R, process->SB[i], from, i);
            else
                note(world, 22, p, "SB", i, "is not set");
        }
    }
}

/* Lines 25 to 27. */
static void rotate(World *world)
{
    int P = world->P, direction = world->variant.rotates_other_way ? 1 : -1;
    for (int p = 0; p < P; p++) {
        Storage *R = &world->processes[p].R, before = *R;
        const Storage *from = is_mended(world, ROTATE_A_COPY) ? &before : R;
        for (int i = 0; i < end_of(world, ROTATE_TO_THE_LAST, P); i++)
            copy(world, 26, p, R, i, from, (p + direction * i + P) % P);
    }
}

/* The body of the loop over k, lines 7 to 27. */
static void run_step(World *world, int k)
{
    for (int p = 0; p < world->P; p++)
        world->processes[p].NB = 0;
    for (int i = k; i < end_of(world, SELECT_TO_THE_LAST, world->P); i++) {
        select_block(world, k, i);
        if (!is_mended(world, EXCHANGE_ONCE)) {
            exchange(world, k);
            unpack(world);
        }
    }
    if (is_mended(world, EXCHANGE_ONCE)) {
        exchange(world, k);
        unpack(world);
    }
    if (!is_mended(world, ROTATE_AT_THE_END))
        rotate(world);
}

static World *run_listing(Arena *arena, int P, Variant variant)
{
    World *world = new_world(arena, P, variant);
    shift(world);
    for (int k = 1; k < P; k <<= 1)
        run_step(world, k);
    if (is_mended(world, ROTATE_AT_THE_END))
        rotate(world);
    return world;
}

/* At the end position i of rank p has the block of i for p. NULL: that is so. */
static const char *find_wrong_block(const World *world)
{
    for (int p = 0; p < world->P; p++)
        for (int i = 0; i < world->P; i++) {
            Block block = world->processes[p].R.blocks[i];
            if (block.source != i || block.destination != p)
                return arena_printf(world->arena, "P = %d, rank %d: R[%d] holds %d>%d, not %d>%d",
                                    world->P, p, i, block.source, block.destination, i, p);
        }
    return NULL;
}

/* A step for each doubling that is still below P. NULL: there are so many. */
static const char *find_wrong_count(const World *world)
{
    int steps = 0;
    while ((1 << steps) < world->P)
        steps++;
    return world->exchange_count == steps
               ? NULL
               : arena_printf(world->arena, "P = %d: %d exchanges, not %d", world->P,
                              world->exchange_count, steps);
}

/* What goes wrong first at the smallest P; NULL: all is right up to MOST_P. */
static const char *find_smallest(Arena *arena, Variant variant)
{
    for (int P = 1; P <= MOST_P; P++) {
        World *world = run_listing(arena, P, variant);
        const char *wrong = world->fault;
        wrong = wrong ? wrong : find_wrong_block(world);
        wrong = wrong ? wrong : find_wrong_count(world);
        if (wrong)
            return wrong;
    }
    return NULL;
}

static void assert_smallest(Variant variant, const char *expected)
{
    Arena *arena = arena_create(NULL);
    const char *found = find_smallest(arena, variant);
    ck_assert_msg(found && strcmp(found, expected) == 0, "'%s' was expected, not '%s'", expected,
                  found ? found : "all is right");
    arena_destroy(arena);
}

static void assert_right(Variant variant)
{
    Arena *arena = arena_create(NULL);
    const char *found = find_smallest(arena, variant);
    ck_assert_msg(!found, "%s", found);
    arena_destroy(arena);
}

START_TEST(the_mended_listing_is_right)
{
    assert_right((Variant){.mended = ALL_MENDED});
}
END_TEST

/* In step k those positions are sent whose number has the bit k. */
START_TEST(the_mended_listing_sends_what_it_should)
{
    Arena *arena = arena_create(NULL);
    int P = _i;
    World *world = run_listing(arena, P, (Variant){.mended = ALL_MENDED});
    for (int step = 0; step < world->exchange_count; step++) {
        int k = 1 << step, blocks = 0;
        for (int i = 0; i < P; i++)
            blocks += (i / k) % 2;
        ck_assert_int_eq(world->exchanges[step].k, k);
        ck_assert_int_eq(world->exchanges[step].blocks, blocks);
    }
    arena_destroy(arena);
}
END_TEST

/* Each alone: all else is mended. P = 1 has no steps, and P = 2 one, in which every process sends
   and receives one block; so what concerns several steps or several blocks needs P = 3. A range
   that includes P does no harm in line 9 where P is a power of two: it has none of the bits k. */
static const struct {
    int left_in;
    const char *smallest;
} mistakes[] = {
    {SHIFT_TO_THE_LAST, "P = 1, rank 0, line 3: R[1] is one of 1"},
    {SELECT_TO_THE_LAST, "P = 3, rank 0, line 12: R[3] is one of 3"},
    {UNPACK_TO_THE_LAST, "P = 2, rank 0, line 22: SB[1] is one of 1"},
    {ROTATE_TO_THE_LAST, "P = 1, rank 0, line 26: R[1] is one of 1"},
    /* The blocks end up right: T still has them when they are sent once more. */
    {EXCHANGE_ONCE, "P = 3: 3 exchanges, not 2"},
    {UNPACK_AS_MANY, "P = 3, rank 0, line 22: SB[1] is not set"},
    {UNPACK_RECEIVED, "P = 2, rank 0: R[1] holds 0>1, not 1>0"},
    {ROTATE_AT_THE_END, "P = 3, rank 0: R[2] holds 0>2, not 2>0"},
    /* With P = 2 the rotation of rank 0 leaves everything where it is. */
    {ROTATE_A_COPY, "P = 2, rank 1: R[1] holds 0>1, not 1>1"},
};

START_TEST(each_mistake_alone_makes_it_wrong)
{
    assert_smallest((Variant){.mended = ALL_MENDED & ~mistakes[_i].left_in}, mistakes[_i].smallest);
}
END_TEST

/* The page of errata lists them with these places. */
START_TEST(each_correction_is_listed)
{
    Fixture *fixture = fixture_open();
    const Origin *origin = library_origin(fixture->library, text_of(fixture, "S1"), &fixture->diag);
    const Printed *printed = origin->printed;
    while (strcmp(printed->place, "algorithm 2") != 0)
        printed++;
    ck_assert_uint_eq(printed->correction_count, sizeof mistakes / sizeof *mistakes);
    for (size_t i = 0; i < printed->correction_count; i++) {
        const char *place = strstr(printed->corrections[i], "; else ");
        ck_assert_ptr_nonnull(place);
        ck_assert_str_eq(place + strlen("; else "), mistakes[i].smallest);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(no_mistakes_make_up_for_each_other)
{
    Arena *arena = arena_create(NULL);
    for (int mended = 0; mended < ALL_MENDED; mended++) {
        ArenaMark mark = arena_mark(arena);
        ck_assert_msg(find_smallest(arena, (Variant){.mended = mended}),
                      "right with mistakes left in: %x", (unsigned)(ALL_MENDED & ~mended));
        arena_release(arena, mark);
    }
    arena_destroy(arena);
}
END_TEST

START_TEST(as_printed_it_is_wrong)
{
    assert_smallest((Variant){.mended = 0}, "P = 1, rank 0, line 3: R[1] is one of 1");
}
END_TEST

/* It does not depend on what the brackets mean. */
START_TEST(with_its_ranges_read_kindly_it_is_wrong)
{
    assert_smallest((Variant){.mended = ALL_RANGES}, "P = 2, rank 0: R[1] holds 0>1, not 1>0");
}
END_TEST

/* What it does with all else as printed: of its own blocks each process loses half. The rotation in
   place leaves in positions i and p - i what the higher of them held, and once more changes
   nothing. */
START_TEST(with_its_ranges_read_kindly_nothing_arrives)
{
    Arena *arena = arena_create(NULL);
    int P = _i;
    World *world = run_listing(arena, P, (Variant){.mended = ALL_RANGES | UNPACK_AS_MANY});
    ck_assert_ptr_null(world->fault);
    for (int place = 0; place < P * P; place++) {
        int p = place / P, i = place % P, mirror = (p - i + P) % P,
            higher = i > mirror ? i : mirror;
        ck_assert_int_eq(world->processes[p].R.blocks[i].source, p);
        ck_assert_int_eq(world->processes[p].R.blocks[i].destination, (p + higher) % P);
    }
    arena_destroy(arena);
}
END_TEST

/* What looks like a mistake and is none. */

/* Of P positions at most P / 2 have the bit k: (P + 1) / 2 is one more than odd P needs. */
START_TEST(its_size_of_T_is_large_enough)
{
    assert_right((Variant){.mended = ALL_MENDED, .size = JUST_ENOUGH});
    assert_smallest((Variant){.mended = ALL_MENDED, .size = TOO_SMALL},
                    "P = 2, rank 0, line 11: SB[0] is one of 0");
}
END_TEST

/* Line 19 overwrites nothing that is read again: after line 4 all of S is in R. */
START_TEST(receiving_into_S_does_no_harm)
{
    assert_right((Variant){.mended = ALL_MENDED, .receives_elsewhere = true});
}
END_TEST

/* Position i has come i ranks up, so it is from p - i. */
START_TEST(its_direction_of_the_rotation_is_right)
{
    assert_smallest((Variant){.mended = ALL_MENDED, .rotates_other_way = true},
                    "P = 3, rank 0: R[1] holds 2>0, not 1>0");
}
END_TEST

Suite *bruck_listing_suite(void)
{
    Suite *suite = suite_create("bruck_listing");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, the_mended_listing_is_right);
    tcase_add_loop_test(tests, the_mended_listing_sends_what_it_should, 1, MOST_P + 1);
    tcase_add_loop_test(tests, each_mistake_alone_makes_it_wrong, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(tests, each_correction_is_listed);
    tcase_add_test(tests, no_mistakes_make_up_for_each_other);
    tcase_add_test(tests, as_printed_it_is_wrong);
    tcase_add_test(tests, with_its_ranges_read_kindly_it_is_wrong);
    tcase_add_loop_test(tests, with_its_ranges_read_kindly_nothing_arrives, 2, MOST_P + 1);
    tcase_add_test(tests, its_size_of_T_is_large_enough);
    tcase_add_test(tests, receiving_into_S_does_no_harm);
    tcase_add_test(tests, its_direction_of_the_rotation_is_right);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Answers of collcost.h: each must agree with what another function says of the same thing. */
#include "collcost.h"
#include "unit.h"

#include <math.h>
#include <string.h>

/* A context with one study. */
typedef struct {
    collcost_context *context;
    collcost_study *study;
} Asked;

static Asked ask(void)
{
    Asked asked;
    ck_assert_int_eq(collcost_open(NULL, &asked.context), COLLCOST_FINE);
    ck_assert_int_eq(collcost_study_create(asked.context, &asked.study), COLLCOST_FINE);
    return asked;
}

static void set(const Asked *asked, const char *name, const char *value)
{
    ck_assert_int_eq(collcost_study_set(asked->study, name, value), COLLCOST_FINE);
}

static collcost_case *open_one(const Asked *asked, const char *subject, const char *topology)
{
    collcost_case *opened;
    ck_assert_int_eq(collcost_case_open(asked->study, subject, topology, &opened), COLLCOST_FINE);
    return opened;
}

START_TEST(switch_points_go_with_the_startup)
{
    Asked asked = ask();
    const collcost_piece *pieces;
    const collcost_moved *moved;
    size_t piece_count, count;
    set(&asked, "th", "0");
    set(&asked, "tc", "0");
    collcost_case *opened = open_one(&asked, "allreduce", "full:8");
    ck_assert_int_eq(
        collcost_case_switch_points(opened, 1e3, 1e9, -1, COLLCOST_DETAILS, &pieces, &piece_count),
        COLLCOST_FINE);
    ck_assert_uint_gt(piece_count, 1);
    ck_assert_int_eq(collcost_case_vary(opened, "startup", 0.25, 1e3, 1e9, -1, &moved, &count),
                     COLLCOST_FINE);
    ck_assert_uint_eq(count, piece_count - 1);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(moved[i].before, pieces[i].algorithm);
        ck_assert_str_eq(moved[i].after, pieces[i + 1].algorithm);
        ck_assert_double_eq(moved[i].bytes, pieces[i + 1].from_bytes);
        assert_near(moved[i].less_bytes, 0.75 * moved[i].bytes, 1e-9);
        assert_near(moved[i].more_bytes, 1.25 * moved[i].bytes, 1e-9);
    }
    ck_assert_int_eq(collcost_case_vary(opened, "startup", 1.5, 1e3, 1e9, -1, &moved, &count),
                     COLLCOST_BAD_INPUT);
    collcost_close(asked.context);
}
END_TEST

/* How many of these points there are; each must begin a piece. */
static size_t count_begun(const collcost_moved *moved, size_t count, bool is_more,
                          const collcost_piece *pieces, size_t piece_count)
{
    size_t begun = 0;
    for (size_t i = 0; i < count; i++) {
        const double bytes = is_more ? moved[i].more_bytes : moved[i].less_bytes;
        size_t at = 1;
        if (isnan(bytes))
            continue;
        while (at < piece_count && pieces[at].from_bytes != bytes)
            at++;
        ck_assert_uint_lt(at, piece_count);
        begun++;
    }
    return begun;
}

/* Schedules are derived once for both answers: on a changed machine nothing may differ. */
START_TEST(points_move_to_those_of_the_changed_machine)
{
    static const char *const parameters[] = {"startup", "bandwidth", "node.bandwidth"},
                             *const machines[] = {"h100-ndr", "h100-ndr", "sg2260"},
                             *const factors[] = {"x0.75", "x1.25"};
    for (size_t i = 0; i < COUNT_OF(machines); i++) {
        Asked asked = ask();
        const collcost_moved *moved;
        size_t count;
        set(&asked, "machine", machines[i]);
        collcost_case *opened = open_one(&asked, "allreduce", "cluster:2x4");
        ck_assert_int_eq(
            collcost_case_vary(opened, parameters[i], 0.25, 1, 1e9, -1, &moved, &count),
            COLLCOST_FINE);
        for (int x = 0; x < 2; x++) {
            Asked other = ask();
            const collcost_piece *pieces;
            size_t piece_count;
            set(&other, "machine", machines[i]);
            set(&other, parameters[i], factors[x]);
            collcost_case *changed = open_one(&other, "allreduce", "cluster:2x4");
            ck_assert_int_eq(
                collcost_case_switch_points(changed, 1, 1e9, -1, 0, &pieces, &piece_count),
                COLLCOST_FINE);
            ck_assert_uint_gt(piece_count, 1);
            ck_assert_uint_eq(count_begun(moved, count, x, pieces, piece_count), piece_count - 1);
            collcost_close(other.context);
        }
        collcost_close(asked.context);
    }
}
END_TEST

START_TEST(conventions_that_do_not_matter_change_nothing)
{
    Asked asked = ask();
    const collcost_convention *with;
    size_t count, seen = 0;
    collcost_case *opened = open_one(&asked, "allreduce", "full:8");
    ck_assert_int_eq(collcost_case_conventions(opened, 1, 1e9, -1, &with, &count), COLLCOST_FINE);
    for (size_t i = 0; i < count; i++) {
        bool is_of_links = strcmp(with[i].rule, "contention") == 0; /* nobody shares a link */
        bool is_of_ports = strcmp(with[i].rule, "ports") == 0; /* flat trees then take one round */
        ck_assert(with[i].is_followed);
        ck_assert(!is_of_links || with[i].change == COLLCOST_CHANGES_NOTHING);
        ck_assert(!is_of_ports || with[i].change == COLLCOST_CHANGES_FASTEST);
        ck_assert_uint_gt(with[i].piece_count, 0);
        seen += is_of_links || is_of_ports;
    }
    ck_assert_uint_ge(seen, 2);
    collcost_close(asked.context);
}
END_TEST

START_TEST(conventions_that_are_not_followed_say_why)
{
    Asked asked = ask();
    const collcost_convention *with;
    size_t count, refused = 0;
    set(&asked, "contention", "shared");
    collcost_case *opened = open_one(&asked, "allgather/ring", "ring:4");
    ck_assert_int_eq(collcost_case_conventions(opened, 1, 1e9, -1, &with, &count), COLLCOST_FINE);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(with[i].is_followed, with[i].reason == NULL);
        refused += with[i].reason && strstr(with[i].reason, "has no cost with");
    }
    ck_assert_uint_eq(refused, 3); /* both kinds of store-and-forward, overlapped combining */
    collcost_close(asked.context);
}
END_TEST

/* In either order the second of both is refused, and the first stays. */
START_TEST(libraries_and_compositions_exclude_each_other)
{
    static const char *const kinds[] = {"all", "levels"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Asked asked = ask(), other = ask();
        set(&asked, "compose", kinds[i]);
        ck_assert_int_eq(collcost_study_set(asked.study, "for", "nccl"), COLLCOST_BAD_INPUT);
        set(&other, "for", "nccl");
        ck_assert_int_eq(collcost_study_set(other.study, "compose", kinds[i]), COLLCOST_BAD_INPUT);
        set(&other, "compose", "none");
        set(&asked, "compose", "none");
        set(&asked, "for", "nccl");
        collcost_close(asked.context);
        collcost_close(other.context);
    }
}
END_TEST

/* One merged piece loses what the envelope says, and no less than its tolerance allows. */
START_TEST(variations_of_one_algorithm_are_about_it_alone)
{
    Asked asked = ask();
    const collcost_moved *moved;
    const collcost_convention *with;
    size_t count;
    collcost_case *opened = open_one(&asked, "allreduce/ring", "full:8");
    ck_assert_int_eq(collcost_case_vary(opened, "startup", 0.25, 1e3, 1e9, -1, &moved, &count),
                     COLLCOST_FINE);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(collcost_case_conventions(opened, 1e3, 1e9, -1, &with, &count), COLLCOST_FINE);
    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(with[i].piece_count, 1);
        ck_assert_str_eq(with[i].pieces[0].algorithm, "ring");
    }
    ck_assert_int_eq(collcost_case_vary(opened, "startup", 0.25, 1e9, 1e3, -1, &moved, &count),
                     COLLCOST_BAD_INPUT);
    collcost_close(asked.context);
}
END_TEST

START_TEST(merged_pieces_say_what_they_lose)
{
    Asked asked = ask();
    const collcost_piece *all, *merged;
    size_t count, merged_count;
    collcost_case *opened = open_one(&asked, "broadcast", "mesh:4x4");
    ck_assert_int_eq(
        collcost_case_switch_points(opened, 1, 1e9, -1, COLLCOST_DETAILS, &all, &count),
        COLLCOST_FINE);
    ck_assert_int_eq(
        collcost_case_switch_points(opened, 1, 1e9, 0.3, COLLCOST_DETAILS, &merged, &merged_count),
        COLLCOST_FINE);
    ck_assert_uint_lt(merged_count, count);
    double most = 0;
    for (size_t i = 0; i < merged_count; i++)
        most = fmax(most, merged[i].slower_by);
    ck_assert(most > 0 && most <= 0.3 + 1e-9);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq(all[i].slower_by, 0);
    collcost_close(asked.context);
}
END_TEST

START_TEST(bounds_have_closed_forms_and_one_binds)
{
    Asked asked = ask();
    const collcost_bound *bounds;
    const char *rules, *of_case;
    size_t count, binding = 0, closed = 0;
    collcost_case *opened = open_one(&asked, "broadcast", "full:8");
    ck_assert_str_eq(collcost_case_collective(opened), "broadcast");
    ck_assert_int_eq(collcost_case_bounds(opened, 1e6, 0, &bounds, &count), COLLCOST_FINE);
    for (size_t i = 0; i < count; i++) {
        binding += bounds[i].binds;
        closed += bounds[i].closed_form != NULL;
        ck_assert(!bounds[i].may_be_loose);
        ck_assert_str_ne(bounds[i].kind, "flow");
    }
    ck_assert_uint_eq(binding, 1);
    ck_assert_uint_gt(closed, 0);
    opened = open_one(&asked, "allreduce", "full:8");
    ck_assert_int_eq(collcost_case_bounds(opened, 1e6, 0, &bounds, &count), COLLCOST_FINE);
    ck_assert(bounds[0].may_be_loose);
    ck_assert_int_eq(collcost_case_bounds(opened, 1e6, COLLCOST_FLOW, &bounds, &count),
                     collcost_has_flow() ? COLLCOST_FINE : COLLCOST_BAD_INPUT);
    ck_assert_int_eq(collcost_study_rules(asked.study, &rules), COLLCOST_FINE);
    ck_assert_int_eq(collcost_case_rules(opened, &of_case), COLLCOST_FINE);
    ck_assert_str_eq(rules, of_case);
    collcost_close(asked.context);
}
END_TEST

START_TEST(rows_over_ranks_begin_and_end_with_the_winners_of_their_cases)
{
    enum { FIRST = 2, LAST = 20 };
    Asked asked = ask();
    collcost_case *cases[LAST + 1];
    collcost_sweep *sweep;
    const collcost_rank_row *rows;
    size_t count, covered = 0;
    ck_assert_int_eq(collcost_sweep_create(asked.study, "allreduce", &sweep), COLLCOST_FINE);
    for (int p = FIRST; p <= LAST; p++) {
        char name[32];
        snprintf(name, sizeof name, "ring:%d", p);
        cases[p] = open_one(&asked, "allreduce", name);
        ck_assert_int_eq(collcost_sweep_add(sweep, cases[p], 1e5), COLLCOST_FINE);
    }
    ck_assert_int_eq(collcost_sweep_add(sweep, open_one(&asked, "reduce", "ring:8"), 1e5),
                     COLLCOST_BAD_INPUT);
    ck_assert_int_eq(collcost_sweep_rows(sweep, &rows, &count), COLLCOST_FINE);
    ck_assert_uint_gt(count, 1);
    for (size_t i = 0; i < count; i++) {
        const int64_t ends[2] = {rows[i].from_p, rows[i].to_p};
        const double totals[2] = {rows[i].total_at_from_s, rows[i].total_at_to_s};
        for (int end = 0; end < 2; end++) {
            const collcost_cost *best;
            ck_assert_int_eq(collcost_case_best(cases[ends[end]], 1e5, &best), COLLCOST_FINE);
            ck_assert_str_eq(best->algorithm, rows[i].algorithm);
            ck_assert_double_eq(best->total_s, totals[end]);
        }
        ck_assert_int_eq(rows[i].covers[0], rows[i].from_p);
        covered += rows[i].cover_count;
    }
    ck_assert_uint_eq(covered, LAST - FIRST + 1);
    collcost_close(asked.context);
}
END_TEST

/* However many chunks they make of it, what all ranks end with fills their memory. */
START_TEST(chunks_add_up_to_the_whole)
{
    enum { BYTES = 1 << 20 };
    Asked asked = ask();
    collcost_case *opened = open_one(&asked, "broadcast/pipelined-chain", "full:8");
    const collcost_cost *best;
    ck_assert_int_eq(collcost_case_best(opened, BYTES, &best), COLLCOST_FINE);
    ck_assert(best->has_chunks);
    ck_assert_double_gt(best->k, 1);
    ck_assert_double_eq_tol(best->peak_bytes, BYTES, 1e-9 * BYTES);
    collcost_close(asked.context);
}
END_TEST

static size_t runs_on(const Asked *asked, const int64_t *ranks, size_t count, int64_t most)
{
    static const char *const models[] = {"broadcast/binomial"};
    const collcost_task task = {
        .models = models, .model_count = 1, .ranks = ranks, .rank_count = count, .most = most};
    collcost_verification found;
    ck_assert_int_eq(collcost_verify(asked->study, &task, &found), COLLCOST_FINE);
    return found.run_count;
}

START_TEST(models_are_verified_on_all_ranks_up_to_the_most)
{
    static const int64_t ranks[] = {1, 2, 3, 4, 5};
    Asked asked = ask();
    for (size_t most = 1; most <= 5; most++)
        ck_assert_uint_eq(runs_on(&asked, NULL, 0, (int64_t)most), runs_on(&asked, ranks, most, 0));
    ck_assert_uint_eq(runs_on(&asked, ranks, 2, 5), runs_on(&asked, ranks, 2, 0));
    ck_assert_uint_lt(runs_on(&asked, NULL, 0, 2), runs_on(&asked, NULL, 0, 5));
    collcost_close(asked.context);
}
END_TEST

START_TEST(a_size_may_be_zero_but_not_negative)
{
    Asked asked = ask();
    collcost_case *opened = open_one(&asked, "broadcast", "full:8");
    const collcost_cost *costs, *best;
    size_t count;
    ck_assert_int_eq(collcost_case_best(opened, 0, &best), COLLCOST_FINE);
    ck_assert_double_eq(best->transfer_s, 0);
    ck_assert_int_eq(collcost_case_costs(opened, 0.5, &costs, &count), COLLCOST_FINE);
    ck_assert_int_eq(collcost_case_front(opened, 0, &costs, &count), COLLCOST_FINE);
    ck_assert_int_eq(collcost_case_best(opened, -1, &best), COLLCOST_BAD_INPUT);
    ck_assert_int_eq(collcost_case_costs(opened, -1, &costs, &count), COLLCOST_BAD_INPUT);
    ck_assert_int_eq(collcost_case_front(opened, -1, &costs, &count), COLLCOST_BAD_INPUT);
    collcost_close(asked.context);
}
END_TEST

/* What is set before each question, on the machine before it; some of it is in profiles. */
static const struct {
    const char *name, *value;
} changed_settings[] = {
    {"machine", "h100-ndr"},
    {"startup", "3 us"},
    {"bandwidth", "x0.3"},
    {"node.bandwidth", "x0.1"},
    {"gap", "200 ns"},
    {"gap", "300 ns"},
    {"call", "1 us"},
    {"contact", "2 us"},
    {"overhead", "4 us"},
    {"compute", "9 GB/s"},
    {"gap", "0 s"},
    {"overhead", "7 us"},
    {"node.startup", "1 ns"},
    {"per-hop", "1 ns"},
    {"machine", "hdr"},
    {"to-8KiB.up-to", "32 KiB"},
    {"contact", "1 us"},
    {"memory.gap", "80 ns"},
    {"memory.bandwidth", "1 GB/s"},
    {"contact", "3 us"},
    {"contact-posted", "2 us"},
    {"contact", "0 s"},
    {"contact", "5 us"},
    {"contact-posted", "0 s"},
    {"to-8KiB.up-to", "64 KiB"},
    {"memory.capacity", "1 GB/s"},
    {"memory.capacity", "3 GB/s"},
    {"memory.gap", "90 ns"},
    {"memory.capacity", "2 GB/s"},
    {"memory.contact", "1 us"},
    {"memory.contact", "4 us"},
    {"memory.capacity", "0.5 GB/s"},
};

START_TEST(times_follow_a_machine_as_cases_do)
{
    static const double sizes[] = {0, 1024, 1 << 14, 1 << 24};
    static const char *const subjects[] = {"allreduce/ring", "broadcast/flat",
                                           "alltoall/open-mpi-linear"};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    Asked asked = ask();
    set(&asked, "posting", _i % 2 ? "together" : "in-order");
    const collcost_cost *best;
    collcost_times *times;
    double seconds[COUNT], some[COUNT] = {-1, -1, -1, -1};
    collcost_case *opened = open_one(&asked, subjects[_i / 2], "smp:2x4");
    ck_assert_int_eq(collcost_times_create(opened, sizes, COUNT, &times), COLLCOST_FINE);
    for (size_t i = 0; i < sizeof changed_settings / sizeof *changed_settings; i++) {
        set(&asked, changed_settings[i].name, changed_settings[i].value);
        if (strcmp(changed_settings[i].name, "machine") == 0) {
            set(&asked, "ports", "1");
            set(&asked, "contacts", "1");
        }
        const collcost_machine *machine = collcost_study_machine(asked.study);
        ck_assert_int_eq(collcost_times_on(times, machine, NULL, seconds), COLLCOST_FINE);
        opened = open_one(&asked, subjects[_i / 2], "smp:2x4");
        for (int m = 0; m < COUNT; m++) {
            ck_assert_int_eq(collcost_case_best(opened, sizes[m], &best), COLLCOST_FINE);
            ck_assert_double_eq_tol(seconds[m], best->total_s, 1e-12 * best->total_s);
        }
    }
    const bool wanted[COUNT] = {false, true, false, true};
    ck_assert_int_eq(collcost_times_on(times, collcost_study_machine(asked.study), wanted, some),
                     COLLCOST_FINE);
    for (int m = 0; m < COUNT; m++)
        ck_assert_double_eq(some[m], wanted[m] ? seconds[m] : -1);
    collcost_times_free(times);
    collcost_close(asked.context);
}
END_TEST

START_TEST(times_are_of_one_algorithm_on_any_machine)
{
    static const double size = 40000, wrong = -1;
    static const char *const machines[] = {"sg2260", "edr", "h100-ndr", "griffon", "edr", "lumi"};
    static const char *const subjects[] = {"broadcast/binomial", "gather/flat", "allreduce/bine"};
    const char *network = _i % 2 ? "full:8" : "cluster:2x4";
    Asked asked = ask();
    collcost_times *times;
    const collcost_cost *best;
    double seconds;
    collcost_case *all = open_one(&asked, "broadcast", network);
    collcost_case *one = open_one(&asked, subjects[_i / 2], network);
    ck_assert_int_eq(collcost_times_create(all, &size, 1, &times), COLLCOST_BAD_INPUT);
    ck_assert_int_eq(collcost_times_create(one, &wrong, 1, &times), COLLCOST_BAD_INPUT);
    ck_assert_int_eq(collcost_times_create(one, &size, 1, &times), COLLCOST_FINE);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        set(&asked, "machine", machines[i]);
        set(&asked, "ports", "1");
        set(&asked, "duplex", "full");
        ck_assert_int_eq(
            collcost_times_on(times, collcost_study_machine(asked.study), NULL, &seconds),
            COLLCOST_FINE);
        one = open_one(&asked, subjects[_i / 2], network);
        ck_assert_int_eq(collcost_case_best(one, size, &best), COLLCOST_FINE);
        assert_near(seconds, best->total_s, 1e-12);
    }
    collcost_times_free(times);
    collcost_times_free(NULL);
    collcost_close(asked.context);
}
END_TEST

START_TEST(a_tolerance_is_a_share_or_none)
{
    static const double wrong[] = {NAN, INFINITY, -INFINITY, -0.05, -2};
    Asked asked = ask();
    collcost_case *opened = open_one(&asked, "broadcast", "full:8");
    const collcost_piece *pieces;
    const collcost_moved *moved;
    const collcost_convention *conventions;
    size_t count;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(collcost_case_switch_points(opened, 1, 1024, wrong[i], 0, &pieces, &count),
                         COLLCOST_BAD_INPUT);
        ck_assert_int_eq(
            collcost_case_vary(opened, "bandwidth", 0.2, 1, 1024, wrong[i], &moved, &count),
            COLLCOST_BAD_INPUT);
        ck_assert_int_eq(collcost_case_conventions(opened, 1, 1024, wrong[i], &conventions, &count),
                         COLLCOST_BAD_INPUT);
        ck_assert_int_eq(
            collcost_case_vary(opened, "bandwidth", wrong[i], 1, 1024, -1, &moved, &count),
            COLLCOST_BAD_INPUT);
    }
    ck_assert_int_eq(
        collcost_case_vary_between(opened, "bandwidth", 0.5, INFINITY, 1, 1024, -1, &moved, &count),
        COLLCOST_BAD_INPUT);
    ck_assert_int_eq(collcost_case_switch_points(opened, 1, 1024, 0, 0, &pieces, &count),
                     COLLCOST_FINE);
    ck_assert_int_eq(collcost_case_switch_points(opened, 1, 1024, -1, 0, &pieces, &count),
                     COLLCOST_FINE);
    collcost_close(asked.context);
}
END_TEST

static const collcost_explanation *explain(const Asked *asked, const char *first,
                                           const char *second, double bytes)
{
    const collcost_explanation *found;
    ck_assert_int_eq(collcost_explain(open_one(asked, first, "full:8"),
                                      open_one(asked, second, "full:8"), bytes,
                                      COLLCOST_BREAK_EVENS, &found),
                     COLLCOST_FINE);
    return found;
}

START_TEST(an_explanation_orders_two_as_the_table_does)
{
    Asked asked = ask();
    const collcost_explanation *found =
        explain(&asked, "broadcast/binomial", "broadcast/chain", 1000);
    ck_assert_int_eq(found->order, -1);
    ck_assert(found->has_rounds);
    ck_assert_double_lt(found->more[COLLCOST_STARTUP], 0);
    ck_assert_double_eq(found->more[COLLCOST_COMPUTE], 0);
    found = explain(&asked, "broadcast/chain", "broadcast/binomial", 1000);
    ck_assert_int_eq(found->order, 1);
    ck_assert_double_gt(found->more[COLLCOST_TOTAL], 0);
    /* Their sums differ in the last digits. */
    found = explain(&asked, "alltoall/hypercube", "alltoall/bruck", 1024);
    ck_assert_int_eq(found->order, 0);
    ck_assert_double_eq(found->more[COLLCOST_TOTAL], 0);
    collcost_close(asked.context);
}
END_TEST

/* What breaks even by the size is a switch point of the two. */
START_TEST(two_break_even_where_they_switch)
{
    Asked asked = ask();
    const collcost_piece *pieces;
    size_t count;
    const collcost_explanation *found =
        explain(&asked, "allreduce/recursive-doubling", "allreduce/rabenseifner", 1000);
    const collcost_break_even *by_size = &found->break_evens[found->break_even_count - 1];
    ck_assert_str_eq(by_size->parameter, "m");
    ck_assert_str_eq(by_size->unit, "B");
    ck_assert(by_size->above.is_found);
    ck_assert_int_eq(by_size->above.faster, 1);
    set(&asked, "among", "recursive-doubling,rabenseifner");
    ck_assert_int_eq(collcost_case_switch_points(open_one(&asked, "allreduce", "full:8"), 1, 1e9,
                                                 -1, 0, &pieces, &count),
                     COLLCOST_FINE);
    ck_assert_uint_eq(count, 2);
    assert_near(by_size->above.value, pieces[1].from_bytes, 1e-12);
    assert_near(by_size->above.factor, pieces[1].from_bytes / 1000, 1e-12);
    collcost_close(asked.context);
}
END_TEST

START_TEST(what_has_nothing_in_common_is_not_explained)
{
    Asked asked = ask();
    const collcost_explanation *found;
    collcost_case *first = open_one(&asked, "reduce/binomial", "full:8");
    ck_assert_int_eq(
        collcost_explain(first, open_one(&asked, "broadcast/chain", "full:8"), 8, 0, &found),
        COLLCOST_BAD_INPUT);
    ck_assert_int_eq(
        collcost_explain(first, open_one(&asked, "reduce/chain", "ring:8"), 8, 0, &found),
        COLLCOST_BAD_INPUT);
    collcost_close(asked.context);
}
END_TEST

static collcost_products *open_products(const Asked *asked)
{
    static const char *const topologies[] = {"full:1", "full:4", "full:9", "full:16", "full:64"};
    collcost_products *opened;
    ck_assert_int_eq(collcost_products_open(asked->study, "matmul/cannon", topologies, 5, &opened),
                     COLLCOST_FINE);
    return opened;
}

START_TEST(products_scale_as_their_costs_say)
{
    Asked asked = ask();
    const int64_t orders[] = {48, 960};
    const collcost_product *costs, *scaling, *largest, *sought;
    size_t count, scaled, kept, found;
    set(&asked, "multiply", "1 ps");
    collcost_products *opened = open_products(&asked);
    ck_assert_int_eq(collcost_products_costs(opened, orders, 2, &costs, &count), COLLCOST_FINE);
    ck_assert_int_eq(collcost_products_scaling(opened, orders, 2, &scaling, &scaled),
                     COLLCOST_FINE);
    ck_assert_uint_eq(count, 10);
    ck_assert_uint_eq(scaled, 10);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(costs[i].n, orders[i % 2]);
        ck_assert_double_eq(costs[i].total_s, scaling[i].total_s);
        assert_near(scaling[i].cost_s, (double)scaling[i].p * scaling[i].total_s, 1e-12);
        assert_near(scaling[i].efficiency, scaling[i].speedup / (double)scaling[i].p, 1e-12);
    }
    ck_assert_str_eq(costs[2].network, "full:4");
    ck_assert_int_eq(collcost_products_largest_ranks(opened, orders, 2, 0.5, &largest, &kept),
                     COLLCOST_FINE);
    for (size_t i = 0; i < kept; i++) {
        const collcost_product *optimal =
            collcost_products_cost_optimal(scaling, scaled, largest[i].n, 0.5);
        ck_assert_int_eq(optimal->p, largest[i].p);
        ck_assert_double_ge(largest[i].efficiency, 0.5);
    }
    ck_assert_uint_ge(kept, 1);
    ck_assert_int_eq(collcost_products_orders(opened, 0.5, &sought, &found), COLLCOST_FINE);
    ck_assert_uint_eq(found, 5);
    ck_assert_double_gt(sought[4].growth.power, 1);
    ck_assert_ptr_nonnull(sought[4].growth.order);
    ck_assert(isnan(scaling[4].growth.power));
    collcost_close(asked.context);
}
END_TEST

START_TEST(ranges_of_products_begin_with_the_winner_of_the_table)
{
    Asked asked = ask();
    static const char *const topologies[] = {"full:16", "full:64"};
    const int64_t n = 64;
    collcost_products *opened;
    const collcost_product *costs;
    const collcost_product_row *rows;
    size_t count, row_count;
    set(&asked, "multiply", "1 ps");
    ck_assert_int_eq(collcost_products_open(asked.study, "matmul", topologies, 2, &opened),
                     COLLCOST_FINE);
    ck_assert_int_eq(collcost_products_costs(opened, &n, 1, &costs, &count), COLLCOST_FINE);
    ck_assert_int_eq(collcost_products_over_orders(opened, n, 512, &rows, &row_count),
                     COLLCOST_FINE);
    ck_assert_str_eq(rows[0].network, "full:16");
    ck_assert_str_eq(rows[0].algorithm, costs[0].algorithm);
    ck_assert_double_eq(rows[0].total_at_from_s, costs[0].total_s);
    ck_assert_int_eq(rows[row_count - 1].to, 512);
    ck_assert_int_eq(collcost_products_over_ranks(opened, n, &rows, &row_count), COLLCOST_FINE);
    ck_assert_str_eq(rows[0].algorithm, collcost_products_fastest(costs, count, n, 16)->algorithm);
    ck_assert_int_eq(rows[0].from, 16);
    ck_assert_int_eq(rows[row_count - 1].to, 64);
    ck_assert_int_eq(collcost_products_over_orders(opened, 8, 4, &rows, &row_count),
                     COLLCOST_BAD_INPUT);
    ck_assert_int_eq(collcost_products_open(asked.study, "reduce", topologies, 2, &opened),
                     COLLCOST_BAD_INPUT);
    collcost_close(asked.context);
}
END_TEST

START_TEST(one_algorithm_uses_what_the_study_says)
{
    Asked asked = ask(), asked_alone = ask();
    const char *const topology = "full:16";
    const int64_t n = 256;
    collcost_products *all, *one;
    const collcost_product *list, *costs;
    size_t count, one_count;
    set(&asked, "using", "allgather/ring");
    set(&asked, "among", "simple");
    ck_assert_int_eq(collcost_products_open(asked.study, "matmul", &topology, 1, &all),
                     COLLCOST_FINE);
    ck_assert_int_eq(collcost_products_costs(all, &n, 1, &list, &count), COLLCOST_FINE);
    ck_assert_uint_eq(count, 1);
    set(&asked_alone, "using", "allgather/ring");
    ck_assert_int_eq(collcost_products_open(asked_alone.study, "matmul/simple", &topology, 1, &one),
                     COLLCOST_FINE);
    ck_assert_int_eq(collcost_products_costs(one, &n, 1, &costs, &one_count), COLLCOST_FINE);
    ck_assert_uint_eq(one_count, 1);
    ck_assert_str_eq(costs[0].algorithm, "simple using allgather/ring");
    ck_assert_double_eq(costs[0].total_s, list[0].total_s);
    collcost_close(asked.context);
    collcost_close(asked_alone.context);
}
END_TEST

Suite *library_suite(void)
{
    Suite *suite = suite_create("library");
    TCase *switches = tcase_create("switches");
    tcase_set_timeout(switches, 300);
    tcase_add_test(switches, switch_points_go_with_the_startup);
    tcase_add_test(switches, points_move_to_those_of_the_changed_machine);
    tcase_add_test(switches, conventions_that_do_not_matter_change_nothing);
    tcase_add_test(switches, conventions_that_are_not_followed_say_why);
    tcase_add_test(switches, variations_of_one_algorithm_are_about_it_alone);
    tcase_add_test(switches, merged_pieces_say_what_they_lose);
    tcase_add_test(switches, rows_over_ranks_begin_and_end_with_the_winners_of_their_cases);
    tcase_add_test(switches, a_tolerance_is_a_share_or_none);
    TCase *times = tcase_create("times");
    tcase_add_loop_test(times, times_follow_a_machine_as_cases_do, 0, 6);
    tcase_add_loop_test(times, times_are_of_one_algorithm_on_any_machine, 0, 6);
    suite_add_tcase(suite, times);
    suite_add_tcase(suite, switches);
    TCase *settings = tcase_create("settings");
    tcase_set_timeout(settings, 300);
    tcase_add_test(settings, libraries_and_compositions_exclude_each_other);
    suite_add_tcase(suite, settings);
    TCase *costs = tcase_create("costs");
    tcase_set_timeout(costs, 300);
    tcase_add_test(costs, bounds_have_closed_forms_and_one_binds);
    tcase_add_test(costs, chunks_add_up_to_the_whole);
    tcase_add_test(costs, a_size_may_be_zero_but_not_negative);
    suite_add_tcase(suite, costs);
    TCase *verification = tcase_create("verification");
    tcase_set_timeout(verification, 300);
    tcase_add_test(verification, models_are_verified_on_all_ranks_up_to_the_most);
    suite_add_tcase(suite, verification);
    TCase *explanations = tcase_create("explanations");
    tcase_set_timeout(explanations, 300);
    tcase_add_test(explanations, an_explanation_orders_two_as_the_table_does);
    tcase_add_test(explanations, two_break_even_where_they_switch);
    tcase_add_test(explanations, what_has_nothing_in_common_is_not_explained);
    suite_add_tcase(suite, explanations);
    TCase *products = tcase_create("products");
    tcase_set_timeout(products, 300);
    tcase_add_test(products, products_scale_as_their_costs_say);
    tcase_add_test(products, ranges_of_products_begin_with_the_winner_of_the_table);
    tcase_add_test(products, one_algorithm_uses_what_the_study_says);
    suite_add_tcase(suite, products);
    return suite;
}

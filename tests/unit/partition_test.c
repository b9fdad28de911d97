#include "sched/partition.h"
#include "unit.h"

/* For all small sizes: owners are ranks, shares are what owners own, runs are theirs, and balanced
   shares differ by one at most. */
START_TEST(owners_shares_and_runs_agree)
{
    for (int64_t size = 1; size <= 20; size++)
        for (int64_t parts = 1; parts <= 24; parts++)
            for (int64_t block = 0; block <= 5; block++) {
                Partition partition = {size, parts, block};
                int64_t total = 0, least = size, most = 0;
                for (int64_t part = 0; part < parts; part++) {
                    int64_t owned = 0, listed = 0, start, end = 0;
                    for (int64_t e = 0; e < size; e++)
                        owned += partition_owner(&partition, e) == part;
                    while (partition_run(&partition, part, end, &start, &end))
                        for (int64_t e = start; e < end; e++, listed++)
                            ck_assert_int_eq(partition_owner(&partition, e), part);
                    ck_assert_int_eq(partition_share(&partition, part), owned);
                    ck_assert_int_eq(listed, owned);
                    total += owned;
                    least = owned < least ? owned : least;
                    most = owned > most ? owned : most;
                }
                ck_assert_int_eq(total, size);
                ck_assert(block || most - least <= 1);
            }
}
END_TEST

START_TEST(the_usual_layouts)
{
    static const int64_t balanced[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2};
    static const int64_t cyclic[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
    static const int64_t by_two[] = {0, 0, 1, 1, 2, 2, 0, 0, 1, 1};
    for (int64_t e = 0; e < 10; e++) {
        ck_assert_int_eq(partition_owner(&(Partition){10, 3, 0}, e), balanced[e]);
        ck_assert_int_eq(partition_owner(&(Partition){10, 3, 1}, e), cyclic[e]);
        ck_assert_int_eq(partition_owner(&(Partition){10, 3, 2}, e), by_two[e]);
    }
}
END_TEST

Suite *partition_suite(void)
{
    Suite *suite = suite_create("partition");
    TCase *layouts = tcase_create("layouts");
    tcase_add_test(layouts, owners_shares_and_runs_agree);
    tcase_add_test(layouts, the_usual_layouts);
    suite_add_tcase(suite, layouts);
    return suite;
}

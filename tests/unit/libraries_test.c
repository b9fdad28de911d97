#include "unit.h"

#include "study/study.h"

static const struct {
    const char *algorithm;
    int64_t devices, nodes, root, k, branches;
    const char *messages;
} copies[] = {
#define COPY(algorithm, p, root, k, branches, messages)                                            \
    {algorithm, p, 1, root, k, branches, messages},
#define COPY_ON(algorithm, devices, nodes, messages) {algorithm, devices, nodes, 0, 1, 0, messages},
#include "copies.def"
#undef COPY
#undef COPY_ON
};

START_TEST(copies_send_the_same_messages)
{
    Fixture *fixture = fixture_open();
    Shape shape = shape_line(copies[_i].devices);
    if (copies[_i].nodes > 1)
        shape_add(&shape, "y", copies[_i].nodes);
    Instance instance =
        instance_of(fixture, copies[_i].algorithm, shape.p, copies[_i].root, copies[_i].k);
    instance.shape = &shape;
    instance.branches = copies[_i].branches;
    ck_assert_str_eq(schedule_text(fixture, &instance), copies[_i].messages);
    fixture_close(fixture);
}
END_TEST

/* No copy goes without its messages written down. */
START_TEST(every_copy_is_written_down)
{
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < library_entry_count(fixture->library); i++) {
        const ModelEntry *entry = library_entry(fixture->library, i);
        bool found = false;
        if (entry->kind != KIND_ALGORITHM)
            continue;
        const Algorithm *algorithm = library_load(fixture->library, entry, &fixture->diag);
        for (size_t c = 0; c < sizeof copies / sizeof *copies; c++)
            found |= strcmp(copies[c].algorithm, entry->name) == 0;
        ck_assert_msg(!*algorithm->library || found, "%s", entry->name);
    }
    fixture_close(fixture);
}
END_TEST

/* Every algorithm of every library has a model that can be read, or a note that says why not; and
   what it falls back on in turn does not go round in a circle. */
START_TEST(libraries_are_whole)
{
    Fixture *fixture = fixture_open();
    Study *study = study_create(fixture->arena, fixture->library, &fixture->diag);
    int read = 0;
    for (size_t i = 0; i < library_entry_count(fixture->library); i++) {
        const ModelEntry *entry = library_entry(fixture->library, i);
        if (entry->kind != KIND_IMPLEMENTATION)
            continue;
        const Implementation *library =
            library_implementation(fixture->library, text_of(fixture, entry->name), &fixture->diag);
        study->implementation = library;
        study->version = implementation_version(library, (Text){0}, &fixture->diag);
        for (size_t a = 0; a < library->algorithm_count; a++) {
            const LibraryAlgorithm *one = &library->algorithms[a];
            const LibraryCall usual = {.p = 8, .nodes = 1, .m = 1024, .buffer = 1024};
            const Algorithm *model =
                one->model.length ? subject_of_library(study, one, &usual) : NULL;
            ck_assert_msg(model || *one->note, "%s %s", entry->name, one->name);
            if (model)
                ck_assert(text_equals(one->collective, model->collective->head.name));
            for (int64_t p = 1; p < 20; p++) {
                const LibraryCall call = {.p = p, .m = 1e9, .buffer = 1e9, .segment = 1};
                const LibraryAlgorithm *runs =
                    implementation_runs(library, library->versions[0], one, &call, &fixture->diag);
                ck_assert(!runs || !runs->unless.program ||
                          implementation_runs(library, library->versions[0], runs, &call,
                                              &fixture->diag) == runs);
            }
        }
        read++;
    }
    ck_assert_int_ge(read, 1);
    fixture_close(fixture);
}
END_TEST

/* Thresholds of the built-in decisions, at both sides. */
static const struct {
    const char *library, *version, *collective;
    int64_t p;
    double m;
    const char *name, *variant;
} choices[] = {
    {"open-mpi", "4.1", "broadcast", 3, 31, "pipeline", NULL},
    {"open-mpi", "4.1", "broadcast", 3, 32, "binary_tree", NULL},
    {"open-mpi", "4.1", "broadcast", 16, 1048575, "binomial", NULL},
    {"open-mpi", "4.1", "broadcast", 16, 1048576, "scatter_allgather", NULL},
    {"open-mpi", "5.0", "broadcast", 63, 2047, "binomial", NULL},
    {"open-mpi", "5.0", "broadcast", 64, 2047, "knomial", NULL},
    {"open-mpi", "4.1", "allreduce", 128, 131071, "nonoverlapping", NULL},
    {"open-mpi", "4.1", "allreduce", 128, 131072, "recursive_doubling", NULL},
    {"open-mpi", "4.1", "allgather", 2, 8, "two_proc", NULL},
    {"open-mpi", "4.1", "allgather", 16, 8, "recursive_doubling", NULL},
    {"open-mpi", "4.1", "allgather", 12, 8, "bruck", NULL},   /* no power of two */
    {"open-mpi", "4.1", "allgather", 33, 1024, "ring", NULL}, /* neighbor needs an even number */
    {"open-mpi", "4.1", "reduce-scatter", 8, 32767, "recursive_halving", NULL}, /* by p m */
    {"open-mpi", "4.1", "reduce-scatter", 8, 32768, "ring", NULL},
    {"open-mpi", "4.1", "barrier", 4, 0, "linear", NULL},
    {"mpich", "4.0", "allgather", 8, 65535, "recursive_doubling", NULL},
    {"mpich", "4.0", "allgather", 8, 65536, "ring", NULL},
    {"mpich", "4.0", "allgather", 5, 16383, "brucks", NULL},
    {"mpich", "4.0", "allgather", 5, 16384, "ring", NULL},
    {"mpich", "4.0", "broadcast", 7, 1e6, "binomial", NULL},
    {"mpich", "4.0", "broadcast", 8, 12288, "binomial", NULL},
    {"mpich", "4.0", "broadcast", 8, 12289, "scatter_recursive_doubling_allgather", NULL},
    {"mpich", "4.0", "broadcast", 8, 524288, "scatter_recursive_doubling_allgather", NULL},
    {"mpich", "4.0", "broadcast", 8, 524289, "scatter_ring_allgather", NULL},
    {"mpich", "4.0", "broadcast", 9, 12289, "scatter_ring_allgather", NULL},
    {"mpich", "4.0", "allreduce", 8, 8, "recursive_doubling", NULL},
    {"mpich", "4.0", "allreduce", 8, 9, "reduce_scatter_allgather", NULL},
    {"mpich", "4.0", "allreduce", 1024, 1023, "recursive_doubling", NULL}, /* fewer elements */
    {"mpich", "4.0", "allreduce", 1025, 1024, "reduce_scatter_allgather", NULL},
    {"mpich", "4.0", "reduce", 4096, 4095, "binomial", NULL}, /* than a power of two of ranks */
    {"mpich", "4.0", "reduce", 4097, 4096, "reduce_scatter_gather", NULL},
    {"mpich", "4.0", "alltoall", 7, 8, "scattered", NULL},
    {"mpich", "4.0", "alltoall", 8, 256, "scattered", NULL}, /* its comm_size<8 is read as <= 8 */
    {"mpich", "4.0", "alltoall", 9, 256, "brucks", NULL},
    {"mpich", "4.0", "alltoall", 9, 257, "scattered", NULL},
    {"mpich", "4.0", "barrier", 8, 0, "dissemination", NULL},
    {"mpich", "4.1", "barrier", 8, 0, "k_dissemination", NULL},
    {"mpich", "4.0", "alltoall", 8, 32769, "pairwise", NULL},
    {"mpich", "4.0", "reduce-scatter", 8, 65535, "recursive_halving", NULL}, /* by p m */
    {"mpich", "4.0", "reduce-scatter", 8, 65536, "pairwise", NULL},
    {"open-mpi", "4.1", "broadcast", 8, 32767, "binomial", NULL},
    {"open-mpi", "4.1", "broadcast", 8, 1048576, "basic_linear", NULL},
    {"ucc", "1.9", "allreduce", 8, 4095, "knomial", NULL},
    {"ucc", "1.9", "allreduce", 8, 4096, "sra_knomial", NULL},
    {"ucc", "1.9", "broadcast", 3, 32768, "sag_knomial", NULL},
    {"ucc", "1.9", "broadcast", 2, 32768, "knomial", NULL},
    {"ucc", "1.9", "reduce", 8, 32767, "knomial", NULL},
    {"ucc", "1.9", "reduce", 8, 32768, "srg", NULL},
    {"mpich", "4.0", "reduce", 8, 2048, "binomial", NULL},
    {"mpich", "4.0", "reduce", 8, 2049, "reduce_scatter_gather", NULL},
    {"open-mpi", "4.1", "reduce-scatter", 2, 3, "recursive_doubling", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 2, 4, "butterfly", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 3, 131071, "butterfly", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 3, 131072, "basic_linear", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 4, 7, "recursive_halving", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 4, 8, "recursive_doubling", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 7, 1048576, "basic_linear", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 15, 524287, "recursive_halving", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 15, 4194304, "butterfly", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 16, 31, "basic_linear", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 31, 2097152, "recursive_halving", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 32, 15, "basic_linear", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 32, 65535, "butterfly", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 1000, 65536, "basic_linear", "reduce_scatter_block"},
    {"open-mpi", "4.1", "reduce-scatter", 1000, 262144, "butterfly", "reduce_scatter_block"},
};

START_TEST(libraries_choose)
{
    Fixture *fixture = fixture_open();
    const Implementation *library = library_implementation(
        fixture->library, text_of(fixture, choices[_i].library), &fixture->diag);
    const Collective *collective = collective_named(fixture, choices[_i].collective);
    int64_t blocks;
    ck_assert(contract_buffer_blocks(collective, choices[_i].p, &blocks, &fixture->diag));
    const LibraryCall call = {
        .p = choices[_i].p, .m = choices[_i].m, .buffer = choices[_i].m * (double)blocks};
    const LibraryAlgorithm *choice =
        implementation_chooses(library, choices[_i].version, choices[_i].collective,
                               choices[_i].variant, &call, &fixture->diag);
    ck_assert(choice != NULL);
    ck_assert_str_eq(choice->name, choices[_i].name);
    fixture_close(fixture);
}
END_TEST

/* Where NCCL's choice changes, by its published constants and formulas, computed apart from the
   model: the last size of one choice, the other being that of sizes two bytes above. */
static const struct {
    const char *machine, *collective;
    int64_t p, nodes;
    double b; /* bytes of the largest buffer */
    const char *name, *protocol, *next, *next_protocol;
    const char *version;
} foretold[] = {
    {"node", "allreduce", 8, 1, 3521157, "ring", "LL", "ring", "LL128", "2.27"},
    {"node", "allreduce", 8, 1, 37443999, "ring", "LL128", "ring", "Simple", "2.27"},
    {"switched", "allreduce", 8, 1, 1090738, "ring", "LL", "nvls", "Simple", "2.27"},
    {"nodes", "allreduce", 16, 2, 255452, "tree", "LL", "tree", "LL128", "2.27"},
    {"nodes", "allreduce", 16, 2, 22576665, "tree", "LL128", "ring", "LL128", "2.27"},
    {"nodes", "allreduce", 16, 2, 82689237, "ring", "LL128", "ring", "Simple", "2.27"},
    {"nodes", "allreduce", 32, 4, 166748, "tree", "LL", "tree", "LL128", "2.27"},
    {"nodes", "allreduce", 32, 4, 173919187, "ring", "LL128", "ring", "Simple", "2.27"},
    {"dgx-a100", "allreduce", 64, 8, 195905, "tree", "LL", "tree", "LL128", "2.27"},
    {"dgx-a100", "allreduce", 64, 8, 134217727, "ring", "LL128", "tree", "LL128", "2.27"},
    {"dgx-a100", "allreduce", 64, 8, 536870911, "ring", "LL128", "tree", "Simple", "2.27"},
    {"dgx-a100", "allreduce", 64, 8, 1046336853, "ring", "LL128", "ring", "Simple", "2.27"},
    {"switched", "allgather", 8, 1, 4538991, "ring", "LL", "ring", "LL128", "2.27"},
    {"nodes", "allgather", 16, 16, 142104252, "pat", "Simple", "ring", "Simple", "2.27"},
    {"dgx-a100", "allgather", 32, 4, 248337, "ring", "LL", "ring", "LL128", "2.27"},
    {"dgx-a100", "reduce-scatter", 32, 4, 310886399, "ring", "LL128", "ring", "Simple", "2.27"},
    {"nodes", "broadcast", 16, 2, 219539015, "ring", "LL128", "ring", "Simple", "2.27"},
    {"nodes", "reduce", 16, 2, 1268268, "ring", "LL", "ring", "LL128", "2.27"},
    {"switched", "allreduce", 8, 1, 1083224, "ring", "LL", "nvls", "Simple", "2.28"},
    {"h100-ndr", "allreduce", 32, 4, 7903819, "tree", "LL128", "nvls_tree", "Simple", "2.30"},
    {"b200-ndr", "allgather", 16, 2, 1031400, "ring", "LL", "ring", "LL128", "2.28"},
    {"b200-ndr", "allgather", 16, 2, 1009059, "ring", "LL", "ring", "LL128", "2.29"},
};

static const char *const hopper[] = {
    "machine: node\n"
    "hardware: {capability: 90, channels: 12}\n"
    "startup: 3.4 us\n"
    "bandwidth: 370 GB/s\n",
    "machine: switched\n"
    "hardware: {capability: 90, channels: 12}\n"
    "startup: 3.4 us\n"
    "bandwidth: 370 GB/s\n"
    "levels: {device: {multicasts: yes, combines: yes}}\n",
    "machine: nodes\n"
    "hardware: {capability: 90, channels: 8}\n"
    "startup: 3.4 us\n"
    "bandwidth: 370 GB/s\n"
    "levels: {device: {}, node: {startup: 14 us, bandwidth: 47 GB/s, ports: 8}}\n"};

/* With 12 channels for each device, and processors of AMD. */
static const char dgx_a100[] =
    "machine: dgx-a100\n"
    "summary: Nodes of 8 A100 GPUs, each with an adapter of 200 Gbit/s.\n"
    "hardware: {capability: 80, channels: 12, amd: 1}\n"
    "select: fastest\n"
    "call: 6.6 us\n"
    "protocols:\n"
    "  - {name: LL, startup: 0.6 us, bandwidth: 87.7 GB/s}\n"
    "  - {name: LL128, startup: 1.9 us, bandwidth: 216.2 GB/s}\n"
    "  - {name: Simple, startup: 3.4 us, bandwidth: 235 GB/s}\n"
    "levels:\n"
    "  device: {}\n"
    "  node:\n"
    "    ports: 8\n"
    "    protocols:\n"
    "      - {name: LL, startup: 2.7 us, bandwidth: 2.8125 GB/s}\n"
    "      - {name: LL128, startup: 4 us, bandwidth: 22.08 GB/s}\n"
    "      - {name: Simple, startup: 14 us, bandwidth: 24 GB/s}\n";

START_TEST(nccl_predicts)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, dgx_a100);
    for (int i = 0; i < 3; i++)
        use_models(fixture, hopper[i]);
    const Implementation *library =
        library_implementation(fixture->library, text_of(fixture, "nccl"), &fixture->diag);
    LibraryCall call = {.p = foretold[_i].p,
                        .nodes = foretold[_i].nodes,
                        .machine = library_machine(fixture->library,
                                                   text_of(fixture, foretold[_i].machine),
                                                   &fixture->diag)};
    for (int next = 0; next < 2; next++) {
        call.buffer = call.m = foretold[_i].b + 2 * next;
        const LibraryChoice choice = implementation_choice(
            library, foretold[_i].version, foretold[_i].collective, NULL, &call, &fixture->diag);
        ck_assert(choice.algorithm != NULL);
        ck_assert_str_eq(choice.algorithm->name, next ? foretold[_i].next : foretold[_i].name);
        ck_assert_str_eq(choice.protocol,
                         next ? foretold[_i].next_protocol : foretold[_i].protocol);
    }
    fixture_close(fixture);
}
END_TEST

/* A machine without a word about the GPUs is refused, not guessed. */
START_TEST(hardware_must_be_said)
{
    Fixture *fixture = fixture_open();
    const Implementation *library =
        library_implementation(fixture->library, text_of(fixture, "nccl"), &fixture->diag);
    const LibraryCall call = {
        .p = 8,
        .nodes = 1,
        .m = 8,
        .buffer = 8,
        .machine = library_machine(fixture->library, text_of(fixture, "sg2260"), &fixture->diag)};
    ck_assert(!implementation_chooses(library, "2.27", "allreduce", NULL, &call, &fixture->diag));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *rest; /* of a file, from line 3 on */
    size_t line, column;
} faults[] = {
    {"algorithms: [{collective: broadcast, number: 1, name: a}]", 3, 14},
    {"algorithms: [{collective: broadcst, name: a, model: broadcast/flat}]", 3, 27},
    {"algorithms: [{collective: broadcast, name: a, model: broadcast/flt}]", 3, 54},
    {"algorithms: [{collective: broadcast, name: a, model: reduce/flat}]", 3, 54},
    {"algorithms: [{collective: broadcast, name: a, model: broadcast/flat, versions: 3}]", 3, 80},
    {"algorithms: [{collective: broadcast, name: a, model: broadcast/flat, blocks: odd}]", 3, 78},
    {"algorithms: [{collective: broadcast, name: a, model: broadcast/flat, segment: 0}]", 3, 79},
    {"algorithms: [{collective: broadcast, name: a, model: broadcast/flat, unless: p > 1}]", 3, 14},
    {"algorithms: [{collective: broadcast, name: a, model: broadcast/flat, unless: p > 1, "
     "fallback: "
     "b}]",
     3, 14},
    {"algorithms: [{collective: broadcast, name: a, model: broadcast/flat}]\n"
     "decisions: [{collective: broadcast, choose: [{run: b}]}]",
     4, 52},
    {"algorithms: [{collective: broadcast, name: a, model: broadcast/flat}]\n"
     "decisions: [{collective: broadcast, choose: [{when: m < 2, run: a}]}]",
     4, 53},
    {"algorithms: [{collective: broadcast, name: a, model: broadcast/flat}]\n"
     "decisions: [{collective: broadcast}]",
     4, 13},
#define TUNED                                                                                      \
    "algorithms: [{collective: broadcast, name: a, model: broadcast/flat}]\n"                      \
    "tuning:\n"
    {TUNED "  hardware: {gpus: 8}", 5, 3},
    {TUNED "  hardware: {p: 8}\n  candidates: []", 5, 14},
    {TUNED "  hardware: {gpus: many}\n  candidates: []", 5, 20},
    {TUNED "  candidates: [{collective: broadcast, run: a, latency: 1us}]", 5, 16},
    {TUNED "  candidates: [{collective: broadcast, run: b, latency: 1us, bandwidth: 1GB/s}]", 5,
     16},
    {TUNED "  candidates: [{collective: broadcast, run: a, latency: 1B, bandwidth: 1GB/s}]", 5, 57},
    {TUNED "  candidates: [{collective: broadcast, run: a, latency: 1us, bandwidth: 1GB/s, "
           "factors: [0]}]",
     5, 90},
#undef TUNED
};

START_TEST(faults_are_reported)
{
    Fixture *fixture = fixture_open();
    ck_assert(
        !add_models(fixture, arena_printf(fixture->arena, "library: mine\nversions: [1, 2]\n%s",
                                          faults[_i].rest)));
    assert_error_at(fixture, "user.yaml", faults[_i].line, faults[_i].column);
    fixture_close(fixture);
}
END_TEST

Suite *libraries_suite(void)
{
    Suite *suite = suite_create("libraries");
    TCase *tcase = tcase_create("libraries");
    tcase_add_loop_test(tcase, copies_send_the_same_messages, 0, sizeof copies / sizeof *copies);
    tcase_add_test(tcase, every_copy_is_written_down);
    tcase_add_test(tcase, libraries_are_whole);
    tcase_add_loop_test(tcase, libraries_choose, 0, sizeof choices / sizeof *choices);
    tcase_add_loop_test(tcase, nccl_predicts, 0, sizeof foretold / sizeof *foretold);
    tcase_add_test(tcase, hardware_must_be_said);
    tcase_add_loop_test(tcase, faults_are_reported, 0, sizeof faults / sizeof *faults);
    suite_add_tcase(suite, tcase);
    return suite;
}

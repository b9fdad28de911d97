#include "forms/fitting.h"

#include "claims/grid.h"

/* A size that all lanes and chunks divide, for each chunk. */
enum { BYTES_OF_CHUNK = 840 };

/* The largest side of grids with named dimensions, two and more. */
enum { LARGEST_SIDE = 8, LARGEST_DEEP_SIDE = 4 };

/* All numbers of ranks up to here, and some further on while they are less work. */
enum { LARGEST_OF_ALL = 64, MOST_WORK = 1 << 22 };

enum { LARGEST_WITH_OTHER_PORTS = 17, MOST_PORTS = 3 };

typedef struct {
    Arena *arena, *scratch;
    const SampleQuestion *question;
    const Network *network;
    const Shape *shape;
    const char *name; /* of the network */
    SampleArray *samples;
    Diag *diag;
} Sampling;

static void read_profile(const Profile *profile, Sample *sample)
{
    Exact size = exact_from_int(profile->chunks * BYTES_OF_CHUNK);
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        ExactParameters vector = {.multiply = exact_from_int(0)};
        for (int j = 0; j < PARAMETER_COUNT; j++)
            vector.parameters[j] = exact_from_int(j == i);
        bool per_byte = parameter_info[i].dimension.bytes != 0;
        Exact time = profile_time_exact(profile, &vector, size);
        sample->costs[i] = per_byte ? exact_divide(time, size) : time;
    }
    /* A sum of times is largest where one way is the longest for each parameter by itself; then
       it is so for all machines, and one machine on which everything costs something can tell. */
    static const int64_t values[PARAMETER_COUNT] = {7, 11, 5, 3};
    ExactParameters machine;
    Exact sum = exact_from_int(0);
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        bool per_byte = parameter_info[i].dimension.bytes != 0;
        machine.parameters[i] = exact_from_int(values[i]);
        Exact part = exact_multiply(sample->costs[i], machine.parameters[i]);
        sum = exact_add(sum, per_byte ? exact_multiply(part, size) : part);
    }
    sample->is_sum = exact_equal(sum, profile_time_exact(profile, &machine, size));
    /* As if all ranks sent what the busiest one sends, as far as the farthest one does. */
    double work = 0;
    for (size_t t = 0; t < profile->step_count; t++) {
        const PortStepCost *step = &profile->steps[t];
        int64_t hops = 1;
        for (size_t i = 0; i < step->path_count; i++)
            if (profile->paths[step->first_path + i].hops > hops)
                hops = profile->paths[step->first_path + i].hops;
        work += (double)step->repeat * (double)(step->message + hops);
    }
    sample->work = work * (double)sample->shape->p;
}

static bool sample_point(Sampling *sampling, int64_t root, int64_t target, int64_t k)
{
    const SampleQuestion *question = sampling->question;
    Instance instance = {.algorithm = question->algorithm,
                         .p = sampling->shape->p,
                         .root = root,
                         .k = k,
                         .ports = rules_ports(&question->rules, sampling->network),
                         .shape = sampling->shape,
                         .target = target};
    Profile profile;
    if (!profile_derive(sampling->scratch, &instance, sampling->network, &question->rules, &profile,
                        sampling->diag))
        return false;
    if (profile.has_link_costs)
        return diag_error(
            sampling->diag, NOWHERE,
            "links of %s have parameters of their own, so costs there are not formulas in "
            "ts, th, tw and tc",
            sampling->network->name);
    const Shape *shape = sampling->shape;
    Sample *sample = ARRAY_PUSH(sampling->arena, sampling->samples);
    *sample = (Sample){.point.values = {[FORM_P] = instance.p,
                                        [FORM_DIMS] = shape->count,
                                        [FORM_K] = k,
                                        [FORM_D] = instance.ports,
                                        [FORM_ROOT] = root,
                                        [FORM_TARGET] = target},
                       .shape = shape,
                       .name = sampling->name};
    for (int i = 0; i < 3; i++)
        sample->point.values[FORM_X + i] = i < shape->count ? shape->sizes[i] : 1;
    read_profile(&profile, sample);
    return true;
}

/* All roots, targets and numbers of chunks on one network. */
static bool sample_network(Sampling *sampling)
{
    const SampleQuestion *question = sampling->question;
    const Collective *collective = question->algorithm->collective;
    int64_t p = sampling->shape->p, roots[4] = {question->root}, targets[4] = {question->target};
    int64_t chunks[5];
    bool all_roots = question->root < 0, all_targets = question->target < 0;
    int root_count = all_roots ? verdict_roots(collective->rooted, p, roots) : question->root < p;
    int target_count =
        all_targets ? verdict_roots(collective->targeted, p, targets) : question->target < p;
    int chunk_count = verdict_chunks(question->algorithm->free_chunks, chunks);
    for (int r = 0; r < root_count; r++)
        for (int t = 0; t < target_count; t++)
            for (int k = 0; k < chunk_count; k++) {
                ArenaMark mark = arena_mark(sampling->scratch);
                bool good = sample_point(sampling, roots[r], targets[t], chunks[k]);
                arena_release(sampling->scratch, mark);
                if (!good)
                    return false;
            }
    return true;
}

/* Some sizes make no network, and on some the algorithm does not run. */
static bool sample_shapes(Arena *arena, const SampleQuestion *question, const ShapeArray *shapes,
                          SampleArray *samples, Diag *diag)
{
    Network network;
    Sampling sampling = {.arena = arena,
                         .scratch = arena_scratch(arena),
                         .question = question,
                         .network = &network,
                         .samples = samples,
                         .diag = diag};
    bool good = true;
    for (size_t i = 0; i < shapes->count && good; i++) {
        const Shape *shape = ARENA_COPY(arena, Shape, &shapes->items[i], 1);
        ArenaMark mark = arena_mark(sampling.scratch);
        sampling.shape = shape;
        sampling.name = topology_name(arena, question->topology, shape);
        if (network_try(sampling.scratch, question->topology, shape, question->rules.ties,
                        &network) &&
            schedule_allows(question->algorithm, shape, rules_ports(&question->rules, &network),
                            NULL, diag))
            good = sample_network(&sampling);
        arena_release(sampling.scratch, mark);
    }
    arena_destroy(sampling.scratch);
    return good;
}

/* All sizes of named dimensions, in the order in which the topology writes them. */
static void add_named(Arena *arena, const Topology *topology, int64_t largest, int64_t *sizes,
                      int count, ShapeArray *shapes)
{
    int64_t side = topology->named_count > 2 ? LARGEST_DEEP_SIDE : LARGEST_SIDE;
    Shape shape;
    for (sizes[count] = 1; sizes[count] <= side; sizes[count]++)
        if (count + 1 < topology->named_count)
            add_named(arena, topology, largest, sizes, count + 1, shapes);
        else if (topology_try_named(topology, sizes, count + 1, &shape) && shape.p <= largest)
            *ARRAY_PUSH(arena, shapes) = shape;
}

void samples_shapes(Arena *arena, const SampleQuestion *question, int64_t largest,
                    ShapeArray *shapes)
{
    const Topology *topology = question->topology;
    int64_t sizes[MOST_DIMENSIONS];
    if (topology->dimensions == DIMENSIONS_NAMED && topology->named_count > 1)
        add_named(arena, topology, largest, sizes, 0, shapes);
    else
        verdict_shapes(arena, topology, question->algorithm, largest, shapes);
}

/* For p ranks, from that for the most so far: it grows with the cube of p at most. */
static double expect_work(const SampleArray *samples, int64_t p)
{
    int64_t most = 0;
    double work = 0;
    for (size_t i = 0; i < samples->count; i++) {
        const Sample *sample = &samples->items[i];
        if (sample->shape->p > most)
            most = sample->shape->p, work = 0;
        if (sample->shape->p == most)
            work += sample->work;
    }
    double times = most ? (double)p / (double)most : 1;
    return work * times * times * times;
}

/* What is too large ends it. */
static void sample_larger(Arena *arena, const SampleQuestion *question, SampleArray *samples,
                          Diag *diag)
{
    static const int64_t larger[] = {81,  96,  100, 121, 128, 129, 144, 169,  192,  196,
                                     225, 256, 257, 384, 512, 513, 768, 1024, 1025, 2048};
    const Topology *topology = question->topology;
    const bool is_grid = topology->dimensions == DIMENSIONS_ANY && !topology->direct;
    int64_t before = LARGEST_OF_ALL, side = 1;
    for (size_t i = 0; i < samples->count; i++)
        if (samples->items[i].point.values[FORM_P] > before)
            before = samples->items[i].point.values[FORM_P];
    for (size_t i = 0; i < COUNT_OF(larger); i++) {
        ShapeArray shapes = {0};
        const int64_t p = larger[i];
        if (p <= before)
            continue;
        while (side * side < p)
            side++;
        if (is_grid)
            *ARRAY_PUSH(arena, &shapes) = shape_line(p);
        else if (topology_has_shape(topology, p) && topology->dimensions != DIMENSIONS_NAMED)
            *ARRAY_PUSH(arena, &shapes) = topology_shape(topology, p);
        if (is_grid && side * side == p) {
            Shape square = {.p = 1};
            shape_add(&square, NULL, side);
            shape_add(&square, NULL, side);
            *ARRAY_PUSH(arena, &shapes) = square;
        }
        if (expect_work(samples, p) > MOST_WORK ||
            !sample_shapes(arena, question, &shapes, samples, diag))
            return;
    }
}

/* Cubes behind the 4 x 4 x 4 of all grids, where the algorithm runs on some and they are less work.
 */
static void sample_cubes(Arena *arena, const SampleQuestion *question, SampleArray *samples,
                         Diag *diag)
{
    enum { LARGEST_CUBE = 7 };
    const Topology *topology = question->topology;
    bool has_cubes = false;
    for (size_t i = 0; i < samples->count; i++)
        has_cubes |= samples->items[i].shape->count == FORM_MOST_SIDES;
    if (!has_cubes || topology->dimensions != DIMENSIONS_ANY || topology->direct)
        return;
    for (int64_t side = LARGEST_DEEP_SIDE + 1; side <= LARGEST_CUBE; side++) {
        ShapeArray shapes = {0};
        Shape *cube = ARRAY_PUSH(arena, &shapes);
        *cube = (Shape){.p = 1};
        for (int i = 0; i < FORM_MOST_SIDES; i++)
            shape_add(cube, NULL, side);
        if (expect_work(samples, cube->p) > MOST_WORK ||
            !sample_shapes(arena, question, &shapes, samples, diag))
            return;
    }
}

bool samples_derive(Arena *arena, const SampleQuestion *question, const ShapeArray *shapes,
                    SampleArray *samples, Diag *diag)
{
    ShapeArray usual = {0};
    if (shapes)
        return sample_shapes(arena, question, shapes, samples, diag);
    samples_shapes(arena, question, LARGEST_OF_ALL, &usual);
    if (!sample_shapes(arena, question, &usual, samples, diag))
        return false;
    Diag silent = diag_silent();
    sample_larger(arena, question, samples, &silent);
    sample_cubes(arena, question, samples, &silent);
    return true;
}

bool samples_of_other_ports(Arena *arena, const SampleQuestion *question,
                            const SampleArray *samples, SampleArray *others, Diag *diag)
{
    ShapeArray shapes = {0};
    int64_t largest = LARGEST_WITH_OTHER_PORTS;
    if (samples->count && samples->items[0].point.values[FORM_P] > largest)
        largest = samples->items[0].point.values[FORM_P];
    for (size_t i = 0; i < samples->count; i++) {
        bool is_new = i == 0 || samples->items[i].shape != samples->items[i - 1].shape;
        if (is_new && samples->items[i].shape->p <= largest)
            *ARRAY_PUSH(arena, &shapes) = *samples->items[i].shape;
    }
    for (int64_t ports = 1;
         ports <= MOST_PORTS && !(question->rules.all_ports || question->rules.level_ports);
         ports++) {
        SampleQuestion other = *question;
        other.rules.ports = ports;
        if (ports != question->rules.ports && !sample_shapes(arena, &other, &shapes, others, diag))
            return false;
    }
    return true;
}

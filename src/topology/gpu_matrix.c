#include "topology/net.h"

#include <string.h>

void gpu_matrix_create(Arena *arena, int gpus, int devices, GpuMatrix *matrix)
{
    const size_t cells = (size_t)devices * (size_t)devices + 1;
    *matrix = (GpuMatrix){.gpus = gpus,
                          .devices = devices,
                          .names = ARENA_ARRAY(arena, const char *, (size_t)devices + 1),
                          .bonds = ARENA_ARRAY(arena, int, cells),
                          .near = ARENA_ARRAY(arena, Nearness, cells)};
}

static int bonds(const GpuMatrix *matrix, int i, int j)
{
    return matrix->bonds[i * matrix->devices + j];
}

/* Is a group one switch? Then each of its GPUs has a number of links, all pairs show the lower
   number, and by themselves they would be more than a GPU has. *most[i]: those of GPU i. */
static bool is_switched(const GpuMatrix *matrix, const int *group, int of, int *most)
{
    int total = 0;
    memset(most, 0, (size_t)matrix->gpus * sizeof *most);
    for (int i = 0; i < matrix->gpus; i++) {
        int sum = 0;
        for (int j = 0; j < matrix->gpus && group[i] == of; j++) {
            most[i] = bonds(matrix, i, j) > most[i] ? bonds(matrix, i, j) : most[i];
            sum += bonds(matrix, i, j);
        }
        total = sum > total ? sum : total;
    }
    for (int i = 0; i < matrix->gpus; i++)
        for (int j = 0; j < matrix->gpus; j++)
            if (i != j && group[i] == of && group[j] == of &&
                bonds(matrix, i, j) != (most[i] < most[j] ? most[i] : most[j]))
                return false;
    return total > MOST_LINKS_OF_GPU;
}

static bool join_group(Net *net, const GpuMatrix *matrix, const int *group, int of, int level)
{
    int *most = ARENA_ARRAY(net->arena, int, (size_t)matrix->gpus);
    if (is_switched(matrix, group, of, most)) {
        const int32_t hub = net_add(net, false, "nvswitch");
        for (int g = 0; g < matrix->gpus; g++)
            if (group[g] == of)
                net_link(net, g, hub, level, most[g] * matrix->bond_rate, matrix->span);
        return true;
    }
    for (int i = 0; i < matrix->gpus; i++) {
        int sum = 0;
        for (int j = 0; j < matrix->gpus && group[i] == of; j++) {
            sum += bonds(matrix, i, j);
            if (j > i && bonds(matrix, i, j))
                net_link(net, i, j, level, bonds(matrix, i, j) * matrix->bond_rate, matrix->span);
        }
        if (sum > MOST_LINKS_OF_GPU)
            return net_fail(net, matrix->span,
                            "%s would have %d links to other GPUs, and none has more than %d; and "
                            "not all pairs are alike, as they are on a switch",
                            matrix->names[i], sum, MOST_LINKS_OF_GPU);
    }
    return true;
}

/* tops[g]: the node that stands for GPU g so far, as bridges are put above what is near. Nodes from
   `first` on are bridges for pairs that are as near as `limit`. */
static void join_near(Net *net, const GpuMatrix *matrix, Nearness limit, int32_t *tops, int level)
{
    static const char *const names[] = {
        [NEAR_PIX] = "pci", [NEAR_PXB] = "pci", [NEAR_PHB] = "cpu", [NEAR_NODE] = "socket"};
    const int32_t first = (int32_t)net->nodes.count;
    for (int g = 0; g < matrix->gpus; g++)
        for (int other = 0; other < matrix->gpus; other++) {
            const int32_t one = tops[g], two = tops[other];
            if (one == two || matrix->near[g * matrix->devices + other] > limit)
                continue;
            const int32_t bridge = one >= first   ? one
                                   : two >= first ? two
                                                  : net_add(net, false, "%s", names[limit]);
            if (one != bridge)
                net_link(net, one, bridge, level, 0, matrix->span);
            if (two != bridge)
                net_link(net, two, bridge, level, 0, matrix->span);
            for (int any = 0; any < matrix->gpus; any++)
                tops[any] = tops[any] == one || tops[any] == two ? bridge : tops[any];
        }
}

/* Of the GPUs of one socket? */
static bool is_first(const int32_t *tops, int gpu)
{
    int first = 0;
    while (tops[first] != tops[gpu])
        first++;
    return first == gpu;
}

/* PCI as a tree: what a pair shows is the nearest place where both meet, not a link of its own. */
static void add_pci(Net *net, const GpuMatrix *matrix)
{
    const int pcie = net_level(net, "pcie", matrix->pcie_rate, NCCL_PCI_STARTUP, false);
    int32_t *tops = ARENA_ARRAY(net->arena, int32_t, (size_t)matrix->gpus);
    for (int g = 0; g < matrix->gpus; g++)
        tops[g] = g;
    for (int limit = NEAR_PIX; limit <= NEAR_NODE; limit++)
        join_near(net, matrix, (Nearness)limit, tops, pcie);
    bool is_one = true;
    for (int g = 1; g < matrix->gpus; g++)
        is_one &= tops[g] == tops[0];
    if (is_one)
        return;
    const int sys = net_level(net, "sys", matrix->sys_rate, NCCL_PCI_STARTUP, false);
    for (int g = 0; g < matrix->gpus; g++)
        if (tops[g] == g) {
            tops[g] = net_add(net, false, "socket");
            net_link(net, g, tops[g], pcie, 0, matrix->span);
        }
    for (int g = 1; g < matrix->gpus; g++)
        for (int other = 0; other < g; other++)
            if (is_first(tops, g) && is_first(tops, other))
                net_link(net, tops[other], tops[g], sys, 0, matrix->span);
}

bool gpu_matrix_build(Net *net, const GpuMatrix *matrix)
{
    int *group = ARENA_ARRAY(net->arena, int, (size_t)matrix->gpus + 1), groups = 0;
    for (int g = 0; g < matrix->gpus; g++)
        net_add(net, true, "%s", matrix->names[g]);
    /* group[g]: the lowest GPU that g reaches over direct links. */
    for (int g = 0; g < matrix->gpus; g++)
        group[g] = g;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < matrix->gpus; i++)
            for (int j = 0; j < matrix->gpus; j++)
                if (bonds(matrix, i, j) && group[j] < group[i])
                    group[i] = group[j], changed = true;
    }
    net->startups = nccl_startups;
    const int direct = net_level(net, matrix->direct, matrix->bond_rate, NCCL_NVLINK_STARTUP, true);
    net->levels[direct].is_assumed = !matrix->is_told;
    for (int g = 0; g < matrix->gpus; g++) {
        groups += group[g] == g;
        if (group[g] == g && !join_group(net, matrix, group, g, direct))
            return false;
    }
    net_warn_of_lonely(net, direct, matrix->span);
    if (groups > 1)
        add_pci(net, matrix);
    else if (matrix->gpus > 1)
        net_note(net, "PCI between GPUs is left out: all of them reach one another by level '%s'",
                 matrix->direct);
    else
        net_warn(net, matrix->span, "there is one GPU: nothing is to be sent");
    return true;
}

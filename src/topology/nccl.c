#include "exchange/xml.h"
#include "topology/net.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The XML by which NCCL and RCCL know a node: CPUs, below them bridges of PCI, GPUs and adapters.
   Rates are those of the libraries' own topo.h and topo.cc: NVLink and PCI as programs reach them.
 */

typedef struct {
    const XmlElement *pci, *gpu; /* gpu NULL: a static file, which has none */
    const char *busid, *host;    /* the same bus ids are on each host of one NVLink domain */
    int64_t rank;
    int32_t node, place; /* in the net; among GPUs as they stand in the file */
    int32_t part;        /* among those of one device of PCI, which can be several */
    double to_cpu;       /* bytes/s over links of POWER to its CPU */
} Gpu;
ARRAY_TYPE(GpuArray, Gpu);

typedef struct {
    Net *net;
    const XmlElement *system;
    GpuArray gpus; /* by rank */
    int nvlink, pcie, sys;
    int32_t nvswitch; /* -1: none so far */
    bool has_gpus, is_amd;
} Reader;

static bool is_named(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

bool is_nccl(const Source *source)
{
    return text_equals(xml_root_name(source), "system");
}

/* Everything where it belongs; what nobody knows is passed over, with its place. */
static bool check_places(Reader *reader)
{
    static const char *const known[] = {"cpu",    "pci",  "gpu", "nic",     "net",
                                        "nvlink", "xgmi", "c2c", "pcilink", NULL};
    static const char *const within[][5] = {
        {"system"}, {"cpu", "pci"},        {"pci"}, {"pci", "cpu"}, {"nic"}, {"gpu"},
        {"gpu"},    {"gpu", "cpu", "pci"}, {"pci"}};
    for (const XmlElement *at = reader->system; (at = xml_after(at, reader->system));) {
        size_t i = 0;
        while (known[i] && !xml_is(at, known[i]))
            i++;
        if (!known[i])
            diag_warning(reader->net->diag, at->span, "'%s' is not known and is ignored", at->name);
        else if (is_named(at->parent->name, known) || at->parent == reader->system) {
            if (!is_named(at->parent->name, within[i]))
                return net_fail(reader->net, at->span, "'%s' does not belong into '%s'", at->name,
                                at->parent->name);
        }
    }
    return true;
}

enum { MOST_BONDS = 36 }; /* of a GPU */

/* From this child of a device on. */
static const XmlElement *next_gpu(const XmlElement *child)
{
    while (child && !xml_is(child, "gpu"))
        child = child->next;
    return child;
}

static bool is_gpu(const Reader *reader, const XmlElement *pci)
{
    const char *class = xml_value(pci, "class");
    return reader->has_gpus ? next_gpu(pci->first) != NULL
                            : strncmp(class, "0x03", 4) == 0 || strncmp(class, "0x12", 4) == 0;
}

static int compare_gpus(const void *one, const void *other)
{
    const Gpu *a = one, *b = other;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    const int order = a->gpu ? 0 : strcasecmp(a->busid, b->busid);
    return order ? order : a->place - b->place;
}

/* The host_hash of the CPU above; empty: there is one host. */
static const char *host_of(const XmlElement *at)
{
    while (at->parent && !xml_is(at, "cpu"))
        at = at->parent;
    return xml_value(at, "host_hash");
}

/* In the order of their ranks, else of their devices; of static files in that of bus ids, in which
   NCCL counts them. */
static bool list_gpus(Reader *reader)
{
    Net *net = reader->net;
    for (const XmlElement *at = reader->system; (at = xml_after(at, reader->system));)
        reader->has_gpus |= xml_is(at, "gpu");
    for (const XmlElement *at = reader->system; (at = xml_after(at, reader->system));) {
        if (!xml_is(at, "pci") || !is_gpu(reader, at))
            continue;
        const XmlElement *gpu = next_gpu(at->first);
        for (int32_t part = 0; !part || gpu; gpu = gpu ? next_gpu(gpu->next) : NULL, part++) {
            const char *rank = gpu ? xml_get(gpu, "rank") : NULL;
            rank = rank || !gpu ? rank : xml_get(gpu, "dev");
            *ARRAY_PUSH(net->arena, &reader->gpus) = (Gpu){.pci = at,
                                                           .gpu = gpu,
                                                           .busid = xml_value(at, "busid"),
                                                           .host = host_of(at),
                                                           .rank = rank ? atol(rank) : 0,
                                                           .node = -1,
                                                           .place = (int32_t)reader->gpus.count,
                                                           .part = part};
            reader->is_amd |= gpu && xml_get(gpu, "gcn");
        }
    }
    if (!reader->gpus.count)
        return net_fail(net, reader->system->span,
                        "no GPU is in this file: neither 'gpu' nor 'pci' of class 0x03");
    qsort(reader->gpus.items, reader->gpus.count, sizeof *reader->gpus.items, compare_gpus);
    for (size_t i = 0; i < reader->gpus.count; i++) {
        Gpu *gpu = &reader->gpus.items[i];
        bool is_new;
        gpu->node = net_node(
            net, arena_printf(net->arena, "pci %s %s %d", gpu->host, gpu->busid, gpu->part),
            arena_printf(net->arena, "gpu%zu", i), true, &is_new);
        if (!is_new)
            return net_fail(net, gpu->pci->span, "two GPUs have the bus id '%s'", gpu->busid);
    }
    net->order = reader->has_gpus ? "their ranks" : "bus ids";
    return true;
}

static double bond_rate(const Gpu *gpu)
{
    const char *gcn = xml_value(gpu->gpu, "gcn");
    const long sm = atol(xml_value(gpu->gpu, "sm"));
    gcn += strncmp(gcn, "gfx", 3) == 0 ? 3 : 0;
    if (*gcn)
        return strncmp(gcn, "90a", 3) == 0 || strncmp(gcn, "910", 3) == 0 ? 36e9
               : strncmp(gcn, "94", 2) == 0 || strncmp(gcn, "95", 2) == 0 ? 48e9
                                                                          : 24e9;
    return sm >= 100 ? 40.1e9 : sm >= 90 ? 20.6e9 : sm == 86 ? 12e9 : sm >= 70 ? 20e9 : 18e9;
}

/* What NCCL takes CPUs to send one another. */
static double socket_rate(const XmlElement *cpu)
{
    const char *arch = xml_value(cpu, "arch"), *vendor = xml_value(cpu, "vendor");
    const long model = atol(xml_value(cpu, "modelid"));
    if (strncmp(arch, "ppc", 3) == 0)
        return 32e9;
    if (strncmp(arch, "arm", 3) == 0 || strcmp(arch, "aarch64") == 0)
        return 6e9;
    if (strcmp(vendor, "AuthenticAMD") == 0)
        return 16e9;
    return model >= 0xCF ? 40e9 : model >= 0x8F ? 22e9 : model >= 0x55 ? 10e9 : 6e9;
}

/* The first one of a device. */
static const Gpu *find_gpu(const Reader *reader, const char *busid, const char *host)
{
    for (size_t i = 0; i < reader->gpus.count; i++) {
        const Gpu *gpu = &reader->gpus.items[i];
        if (!gpu->part && strcasecmp(gpu->busid, busid) == 0 && strcmp(gpu->host, host) == 0)
            return gpu;
    }
    return NULL;
}

/* One entry of a GPU. All chips of NVSwitch are one node, as NCCL has it; between two GPUs both
   list their links, of which those of the lower one count. */
static bool add_bond(Reader *reader, Gpu *gpu, const XmlElement *bond, int64_t *switched)
{
    Net *net = reader->net;
    const char *target = xml_value(bond, "target"), *class = xml_value(bond, "tclass");
    const long count = atol(xml_value(bond, "count"));
    if (count < 1 || count > MOST_BONDS)
        return net_fail(net, bond->span, "a number of links from 1 to %d was expected here",
                        MOST_BONDS);
    const double rate = bond_rate(gpu);
    if (strcmp(class, "0x068001") == 0) {
        gpu->to_cpu += (double)count * rate;
        return true;
    }
    if (strncmp(class, "0x0680", 6) == 0 || strncmp(target, "fffffff", 7) == 0) {
        *switched += count;
        return true;
    }
    const Gpu *other = find_gpu(reader, target, gpu->host);
    if (!other)
        return net_fail(net, bond->span, "no GPU of this file has the bus id '%s'", target);
    if (other == gpu) {
        net_warn(net, bond->span, "gpu%d: its NVLink leads to itself, and is left out", gpu->node);
        return true;
    }
    if (other->node < gpu->node)
        for (size_t i = 0; i < net->links.count; i++)
            if (net->links.items[i].a == other->node && net->links.items[i].b == gpu->node)
                return true;
    net_link(net, gpu->node, other->node, reader->nvlink, (double)count * rate, bond->span);
    return true;
}

static bool add_bonds(Reader *reader)
{
    Net *net = reader->net;
    for (size_t i = 0; i < reader->gpus.count; i++) {
        Gpu *gpu = &reader->gpus.items[i];
        int64_t switched = 0;
        for (const XmlElement *at = gpu->gpu ? gpu->gpu->first : NULL; at; at = at->next)
            if ((xml_is(at, "nvlink") || xml_is(at, "xgmi")) &&
                !add_bond(reader, gpu, at, &switched))
                return false;
        if (switched > MOST_BONDS)
            return net_fail(net, gpu->gpu->span, "a GPU has at most %d links", MOST_BONDS);
        if (switched && reader->nvswitch < 0)
            reader->nvswitch = net_add(net, false, "nvswitch");
        if (switched)
            net_link(net, gpu->node, reader->nvswitch, reader->nvlink,
                     (double)switched * bond_rate(gpu), gpu->gpu->span);
    }
    return true;
}

/* Of a device's slot in bytes/s, as NCCL counts it: x16 and 8 GT/s where the file does not say
   them. In *line that of all its signals; 0: not said. */
static double slot_rate(const XmlElement *pci, double *line)
{
    static const struct {
        double speed, units; /* GT/s; 100 Mbit/s a lane */
    } known[] = {{2.5, 15}, {5, 30}, {8, 60}, {16, 120}, {32, 240}, {64, 480}};
    const double speed = strtod(xml_value(pci, "link_speed"), NULL);
    const long width = atol(xml_value(pci, "link_width"));
    const bool has_width = width > 0 && width <= 64;
    double units = 60;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        units = speed == known[i].speed ? known[i].units : units;
    *line = has_width ? (double)width * speed / 8 * 1e9 : 0;
    return (double)(has_width ? width : 16) * units / 80 * 1e9;
}

/* The fastest port of an adapter, in bytes/s: of one that is faster than its slot, this. */
static double adapter_rate(Reader *reader, const XmlElement *nic)
{
    double best = 0;
    for (const XmlElement *at = nic->first; at; at = at->next) {
        const double speed = strtod(xml_value(at, "speed"), NULL);
        const double rate = (speed > 0 ? speed : 10000) / 8000 * 1e9;
        if (rate > 1250e9)
            net_warn(reader->net, at->span,
                     "this adapter has %.0f GB/s: its speed is in Mbit/s, and hardly so high",
                     rate / 1e9);
        best = xml_is(at, "net") && rate > best ? rate : best;
    }
    double line = 0;
    const double slot = xml_is(nic->parent, "pci") ? slot_rate(nic->parent, &line) : 0;
    if (line <= 0 || line >= best)
        return best;
    if (net_is_new(reader->net, "slow slot"))
        net_warn(reader->net, nic->span,
                 "an adapter has %s, its slot only %s: the rate of the slot counts",
                 quantity_show_bandwidth(reader->net->arena, best),
                 quantity_show_bandwidth(reader->net->arena, slot));
    return slot;
}

/* What stands below a CPU or a bridge. */
static void add_pci(Reader *reader, const XmlElement *parent, int32_t above)
{
    Net *net = reader->net;
    for (const XmlElement *at = parent->first; at; at = at->next) {
        if (xml_is(at, "nic")) {
            net_adapter(net, above, adapter_rate(reader, at),
                        at->first ? xml_value(at->first, "name") : "");
            continue;
        }
        if (!xml_is(at, "pci"))
            continue;
        const char *busid = xml_value(at, "busid");
        int32_t node = above;
        const Gpu *gpu = is_gpu(reader, at) ? find_gpu(reader, busid, host_of(at)) : NULL;
        if (gpu && gpu->gpu && next_gpu(gpu->gpu->next)) {
            node = net_add(net, false, "pci %s", busid); /* above the GPUs of one device */
            for (size_t i = 0; i < reader->gpus.count; i++)
                if (reader->gpus.items[i].pci == at)
                    net_link(net, reader->gpus.items[i].node, node, reader->pcie, 0, at->span);
        } else if (gpu)
            node = gpu->node;
        else if (strncmp(xml_value(at, "class"), "0x02", 4) == 0) {
            if (!at->first) /* of static files */
                net_adapter(net, above, 0, busid);
        } else if (at->first)
            node = net_add(net, false, "pci %s", busid);
        if (node != above && !(gpu && gpu->to_cpu > 0)) {
            double line;
            net_link(net, node, above, reader->pcie, slot_rate(at, &line), at->span);
        }
        add_pci(reader, at, node);
    }
}

static bool add_cpus(Reader *reader)
{
    Net *net = reader->net;
    struct {
        const XmlElement *at;
        int32_t node;
    } cpus[MOST_DEVICES];
    size_t count = 0;
    for (const XmlElement *at = reader->system->first; at; at = at->next) {
        if (!xml_is(at, "cpu"))
            continue;
        if (count == MOST_DEVICES)
            return net_fail(net, at->span, "this file has more than %d CPUs", MOST_DEVICES);
        const int32_t node = net_add(net, false, "cpu%s", xml_value(at, "numaid"));
        add_pci(reader, at, node);
        for (size_t g = 0; g < reader->gpus.count; g++) {
            const Gpu *gpu = &reader->gpus.items[g];
            const XmlElement *above = gpu->to_cpu > 0 ? gpu->pci : reader->system;
            while (above != at && above != reader->system)
                above = above->parent;
            if (above == at)
                net_link(net, gpu->node, node, reader->nvlink, gpu->to_cpu, gpu->pci->span);
        }
        for (size_t other = 0; other < count; other++)
            if (strcmp(xml_value(at, "host_hash"), xml_value(cpus[other].at, "host_hash")) == 0)
                net_link(net, cpus[other].node, node, reader->sys, socket_rate(at), at->span);
        cpus[count].at = at, cpus[count++].node = node;
    }
    return true;
}

bool read_nccl(Net *net)
{
    Reader reader = {.net = net, .nvswitch = -1};
    reader.system = xml_read(net->arena, net->source, net->diag);
    if (!reader.system || !check_places(&reader) || !list_gpus(&reader))
        return false;
    net->format = reader.is_amd ? "topology of RCCL" : "topology of NCCL";
    net->startups = nccl_startups;
    reader.nvlink =
        net_level(net, reader.is_amd ? "xgmi" : "nvlink", 20e9, NCCL_NVLINK_STARTUP, true);
    reader.pcie = net_level(net, "pcie", PCIE_4_RATE, NCCL_PCI_STARTUP, false);
    reader.sys = net_level(net, "sys", 16e9, NCCL_PCI_STARTUP, false);
    if (!add_bonds(&reader))
        return false;
    if (!reader.has_gpus)
        net_warn(net, reader.system->span,
                 "no GPU says what NVLink it has: NCCL adds that when it runs, and what is known "
                 "here is PCI alone; a file that NCCL wrote (NCCL_TOPO_DUMP_FILE), or the table of "
                 "nvidia-smi topo -m, says more");
    net_warn_of_lonely(net, reader.nvlink, reader.system->span);
    if (!add_cpus(&reader))
        return false;
    net_note(net, "rates are those of NCCL (topo.h): as programs reach them");
    net_drop_other_levels(net, reader.nvlink);
    net_prune(net);
    return !net->has_failed;
}

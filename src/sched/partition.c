#include "sched/partition.h"

int64_t partition_start(int64_t size, int64_t parts, int64_t part)
{
    int64_t product;
    return __builtin_mul_overflow(part, size, &product) ? (int64_t)((__int128)part * size / parts)
                                                        : product / parts;
}

static int64_t start_of(const Partition *partition, int64_t part)
{
    return partition_start(partition->size, partition->parts, part);
}

int64_t partition_owner(const Partition *partition, int64_t element)
{
    if (partition->block)
        return element / partition->block % partition->parts;
    /* The first part that ends behind the element. */
    __int128 size = partition->size, wanted = ((__int128)element + 1) * partition->parts;
    return (int64_t)((wanted + size - 1) / size) - 1;
}

int64_t partition_share(const Partition *partition, int64_t part)
{
    int64_t block = partition->block, size = partition->size;
    if (!block)
        return start_of(partition, part + 1) - start_of(partition, part);
    int64_t turn = block * partition->parts, rest = size % turn - part * block;
    rest = rest < 0 ? 0 : rest > block ? block : rest;
    return size / turn * block + rest;
}

bool partition_run(const Partition *partition, int64_t part, int64_t from, int64_t *start,
                   int64_t *end)
{
    int64_t block = partition->block;
    if (!block) {
        *start = start_of(partition, part);
        *end = start_of(partition, part + 1);
        return *start >= from && *start < *end;
    }
    int64_t turn = block * partition->parts;
    int64_t first = part * block, turns = from > first ? (from - first + turn - 1) / turn : 0;
    *start = first + turns * turn;
    *end = *start + block < partition->size ? *start + block : partition->size;
    return *start < partition->size;
}

#!/bin/sh
# How far are the best known algorithms from what no algorithm can beat, on networks of practice?
#
# For five collectives the fastest algorithm or composition for 16 MB, its time over the largest lower
# bound, the kind of that bound, and which parts of the time cannot be better by themselves. (Reduce,
# gather and reduce-scatter mirror broadcast, scatter and allgather.) A ratio near 1 leaves nothing to
# look for; a large one says that an algorithm for this network is missing, or that the bound is weak.
#   bound   tells what limits: the ports of one rank, of all, or a set of ranks and its links;
#   cost    has the ratio, and under `optimal` what of a time equals its bound.
set -eu

# row COLLECTIVE TOPOLOGY MACHINE
row() {
    kind=$(collcost bound "$1" -t "$2" --machine "$3" -m 16MB -o csv |
        awk -F, '$7 == "true" { print $5 }')
    collcost cost "$1" -t "$2" --machine "$3" -m 16MB -o csv | awk -F, -v kind="$kind" '
        NR == 2 { printf "%-15s %-14s %-34s %9.3f ms %7.3f  %-7s %s\n", $3, $1, $2, $12 * 1e3, $14, kind, $18 == "" ? "-" : $18 }'
}

printf '%-15s %-14s %-34s %12s %7s  %-7s %s\n' \
    topology collective fastest time ratio bound 'optimal in'
while read -r topology machine; do
    for collective in broadcast scatter allgather allreduce alltoall; do
        row $collective "$topology" "$machine"
    done
done <<END
star:8 h100
cluster:4x8 h100-ndr
torus:4x4x4 tpu-v4
fat-tree:4x2x2 edr-fat-tree
dragonfly:9x4x2 slingshot
END

echo
echo "What limits alltoall between nodes, and where the proof is:"
collcost bound alltoall -t cluster:4x8 --machine h100-ndr -m 16MB --certificate cut.txt
grep '^#' cut.txt
sed -n '/^inside/p; /^blocks/,$p' cut.txt

#!/bin/sh
# Expert parallelism: an all-to-all in which some experts get more than others.
#
# 2 nodes of 8 GPUs, one expert on each. Every GPU sends 64 KiB of tokens to each expert, but eight times as
# much to two popular ones. What does that cost beside a balanced exchange of as many bytes, which algorithm
# should run it, and does it help to place the popular experts on different nodes, or to keep a copy of each
# on the other node, which then takes half?
#   --weights    w(s, t): what goes from rank s to rank t is w(s, t) times m bytes, here 8 KiB
#   --posting    a GPU posts the messages of a round together, as NCCL does in a group
set -eu

# row TITLE WEIGHTS
row() {
    bound=$(collcost bound alltoall $network -m 8KiB --weights "$2" -o csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && $at["binding"] == "true" { print $at["kind"] }')
    collcost cost alltoall $network -m 8KiB --weights "$2" -o csv | awk -F, -v title="$1" -v kind="$bound" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { printf "%-38s %-13s %7.1f us %7.2f  %s\n", title, $at["algorithm"], $at["total_s"] * 1e6, $at["ratio"], kind }'
}

network='-t cluster:2x8 --machine h100-ndr --posting together'
printf '%-38s %-13s %10s %7s  %s\n' 'where popular experts are' fastest time ratio bound
row 'nowhere: as many bytes, balanced' 15
row 'both on node 0' 'when(t < 2, 64, 8)'
row 'one on each node' 'when(t == 0 or t == 8, 64, 8)'
row 'both on node 0, copies on node 1' 'when(t < 2, 32, when(t == 8 or t == 9, 40, 8))'

echo
echo 'Both on node 0, by size:'
collcost switch alltoall $network --weights 'when(t < 2, 8, 1)'

echo
echo 'A measured table of bytes, one row for each sender:'
cat >bytes.csv <<END
0,65536,1048576,65536
65536,0,1048576,131072
524288,65536,0,65536
65536,65536,1048576,0
END
collcost cost alltoall -t full:4 -m 1 --weights "$(cat bytes.csv)"

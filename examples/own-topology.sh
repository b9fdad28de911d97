#!/bin/sh
# A network of your own: 64 ranks in groups, with slow links between the groups.
#
# own-topology.yaml gives the links by rules, and leaves the ways to the tool. `show` measures it. A
# file for one number of ranks needs none after its name; the library's networks are written with
# their sizes. `trace` tells over how many links each message goes: what the group's first rank
# sends to the next group is one hop away, other ranks first go to the first rank of their group.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run show groups --models own-topology.yaml
run show cluster:8x8

echo "Links that the messages of a broadcast cross, in all, on the network and on a cluster:"
for network in "groups --models own-topology.yaml" cluster:8x8; do
    # shellcheck disable=SC2086 # a network with its options
    collcost trace broadcast/binomial -t $network -o csv |
        awk -F, -v network="${network%% *}" 'NR > 1 { hops += $7 } END { print network ": " hops }'
done

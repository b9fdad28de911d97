#!/bin/sh
# A network, a machine, a collective and algorithms of your own, in one file.
#
# own-network.yaml describes 64 ranks on four islands, with fast rings inside, slow cables between them,
# and one cable slower still; a collective that the library does not have, in which every rank needs
# the blocks of its two neighbours; two algorithms for it, and one for the library's allreduce.
#   verify  runs the algorithms on real data, for every number of ranks and on every grid;
#   show    measures the network;
#   cost    compares: a second port is worth something to the algorithm that sends both ways at once;
#   trace   says why: messages between islands are the slowest, and those over the old cable, between
#           ranks 15 and 16, slower by far;
#   cost    of an allreduce: all cables are used side by side by the algorithm that knows of islands.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run verify own-network.yaml

COLLCOST_MODELS=own-network.yaml
export COLLCOST_MODELS
echo '$ export COLLCOST_MODELS=own-network.yaml'
run show islands:4x16 | sed '/^definition/,$d'
run bound borders -t islands:4x16 --machine lab -m 50kB
for ports in 1 2; do
    run cost borders -t islands:4x16 --machine lab -m 50kB --ports $ports
done
echo "The slowest messages of the first round:"
collcost trace borders/one-by-one -t islands:4x16 --machine lab -m 50kB |
    awk '/^round +hops/ { exit } /^round/ || $1 == 1 && $3 % 16 == 0'
echo
run cost allreduce -t islands:4x16 --machine lab -m 16MiB
run switch allreduce -t islands:4x16 --machine lab

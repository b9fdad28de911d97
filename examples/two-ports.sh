#!/bin/sh
# What a second port is worth.
#
# With two ports a rank can send two messages, and receive two, at the same time. The binomial tree
# makes no use of that. two-ports.yaml holds a tree in which every holder sends to two others in one
# round: with one port such a round takes two turns, each with its own startup; with two ports it
# takes one, and the tree reaches the lower bound on rounds.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run verify two-ports.yaml
for ports in 1 2; do
    run cost broadcast -t full:9 -m 1KiB --ports $ports --models two-ports.yaml \
        --among binomial,trinomial
done
run trace broadcast/trinomial -t full:9 --models two-ports.yaml
run trace broadcast/trinomial -t full:9 --ports 2 --models two-ports.yaml

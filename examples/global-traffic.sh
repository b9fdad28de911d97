#!/bin/sh
# What algorithms send over the scarce links of a network: is it true that Bine trees send up to 33 %
# less over the global links of dragonflies and tapered fat trees than binomial trees (De Sensi et al.,
# "Bine Trees: Enhancing Collective Operations by Optimizing Communication Locality", SC 2025)?
#
# On whole networks of a power of two of ranks, numbered group by group, it is not: a binomial tree that
# begins with the farthest rank already sends each group just one copy, the least that is possible, and
# Bine trees send three times as much; allgather gains 5 %. Where the job has part of a network, so
# that the halves of a binomial tree do not end where groups end, Bine trees gain: 32.5 % here, which is
# close to a third. (Bine trees for other places of the job gain less, or lose: change 7 and 12 in
# allocated.yaml.)
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@" | grep -E '^algorithm| global | core | node '
    echo
}
traffic() {
    run cost "$1" --among "$2" -t "$3" -m 1MiB --traffic
}

traffic broadcast binomial,distance-halving-bine dragonfly:4x4x4
traffic allgather recursive-doubling,bine dragonfly:4x4x4
traffic broadcast binomial,distance-halving-bine fat-tree:4x4x4:taper=2
traffic allgather recursive-doubling,bine fat-tree:4x4x4:taper=2
traffic broadcast binomial,distance-halving-bine cluster:4x16

COLLCOST_MODELS=allocated.yaml
export COLLCOST_MODELS
traffic broadcast binomial,distance-halving-bine allocated:128
traffic allgather recursive-doubling,bine allocated:128

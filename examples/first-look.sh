#!/bin/sh
# What does a reduction cost on 8 ranks, and which algorithm should it use?
#
# Three questions, in the order in which they come up:
#   cost    what every algorithm of the library costs for one size, beside the lower bound;
#   bound   where that lower bound comes from, and which kind binds;
#   switch  from which message size on another algorithm is the fastest.
# Without a size, cost answers in symbols: `here` is for this number of ranks, `for any p` the
# closed form. The machine is the default one, sg2260; its startup time is an assumption.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run cost reduce -t full:8 -m 1MiB
run bound reduce -t full:8 -m 1MiB
run switch reduce -t full:8
run cost reduce -t full:8 --among binomial,chain

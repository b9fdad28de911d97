#!/bin/sh
# From what osu_latency and osu_allreduce printed to a machine that is checked, in three commands: its
# parameters with their intervals, which switch points are certain, and whether it predicts what was
# measured. The log says on how many ranks the benchmarks ran, and that algorithm 3 of Open MPI was
# forced. Then the same check as an expectation, and trees whose messages are posted together, to
# compare libraries with.
set -eu

collcost fit fitted.log --algorithm open-mpi:3 --save nodes.yaml

collcost switch allreduce -p 16 --models nodes.yaml --machine nodes --vary fitted

collcost compare fitted.log --algorithm open-mpi:3 --models nodes.yaml --machine nodes --max-error 10%

collcost expect "time(allreduce/recursive-doubling, 32KiB) within 10% of measured('fitted.log', allreduce, 32KiB)" \
    -p 16 --models nodes.yaml --machine nodes

collcost verify posted-together.yaml -p 1..8 --models posted-together.yaml
rm nodes.yaml

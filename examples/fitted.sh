#!/bin/sh
# From what osu_latency and osu_allreduce printed to a machine that is checked, in three commands: its
# parameters with their intervals, which switch points are certain, and whether it predicts what was
# measured. Then trees whose messages are posted together, to compare libraries with.
set -eu

collcost fit fitted.log -p 16 --algorithm recursive-doubling --save nodes.yaml

collcost switch allreduce -p 16 --models nodes.yaml --machine nodes --vary fitted

collcost compare fitted.log -p 16 --algorithm recursive-doubling --models nodes.yaml --machine nodes \
    --max-error 10%

collcost verify posted-together.yaml -p 1..8 --models posted-together.yaml
rm nodes.yaml

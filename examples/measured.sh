#!/bin/sh
# Predictions beside what benchmarks measured: what osu_latency and osu_allreduce printed; a table of
# algorithms that were forced one after the other, and what choosing by the model would lose; and a
# check that keeps a machine file true.
set -eu

collcost compare measured.log -p 16 --models measured.yaml --machine measured

collcost compare measured.csv --models measured.yaml --machine measured --map 'ring*=ring' --decisions

collcost compare measured.log -p 16 --models measured.yaml --machine measured --max-error 35% >checked
echo "all predictions are within 35%"
if collcost compare measured.log -p 16 --models measured.yaml --machine measured \
    --set bandwidth=25GB/s --max-error 35% >checked 2>&1; then
    echo "the wrong bandwidth was not noticed"
else
    echo "status $?: the wrong bandwidth was noticed"
fi
rm checked

#!/bin/sh
# From a run of collcost-mpi to a machine, and to what this machine is good for. The logs are what two cores
# of a node printed that others used too, with Open MPI 4.1 and messages through shared memory:
#
#   mpirun -n 2 collcost-mpi --probe -m 1,256,4KiB,32KiB,256KiB,1MiB --iterations 500 >on-two-cores-pairs.csv
#   mpirun -n 2 collcost-mpi broadcast/binomial reduce/binomial allgather/ring allreduce/recursive-doubling \
#       allreduce/ring -m 64,4KiB,256KiB --native --iterations 500 >on-two-cores.csv
#   mpirun --oversubscribe -n 4 collcost-mpi allreduce/recursive-doubling allreduce/ring \
#       allreduce/reduce-broadcast -m 64,4KiB,256KiB --native --iterations 500 >on-two-cores-shared.csv
#
# Rows `default` are MPI's own collectives, which combine faster than collcost-mpi does. Medians count: the
# largest times, a thousand times as long, are those of the others.
set -eu

echo "A machine, from messages there and back and from five algorithms on two ranks:"
collcost fit on-two-cores-pairs.csv on-two-cores.csv -t full --save cores.yaml

echo
echo "What it predicts of the same rows, and where it is farthest off:"
collcost compare on-two-cores.csv -t full --models cores.yaml --machine cores

# Four ranks on two cores wait for their turn, at every message, and no parameter says so. Such rows are
# not to be predicted by a machine that was fitted to two ranks, nor fitted together with theirs.
echo
echo "Four ranks on the same two cores:"
if collcost compare on-two-cores-shared.csv -t full --models cores.yaml --machine cores --max-error 50%; then
    echo "four ranks are as two"
else
    echo "status $?: more ranks than cores"
fi
rm cores.yaml

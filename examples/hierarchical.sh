#!/bin/sh
# Nodes and devices: is it worth while to combine inside of the nodes first?
#
# Two nodes of 8 GPUs: fast links inside, 8 network adapters a node between them. hierarchical.yaml puts
# an algorithm together of three that the library has, in three lines; `verify` runs it on real data, on
# every grid of nodes and devices.
#   cost    sets it beside the others, with the bandwidths that nccl-tests would print;
#   switch  says from which size on it is the fastest.
# --compose none leaves out the compositions that collcost finds by itself; the last command shows these.
# Before writing a file, the same can be typed where an algorithm is named. `device` and `node` are
# the dimensions of the network: on a torus they would be x and y.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run verify hierarchical.yaml -p 1..32

COLLCOST_MODELS=hierarchical.yaml
export COLLCOST_MODELS
echo '$ export COLLCOST_MODELS=hierarchical.yaml'
for size in 64KiB 256MiB; do
    run cost allreduce -t cluster:2x8 --machine h100-ndr -m $size --sizes nccl --bandwidths --compose none
done
run switch allreduce -t cluster:2x8 --machine h100-ndr --compose none

echo "With one network adapter a node instead of 8, between 4 nodes:"
run switch allreduce -t cluster:4x8 --machine h100-ndr --set node.ports=1 --compose none

stages='allreduce: reduce-scatter/ring along device, ring along node, allgather/ring along device'
echo "\$ collcost cost '$stages' -t cluster:2x8 --machine h100-ndr"
collcost cost "$stages" -t cluster:2x8 --machine h100-ndr

echo
echo "The compositions that collcost finds, 16 nodes:"
run switch allreduce -t cluster:16x8 --machine h100-ndr

#!/bin/sh
# Which product of matrices to run on 64 nodes with n = 4096, and when it stops paying to add nodes.
#
# The nodes are an 8 x 8 torus. First all algorithms at that size, then from which n on another one is
# the fastest: recursive doubling has fewer startups, but on a torus its messages share links, so that
# a ring is better as soon as blocks are large. The simple algorithm with a ring inside is what
# simple-ring is. Cannon's takes little more time and a sixth of the memory.
#
# Then more nodes: time falls on, efficiency too. Up to 64 nodes more than half of what the nodes
# could do is done; beyond, each further node buys little. To use more nodes as well, n has to grow:
# for Cannon's algorithm as the square root of p, the work n^3 as p^1.5. That is on a full network; on
# the torus it is more, since the messages of the alignments share links.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run cost matmul -t torus:8x8 -n 4096
run switch matmul -t torus:8x8
run cost matmul/simple -t torus:8x8 -n 4096 --using allgather/ring
run scale matmul -t torus -p 4,16,64,256,1024,4096 -n 4096 --among simple-ring,cannon
run scale matmul/cannon -p 4,16,64,256,1024,4096 --efficiency 0.5
run scale matmul/cannon -t torus -p 4,16,64,256,1024 --efficiency 0.5
run trace matmul/cannon -t torus:2x2 -n 8
run partition checkerboard -n 8 -p 4
run verify matmul/simple-ring -p 64

#!/bin/sh
# Which product of matrices to run on 64 nodes with n = 4096, and when it stops paying to add nodes.
#
# The nodes are an 8 x 8 torus. First all algorithms at that size, then from which n on another one is
# the fastest: recursive doubling has fewer startups, but on a torus its messages share links, so that
# a ring is better as soon as blocks are large. The simple algorithm with a ring inside is what
# simple-ring is. Cannon's takes little more time and a sixth of the memory.
#
# Then more nodes. Time falls on, efficiency too: 225 nodes are the most that do at least half of what
# they could with the fastest algorithm, 121 with Cannon's. Beyond, each further node buys little. On a
# full network DNS on 2744 nodes is faster than Cannon's on any number, and cost-optimal no more.
#
# To use more nodes as well, n has to grow: for Cannon's algorithm as the square root of p, the work n^3
# as p^1.5. The closed form says so for any network; on the torus the messages of the alignments share
# links, and more of them do in larger ones, so that the power fitted up to 1024 nodes is larger.
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
run scale matmul -t torus -n 4096 --among simple-ring,cannon
run switch matmul -n 4096 -p 64,512,1024,1728,2197,2209,2744,2809,4096 --among cannon,dns
run scale matmul/cannon -p 4,16,64,256,1024,4096 --efficiency 0.5
run scale matmul/cannon -t torus -p 4,16,64,256,1024 --efficiency 0.5
run trace matmul/cannon -t torus:2x2 -n 8
run partition checkerboard -n 8 -p 4
run verify matmul/simple-ring -p 64

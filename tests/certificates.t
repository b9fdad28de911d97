#!/bin/sh
# The certificates of cuts, confirmed by tests/check-certificate, a program that knows nothing of
# collcost; and the same with one thing changed, which it must refuse.
set -u
. "$(dirname "$0")/sandbox.sh"

# holds WORD...: the options of a bound whose certificate must hold.
holds() {
    collcost bound "$@" --certificate "$work/cut" >"$work/out" 2>&1 &&
        tests/check-certificate <"$work/cut" >"$work/verdict"
    result $? "holds: $*"
    collcost bound "$@" -o csv | grep -q ',cut,' || result 1 "no cut: $*"
}

# refused NAME SED: the last certificate, changed so, must not hold.
refused() {
    sed "$2" "$work/cut" >"$work/changed"
    cmp -s "$work/cut" "$work/changed"
    test $? -eq 1 && ! tests/check-certificate <"$work/changed" >"$work/verdict"
    result $? "refused: $1"
}

holds broadcast -t mesh:3x3 --root 4
holds reduce -t torus:4x4 --ports all
holds scatter -t tree:7 --ports 2
holds gather -t linear:8 --ports 2 --root 3
holds allgather -t hypercube:16 --ports all
holds reduce-scatter -t star:6
holds allreduce -t mesh:4x4 --ports all
holds scan -t ring:8
holds alltoall -t cluster:4x8 --machine dgx-h100-ndr
holds alltoall -t fat-tree:4x2x2 --asynchronous
holds alltoall -t ring:8 --ports all --duplex half
holds allgather -t torus:8x8 --contention none

holds alltoall -t mesh:4x4 --ports all
refused 'a block more' 's/^blocks 64/blocks 65/'
refused 'a larger bound' 's/^bound 16/bound 17/'
refused 'a link less' '/^arc 20 24 /d'
refused 'a wider link' 's/^arc 20 24 1$/arc 20 24 2/'
refused 'a rank on the other side' 's/^inside 0\.\.7 /inside 0..6 /'
refused 'a block that nobody needs' '/^block 8 /d'
refused 'a block that is on both sides' 's/^block 8 at 0 /block 8 at 0 15 /'

holds reduce-scatter -t linear:4 --ports all
refused 'a result that is not asked for' '/^result 2 /d'
refused 'a result of others' 's/^result 2 at 2 of 0..3/result 2 at 2 of 1..3/'
refused 'a denominator of 0' 's/^bound .*/bound 3\/0/'

plan "no certificates"

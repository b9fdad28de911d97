#!/bin/sh
# The certificates of cuts, confirmed by tests/check-certificate, and the schedules behind them, by
# tests/check-schedule: programs that know nothing of collcost. Then the same with one thing changed,
# which they must refuse.
set -u
. "$(dirname "$0")/sandbox.sh"

# holds WORD...: the options of a bound whose certificate must hold.
holds() {
    collcost bound "$@" --certificate "$work/cut" >"$work/out" 2>&1 &&
        tests/check-certificate <"$work/cut" >"$work/verdict"
    result $? "holds: $*"
    collcost bound "$@" -o csv | grep -q ',cut,' || result 1 "no cut: $*"
}

# reached ALGORITHM WORD...: the same, and the algorithm's schedule takes no longer.
reached() {
    algorithm=$1
    shift
    holds "$@"
    grep -qx "# reached by $algorithm" "$work/cut" && tests/check-schedule <"$work/cut" >"$work/verdict"
    result $? "reached by $algorithm: $*"
}

# refused NAME SED [CHECKER]: the last certificate, changed so, must not hold.
refused() {
    sed "$2" "$work/cut" >"$work/changed"
    cmp -s "$work/cut" "$work/changed"
    test $? -eq 1 && ! "tests/${3-check-certificate}" <"$work/changed" >"$work/verdict"
    result $? "refused: $1"
}

# wrong NAME SED: the last schedule, changed so.
wrong() { refused "$1" "$2" check-schedule; }

holds broadcast -t mesh:3x3 --root 4
holds reduce -t torus:4x4 --ports all
holds scatter -t tree:7 --ports 2
holds gather -t linear:8 --ports 2 --root 3
holds allgather -t hypercube:16 --ports all
holds reduce-scatter -t star:6
holds allreduce -t mesh:4x4 --ports all
holds scan -t ring:8
holds alltoall -t cluster:4x8 --machine $machines/gpu-nodes.yaml
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

reached scatter/bine scatter -t hypercube:8
reached gather/bine gather -t torus:4x4
reached reduce/binomial reduce -p 2
reached point-to-point/direct point-to-point -t linear:5
reached alltoall/pairwise alltoall -t fat-tree:4x2x2 --machine edr-fat-tree
reached alltoall/two-way-ring alltoall -t ring:7 --ports all
wrong 'a way that is not there' 's/^move 0 1 via 7 8 /move 0 1 via 7 9 8 /'
wrong 'a message less' '/^move 0 1 via/d'
wrong 'a message twice' 's/^move 0 1 via.*/&\n&/'
wrong 'a schedule that is too slow' 's/^turn/&\nround\n&\nsend 0 1 via 7 8 of 2\n&/'
wrong 'a narrower link' 's/^arc 7 8 1/arc 7 8 0.5/'
reached reduce-scatter/dimension-by-dimension reduce-scatter -t ring:6
wrong 'a contribution twice' 's/^reduce 1 0 .*/&\n&/'
wrong 'a contribution that is lost' 's/^reduce 1 0 /move 1 0 /'
wrong 'what is sent is not there yet' '/^round/d'
holds broadcast -t ring:8
wrong 'no schedule' 's/^bound .*/bound 0\/1/'

plan "no certificates"

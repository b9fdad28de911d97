#!/bin/sh
# What libraries really sent, message by message, in tests/sent: each copy of an algorithm must send the same, each rank
# in the same order, and models/libraries says of how many runs that is known. Where Open MPI 4.1 or MPICH 4.0 is
# installed, tests/ran/sent.c records those of few ranks anew, and nothing may differ.
#
# A line: what build-aux/sends says, and behind that `rank>to:bytes,to:bytes ...`.
set -u
. "$(dirname "$0")/sandbox.sh"
data=$srcdir/tests/sent
at=$PWD
cd "$work" || exit 1

for library in open-mpi@4.1 mpich@4.0; do
    file=$(echo "$data/${library%@*}"-*)
    "$srcdir/build-aux/sends" $library "$file" >ours 2>err
    cut -f 9 "$file" >theirs
    diff theirs ours >differences
    result $? "$library: $(($(wc -l <theirs))) runs"
    head -n 10 differences | comment
    head -n 5 err | comment
    # of each algorithm, those that are met
    paste "$file" ours | awk -F '\t' -v OFS=, '
        $9 == $10 { sub(/:.*/, "", $2); met[$1, $2]++ }
        END { for (one in met) { split(one, part, SUBSEP); print part[1], part[2], met[one] } }' | sort >met
    collcost list --for $library -o csv | sed 's/"[^"]*"/-/g' | awk -F, -v OFS=, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["recorded"] > 0 { sum += $at["recorded"] } END { print sum }' >said
    awk -F, '{ sum += $3 } END { print sum }' met | cmp -s - said
    result $? "$library: list --for counts them"
done

# again RANKS COMMAND...: the runs of so many ranks, recorded anew by what the command starts.
again() {
    ranks=$1
    shift
    awk -F '\t' -v ranks="$ranks" '$3 <= ranks' "$file" | sed 's/:[a-z][a-z_]*//' >theirs
    cut -f 1-8 theirs >cases
    timeout -k 1 100 "$@" ./sent cases 90 >ours 2>err </dev/null
    diff theirs ours >differences
    result $? "$(basename "$file"): $(($(wc -l <theirs))) runs again"
    head -n 10 differences | comment
    head -n 5 err | comment
}

cc=$(sed -n 's/^CC = //p' "$at/Makefile")
mpicc=$(sed -n 's/^MPICC = //p' "$at/Makefile")
file=$(echo "$data"/open-mpi-*)
if test -n "$mpicc" && mpirun --version 2>/dev/null | grep -q 'Open MPI) 4\.1\.' &&
    OMPI_CC=$cc "$mpicc" -std=gnu11 -rdynamic -o sent "$srcdir/tests/ran/sent.c" -ldl 2>/dev/null; then
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    again 5 mpirun --oversubscribe -n 5 --mca pml ob1 --mca btl self,vader --mca mpi_yield_when_idle 1 \
        --mca coll_tuned_use_dynamic_rules 1
fi

mpicc=$(sed -n 's/^MPICC_MPICH = //p' "$at/Makefile")
file=$(echo "$data"/mpich-*)
wraps=$(for name in Send Ssend Isend Issend Sendrecv Sendrecv_replace; do printf ' -Wl,--wrap=MPIC_%s' $name; done)
# shellcheck disable=SC2086 # words
if test -n "$mpicc" && echo MPICH_VERSION | MPICH_CC=$cc "$mpicc" -E -include mpi.h - 2>/dev/null | grep -q '^"4\.0\.' &&
    MPICH_CC=$cc "$mpicc" -std=gnu11 -DWRAPPED -o sent "$srcdir/tests/ran/sent.c" -static-mpi $wraps 2>/dev/null; then
    MPIR_CVAR_DEVICE_COLLECTIVES=none MPIR_CVAR_NOLOCAL=1
    export MPIR_CVAR_DEVICE_COLLECTIVES MPIR_CVAR_NOLOCAL
    again 4 "$(command -v mpirun.mpich || command -v mpirun)" -n 4
fi
plan

#!/bin/sh
# All bounds for 8, 16 and 64 ranks on six networks, one port and all, eight collectives: as
# tests/bounds/table has them. BLESS=1 rewrites it; read the difference before you keep it. Then
# tests/bounds/every-cut confirms its cuts, up to 16 ranks, by trying all of them.
set -u
. "$(dirname "$0")/sandbox.sh"

table=$srcdir/tests/bounds/table
collectives='broadcast reduce scatter gather allgather reduce-scatter allreduce alltoall'
for p in 8 16 64; do
    case $p in 8) grid=4x2 ;; 16) grid=4x4 ;; *) grid=8x8 ;; esac
    for network in ring:$p linear:$p mesh:$grid torus:$grid hypercube:$p full:$p; do
        for ports in 1 all; do
            for collective in $collectives; do
                collcost bound "$collective" -t "$network" --ports $ports -o csv >"$work/csv" ||
                    echo "$collective on $network fails"
                awk -F, -v ports=$ports 'NR > 1 {
                    reason = $0
                    for (i = 1; i < 6; i++)
                        sub(/^[^,]*,/, "", reason)
                    sub(/,[^",]*,[^",]*,[^",]*,("[^"]*"|[^",]*)$/, "", reason) # machine ... rules
                    gsub(/"/, "", reason)
                    print $1, $2, ports, $4 ":", $5, "|", reason
                }' "$work/csv"
            done
        done
    done
done >"$work/table"

diff -u "$table" "$work/table" >"$work/diff"
result $? "$(wc -l <"$work/table") bounds are those of tests/bounds/table"
sed 1,2d "$work/diff" | comment
test -z "${BLESS-}" || test ! -s "$work/diff" || cat "$work/table" >"$table"

tests/bounds/every-cut "$table" >"$work/out" 2>&1
result $? "no cut of up to 16 ranks is better, and the best ones are there: $(tail -n 1 "$work/out")"
comment "$work/out"
plan "no bounds"

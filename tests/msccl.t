#!/bin/sh
# Each algorithm, on up to 16 ranks: what export writes, import finds right, with the messages, the chunks and the
# depth of the schedule. Then files with a line less.
set -u
. "$(dirname "$0")/sandbox.sh"

collcost import "$srcdir/tests/fuzz/findings/schedules/both-modes" >"$work/out" 2>&1
if test $? -ne 0; then
    plan "built without expat"
    exit
fi

mkdir "$work/files"
collcost list algorithms -o csv | cut -d, -f2 |
    grep -E '^(allreduce|allgather|reduce-scatter|alltoall|broadcast|reduce|gather|scatter|scan|exscan|point-to-point)/' >"$work/names"
for p in 2 3 4 5 6 7 8 9 12 16; do
    while read -r name; do
        file="$work/files/$(echo "$name" | tr / _)_$p.xml"
        collcost export "$name" -t "full:$p" -m 1680 --format msccl --save "$file" 2>"$work/err" && continue
        # Some do not run on so many ranks, and one is kept because it is printed, and wrong.
        grep -qE 'ranks|requires|does not run|printed|the schedule is wrong' "$work/err" ||
            result 1 "exported: $name, p = $p: $(head -n 1 "$work/err")"
    done <"$work/names"
done
collcost import "$work/files"/*.xml -o csv >"$work/verdicts" 2>"$work/err"
result $? 'all exported files are right'
awk -F, 'NR > 1 { print $1, $9, $10, $11 }' "$work/verdicts" | while read -r file messages chunks depth; do
    grep -q "<!-- $messages messages, $chunks chunks, depth $depth -->" "$file" || echo "$file"
done >"$work/others"
test ! -s "$work/others"
result $? "all have the messages, chunks and depth of the schedule: $(head -n 1 "$work/others")"
test "$(wc -l <"$work/verdicts")" -gt 1000
result $? "there are enough: $(wc -l <"$work/verdicts")"

# Synthesized schedules, on a torus and on a cluster with switches.
for network in 'torus:2x4 --machine sg2260' 'cluster:2x3 --machine dgx-h100'; do
    for collective in broadcast reduce scatter gather allgather reduce-scatter allreduce alltoall; do
        # shellcheck disable=SC2086 # the network and its machine
        collcost synthesize $collective -t $network -m 1MiB --objective both --save "$work/made.yaml" >/dev/null 2>"$work/err"
        awk -v collective="$collective" '$1 == "algorithm:" { name = $2 }
            $1 == "collective:" && $2 == collective { print $2 "/" name }' "$work/made.yaml" >"$work/names"
        while read -r name; do
            # shellcheck disable=SC2086
            collcost export "$name" --models "$work/made.yaml" -t ${network%% *} -m 48KiB --set k=2 --format msccl \
                --save "$work/made.xml" 2>"$work/err" && collcost import "$work/made.xml" >"$work/out" 2>>"$work/err"
            result $? "synthesized: $name on ${network%% *} $(head -n 1 "$work/err")"
        done <"$work/names"
    done
done

# One message of a rank at a time, as the algorithm has it: the file costs what the algorithm does.
for case in 'allreduce/ring full:6' 'allreduce/ring ring:8' 'allreduce/rabenseifner cluster:2x4' \
    'allgather/bruck full:8' 'reduce-scatter/recursive-halving ring:8'; do
    set -- $case
    collcost export "$1" -t "$2" -m 48KiB --format msccl --save "$work/cost.xml"
    collcost cost "$work/cost.xml" -t "$2" -m 48KiB,960KiB -o csv | awk -F, 'NR > 1 { printf "%.9g\n", $12 }' >"$work/file"
    collcost cost "$1" -t "$2" -m 48KiB,960KiB --contention shared -o csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "total_s") t = i; next } { printf "%.9g\n", $t }' >"$work/algorithm"
    test "$(wc -l <"$work/file")" -eq 2 && cmp -s "$work/file" "$work/algorithm"
    result $? "$case: $(paste -sd' ' "$work/file") and $(paste -sd' ' "$work/algorithm")"
done

# No file is faster than its bound.
for file in "$work"/files/*_[348].xml; do
    collcost cost "$file" -t star -m 64 -o csv
done | awk -F, '$14 != "" && $1 != "file" && $14 < 0.999999' >"$work/others"
test ! -s "$work/others"
result $? "none is below its bound: $(head -n 1 "$work/others")"

# As models they are right, and send what the files send; rooted ones from any root.
for file in "$work"/files/*_[38].xml; do
    model="$work/model.yaml"
    rm -f "$model"
    collcost import "$file" --save "$model" -o csv >"$work/file" 2>"$work/err" &&
        collcost verify "$model" -p "$(basename "$file" .xml | sed 's/.*_//')" >"$work/out" 2>>"$work/err" ||
        echo "$file $(head -n 1 "$work/err")"
done >"$work/others"
test ! -s "$work/others"
result $? "all are right as models: $(head -n 1 "$work/others")"

# Without any one of its steps, an allreduce on three ranks is wrong, or no file.
collcost export allreduce/ring -t full:3 -m 8 --format msccl >"$work/whole.xml"
kept=0
for line in $(grep -n '<step' "$work/whole.xml" | cut -d: -f1); do
    sed "${line}d" "$work/whole.xml" | awk '/<tb/ { s = 0 }
        /<step/ { sub(/s="[0-9]+"/, "s=\"" s++ "\"") } { print }' >"$work/less.xml"
    collcost import "$work/less.xml" >"$work/out" 2>&1
    test $? -eq 1 || kept=$((kept + 1))
done
test $kept -eq 0
result $? "a step less is found: $kept are not"
plan

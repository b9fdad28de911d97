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

# run LINES: runs the lines of a file in one process. LINES.failed has those that did not end well: number, how they
# ended, and what they said first.
run() {
    collcost batch "$1" --jobs 1 -o json >"$1.json" 2>"$work/err"
    test $? -le 2 && awk '
        function field(name) { return substr($0, index($0, "\"" name "\": \"") + length(name) + 5) }
        /^  \{"line": / {
            lines++
            status = field("status")
            messages = field("messages")
            sub(/(\\u000a|"}).*/, "", messages)
            if (status !~ /^ok"/) print substr($2, 1, length($2) - 1), substr(status, 1, index(status, "\"") - 1), messages
        }
        END { exit lines == 0 }' "$1.json" >"$1.failed"
    status=$?
    test $status -eq 0 || result 1 "one process runs ${1##*/}: $(head -n 1 "$work/err")"
}

mkdir "$work/files"
collcost list algorithms -o csv | cut -d, -f2 |
    grep -E '^(allreduce|allgather|reduce-scatter|alltoall|broadcast|reduce|gather|scatter|scan|exscan|point-to-point)/' >"$work/names"
awk -v files="$work/files" '{
    split("2 3 4 5 6 7 8 9 12 16", ranks)
    file = $1
    sub("/", "_", file)
    for (i = 1; i in ranks; i++)
        print "export " $1 " -t full:" ranks[i] ($1 ~ /^allreduce.nccl-(tree|nvls)/ ? " --set k=2" : "") " -m 1680 --format msccl --save " files "/" file "_" ranks[i] ".xml"
}' "$work/names" >"$work/exports"
run "$work/exports"
# Some do not run on so many ranks, and one is kept because it is printed, and wrong.
grep -vE ' [^ ]+ .*(ranks|requires|does not run|printed|the schedule is wrong)' "$work/exports.failed" >"$work/others"
test ! -s "$work/others"
result $? "all are exported that run: $(head -n 1 "$work/others")"
collcost import "$work/files"/*.xml -o csv >"$work/verdicts" 2>"$work/err"
result $? 'all exported files are right'
awk -F, '
    FILENAME != ARGV[1] { if (/<!-- messages: .*, chunks: .*, depth: .* -->/) said[FILENAME] = said[FILENAME] $0; next }
    FNR > 1 { wanted[$1] = "<!-- messages: " $9 ", chunks: " $10 ", depth: " $11 " -->" }
    END { for (file in wanted) if (!index(said[file], wanted[file])) print file }
' "$work/verdicts" "$work/files"/*.xml >"$work/others"
test ! -s "$work/others"
result $? "all have the messages, chunks and depth of the schedule: $(head -n 1 "$work/others")"
test "$(wc -l <"$work/verdicts")" -gt 1000
result $? "there are enough: $(wc -l <"$work/verdicts")"

# Synthesized schedules, on a torus and on a cluster with switches.
for collective in broadcast reduce scatter gather allgather reduce-scatter allreduce alltoall; do
    echo "synthesize $collective -t torus:2x4 --machine sg2260 -m 1MiB --objective both --save $work/torus:2x4-$collective.yaml"
    echo "synthesize $collective -t cluster:2x3 --machine $machines/gpu-node.yaml -m 1MiB --objective both --save $work/cluster:2x3-$collective.yaml"
done >"$work/syntheses"
run "$work/syntheses"
test ! -s "$work/syntheses.failed"
result $? "all are synthesized: $(head -n 1 "$work/syntheses.failed")"
# Two lines for each schedule: one exports it, one imports the file. One is in more parts than runtimes take.
awk -v work="$work" '
    FNR == 1 { network = FILENAME; sub(/.*\//, "", network); collective = network; sub(/-.*/, "", network)
        sub(/^[^-]*-/, "", collective); sub(/\.yaml$/, "", collective) }
    $1 == "algorithm:" { name = $2 }
    $1 == "collective:" && $2 == collective {
        file = work "/made-" ++count ".xml"
        print "export " $2 "/" name " --models " FILENAME " -t " network " -m 48KiB --set k=2 --format msccl --save " file
        print "import " file
    }' "$work"/torus:*.yaml "$work"/cluster:*.yaml >"$work/made"
run "$work/made"
awk -v failed="$work/made.failed" '
    BEGIN { while ((getline line < failed) > 0) { number = line; sub(/ .*/, "", number); said[number] = line } }
    FNR % 2 { exported = $2 " on " $6; next }
    { text = said[FNR - 1] said[FNR]; is_large = exported == "alltoall/paths-torus-2x4 on torus:2x4"
      print (is_large ? text !~ /runtimes take 256 steps/ : text != "") + 0, exported, text }
' "$work/made" >"$work/answers"
while read -r is_bad name; do
    result "$is_bad" "synthesized: $name"
done <"$work/answers"

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
printf 'cost %s -t star -m 64 -o csv\n' "$work/files"/*_[348].xml >"$work/costs"
collcost batch "$work/costs" --jobs 1 >"$work/out" 2>"$work/err"
awk -F, '$14 != "" && $1 != "file" && $14 < 0.999999' "$work/out" >"$work/others"
test ! -s "$work/others" && test "$(grep -c '^file,' "$work/out")" -eq "$(wc -l <"$work/costs")"
result $? "none is below its bound: $(head -n 1 "$work/others") $(head -n 1 "$work/err")"

# As models they are right, and send what the files send; rooted ones from any root.
for file in "$work"/files/*_[38].xml; do
    model=${file%.xml}
    echo "import $file --save $model.yaml -o csv"
    echo "verify $model.yaml -p ${model##*_}"
done >"$work/models"
run "$work/models"
test ! -s "$work/models.failed"
result $? "all are right as models: $(head -n 1 "$work/models.failed")"

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

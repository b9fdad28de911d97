#!/bin/sh
# Randomly corrupted models must end with a status of 0, 1 or 2 and in time: no crash, no endless
# loop. tests/fuzz/corrupt makes the same corruptions each time; JUNK=N tries N of each model, and
# JUNK_FROM=SEED begins with another one. JUNK_KEEP=FOLDER keeps those that fail.
set -u
. "$(dirname "$0")/sandbox.sh"
corrupt=$PWD/tests/fuzz/corrupt
if test ! -x "$corrupt" || ! cd "$srcdir/models" 2>/dev/null; then
    plan "no corrupted models"
    exit
fi
many=${JUNK:-5}
first=${JUNK_FROM:-1}
# A sanitizer must not end with a status of 1.
ASAN_OPTIONS=exitcode=99
UBSAN_OPTIONS=halt_on_error=1:exitcode=99
export ASAN_OPTIONS UBSAN_OPTIONS
ulimit -t 60 # of each process by itself: a signal ends what has no end

# harmless COMMAND...: where the status is not 0, 1 or 2, says so in $work/failures.
harmless() {
    "$@" >"$work/out" 2>"$work/err"
    status=$?
    test $status -le 2 && return
    {
        echo "status $status: $*"
        tail -n 3 "$work/err"
    } >>"$work/failures"
    return 1
}

# lines_on FILE: the commands that read a corrupted file, of the folder that it comes from, as lines of a batch.
lines_on() {
    echo "verify -p 1..5 $1"
    case $folder in
    */algorithms/*) ;;
    */topologies)
        name=${1##*/} name=${name#*-} name=${name%.yaml}
        echo "cost reduce -p 8 -t $name --models $1"
        echo "cost reduce -t $name:4x3 --models $1"
        echo "show $name:5 --models $1" ;;
    *) echo "cost reduce -p 5 -m 1KiB --models $1" ;;
    esac
}

# one_by_one: runs the lines again, each in a process of its own, and keeps the files of those that fail.
one_by_one() {
    while read -r line; do
        file=$junk${line#*"$junk"} file=${file%% *}
        # shellcheck disable=SC2086 # the words of the line
        harmless collcost $line </dev/null || test -z "${JUNK_KEEP-}" || cp "$file" "$JUNK_KEEP"
    done <"$work/lines"
}

# The files of a folder share a process. Where it ends badly, or is out of time, its lines run one by one.
junk=$work/junk
for folder in $(find . ../examples -name '*.yaml' | sed 's,/[^/]*$,,' | sort -u); do
    fresh junk
    "$corrupt" "$first" "$many" "$junk" "$folder"/*.yaml || result 1 "$folder is corrupted"
    for file in "$junk"/*; do
        lines_on "$file"
    done >"$work/lines"
    : >"$work/failures"
    if ! harmless collcost batch "$work/lines" --jobs 1; then
        mv "$work/failures" "$work/together"
        together=$status
        : >"$work/failures"
        one_by_one
        # Time that is out for all lines is no fault of one.
        test -s "$work/failures" || test $together -eq 137 || test $together -eq 152 || mv "$work/together" "$work/failures"
    fi
    for model in "$folder"/*.yaml; do
        test ! -s "$work/failures" || ! grep -q "^status .*/[0-9]*-${model##*/}\( \|\$\)" "$work/failures"
        result $? "$many corruptions of ${model#./} do no harm"
    done
    test ! -s "$work/failures"
    result $? "all corruptions in ${folder#./} do no harm"
    comment "$work/failures"
done

# Random lines of batch files, with all reports.
lines=${corrupt%corrupt}lines
: >"$work/failures"
seed=$first
while test -x "$lines" && test "$seed" -lt $((first + 5 * many)); do
    "$lines" "$seed" >"$work/$seed-lines.batch"
    for report in text tap json junit; do
        harmless collcost batch "$work/$seed-lines.batch" -o $report ||
            test -z "${JUNK_KEEP-}" || cp "$work/$seed-lines.batch" "$JUNK_KEEP"
    done
    rm -f "$work/$seed-lines.batch"
    seed=$((seed + 1))
done
test ! -s "$work/failures"
result $? "$((5 * many)) batches of random lines do no harm"
comment "$work/failures"

plan "no models"

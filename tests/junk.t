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

# run COMMAND...: notes a failure where the status is not 0, 1 or 2.
run() {
    "$@" >"$work/out" 2>"$work/err"
    status=$?
    test $status -le 2 && return
    {
        echo "seed $seed: status $status: $*"
        tail -n 3 "$work/err"
    } >>"$work/failures"
    test -z "${JUNK_KEEP-}" || cp "$work/junk.yaml" "$JUNK_KEEP/$seed-$(basename "$model")"
}

for model in $(find . ../examples -name '*.yaml' | sort); do
    : >"$work/failures"
    seed=$first
    while test "$seed" -lt $((first + many)); do
        "$corrupt" "$seed" "$model" >"$work/junk.yaml"
        run collcost verify -p 1..5 "$work/junk.yaml"
        case $model in
        */algorithms/*) ;;
        */topologies/*)
            name=${model##*/} name=${name%.yaml}
            run collcost cost reduce -p 8 -t "$name" --models "$work/junk.yaml"
            run collcost cost reduce -t "$name:4x3" --models "$work/junk.yaml"
            run collcost show "$name:5" --models "$work/junk.yaml" ;;
        *) run collcost cost reduce -p 5 -m 1KiB --models "$work/junk.yaml" ;;
        esac
        seed=$((seed + 1))
    done
    test ! -s "$work/failures"
    result $? "$many corruptions of ${model#./} do no harm"
    comment "$work/failures"
done

# Random lines of batch files, with all reports.
lines=${corrupt%corrupt}lines
: >"$work/failures"
seed=$first
while test -x "$lines" && test "$seed" -lt $((first + 5 * many)); do
    "$lines" "$seed" >"$work/junk.batch"
    model=lines.batch
    for report in text tap json junit; do
        run collcost batch "$work/junk.batch" -o $report
    done
    seed=$((seed + 1))
done
test ! -s "$work/failures"
result $? "$((5 * many)) batches of random lines do no harm"
comment "$work/failures"

plan "no models"

#!/bin/sh
# What a batch prints is what its lines print one by one. The lines are those of the golden tests, which
# run them one by one: all without files that end well and say nothing else. Any number of processes
# print the same.
set -u
. "$(dirname "$0")/sandbox.sh"

for test_file in "$srcdir"/tests/golden/*.test; do
    : >"$work/lines"
    : >"$work/want"
    awk -v lines="$work/lines" -v want="$work/want" '
        /^test collcost / && !/[|;&$`<>]|yaml|xml|\.json|\.goal|\.conf|\.txt|\.csv|\.topo|\.sh|--models|^test collcost (compare|fit) / { command = substr($0, 15); output = ""; good = 1; next }
        command == "" { next }
        /^stderr:$|^status: |^no newline$|^\\/ { good = 0 }
        /^end test$/ {
            if (good && command !~ /^(batch|repl|expect|help|--)/) {
                print command >lines
                printf "%s", output >want
            }
            command = ""
            next
        }
        { output = output $0 "\n" }
    ' "$test_file"
    test -s "$work/lines" || continue
    fresh case
    (cd "$work/case" && collcost batch - <"$work/lines") >"$work/out" 2>"$work/err"
    status=$?
    mark_defaults "$test_file" "$work/out"
    diff "$work/want" "$work/out" >"$work/diff" && test $status -eq 0 && test ! -s "$work/err"
    result $? "the lines of ${test_file##*/} in one batch"
    comment "$work/diff"
    comment "$work/err"
done

# Several processes print what one prints, with the same messages and status.
# same FILE OPTION...: with the standard input typed.yaml
same() {
    for jobs in 1 2 5; do
        (fresh case && cd "$work/case" && cp "$srcdir"/tests/batches/*.batch . &&
            collcost batch "$@" --jobs $jobs <"$work/typed.yaml") >"$work/out.$jobs" 2>"$work/err.$jobs"
        echo $? >>"$work/out.$jobs"
    done
    for jobs in 2 5; do
        diff "$work/out.1" "$work/out.$jobs" >"$work/diff" && diff "$work/err.1" "$work/err.$jobs" >>"$work/diff"
        result $? "batch $* --jobs $jobs: $(tail -n 1 "$work/out.1")"
        comment "$work/diff"
    done
}
cat >"$work/typed.yaml" <<'END'
algorithm: typed
collective: broadcast
schedule:
  - send: 0
    to: r + 1
    if: r == root
END
same lines.batch
same lines.batch --stop
same lines.batch -o json
same lines.batch -o tap --stop
same inputs.batch
same open.batch
same missing.batch
same --stop inner.batch -t ring:6

# A process that dies takes its lines with it; those before them are printed.
fresh case
i=0
while test $((i += 1)) -le 40; do
    echo 'cost allreduce -t torus:32x32 -m 1MiB' # long enough
done >"$work/case/long.batch"
(cd "$work/case" && exec collcost batch long.batch --jobs 2) >"$work/out" 2>"$work/err" &
leader=$!
member=
while test -z "$member" && kill -0 $leader; do
    member=$(awk -v leader=$leader '$4 == leader { print $1 }' /proc/[0-9]*/stat 2>/dev/null)
done
kill -9 $member
wait $leader
test $? -eq 3 && grep -q 'error: the process that worked on cost allreduce .* was ended by signal 9 (Killed)' "$work/err" &&
    grep -q 'long.batch:2: cost allreduce -t torus:32x32 -m 1MiB: the system failed' "$work/out"
result $? "a process is killed"
comment "$work/err"
tail -n 3 "$work/out" | comment

plan "no golden tests"

#!/bin/sh
# collcost-mpi: each algorithm of each collective, by messages of MPI on 2 to 9 ranks, ends with the right
# bytes; a wrong one is found; the times are a log that compare and fit read; a batch
# prints what it prints without MPI. Skipped without MPI.
set -u
. "$(dirname "$0")/sandbox.sh"

if ! test -x ./collcost-mpi || ! command -v mpirun >/dev/null; then
    plan "built without MPI"
    exit
fi
program=$PWD/collcost-mpi
. "$srcdir/tests/ran/polite.sh"
OMPI_ALLOW_RUN_AS_ROOT=1 # of Open MPI, which else refuses to run in a container
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_mpi_yield_when_idle=1
ASAN_OPTIONS=detect_leaks=0 # what MPI keeps is no leak of collcost's
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle
cd "$work" || exit 1

# on RANKS WORD...
on() {
    ranks=$1
    shift
    # shellcheck disable=SC2086 # words
    $polite timeout 300 mpirun -n "$ranks" "$program" "$@" >out 2>err
}

if ! on 2 allgather/ring -m 1 --iterations 0 && ! grep -q 'collcost' err; then
    plan "mpirun starts no ranks here"
    exit
fi

all='broadcast reduce allreduce gather scatter allgather reduce-scatter alltoall scan exscan barrier point-to-point'
for p in 2 3 4 5 6 7 8 9; do
    # shellcheck disable=SC2086 # one word for each collective
    on $p $all -m 1,37 --set k=3 --iterations 0
    result $? "p = $p: $(head -n 1 err)"
done
on 7 broadcast reduce gather scatter -m 10 --root 5 --iterations 0
result $? "another root: $(head -n 1 err)"
on 6 allreduce allgather -t mesh:2x3 -m 10 --iterations 0
result $? "a mesh: $(head -n 1 err)"
on 4 'allreduce: reduce-scatter/ring, allgather/bruck' -m 1000 --iterations 0
result $? "a composition: $(head -n 1 err)"

# Synthesized schedules, for large and small messages, of all collectives in one run.
names=
for collective in broadcast reduce scatter gather allgather reduce-scatter allreduce alltoall; do
    collcost synthesize $collective -t mesh:2x3 -m 1MiB --objective both --save "made-$collective.yaml" >/dev/null 2>err
    result $? "synthesized: $collective $(head -n 1 err)"
    names="$names $(awk -v collective="$collective" '$1 == "algorithm:" { name = $2 }
        $1 == "collective:" && $2 == collective { print $2 "/" name }' "made-$collective.yaml" | tr '\n' ' ')"
done
# shellcheck disable=SC2046,SC2086 # one word for each schedule, and for each file
on 6 $names $(printf -- ' --models %s' made-*.yaml) -t mesh:2x3 -m 1,1000 --set k=3 --iterations 0
result $? "they run: $names $(head -n 1 err)"

cat >wrong.yaml <<'END'
algorithm: last-is-missing
collective: allgather
schedule:
  - repeat: i in 0 .. p - 3
    steps:
      - send: (r - i) mod p
        to: (r + 1) mod p
END
on 4 allgather/last-is-missing --models wrong.yaml -m 16 --iterations 0
test $? -eq 1 && grep -q 'last-is-missing: rank 3 ends with a wrong block 0: byte 0 is 0, not' err
result $? "a wrong schedule: $(head -n 1 err)"
on 4 allgather/ring -m 8 -t ring:5
test $? -eq 2
result $? "a topology of other ranks"
on 4 allgathr -m 8
test $? -eq 2
result $? "no such collective"

# Schedules of other programs, in files: those that export writes, and one that says itself what the result is.
cat >scan.json <<'END'
{"msccl_type": "algorithm", "name": "scan", "instance": {"chunks": 2},
 "collective": {"name": "Scan(n=3)", "nodes": 3, "chunks": [
  {"pre": [0], "post": [0, 1, 2], "addr": 0}, {"pre": [1], "post": [1, 2], "addr": 0}, {"pre": [2], "post": [2], "addr": 0}]},
 "steps": [{"rounds": 1, "sends": [[0, 0, 1], [1, 0, 1]]}, {"rounds": 1, "sends": [[0, 1, 2], [1, 1, 2]]}]}
END
on 3 scan.json -m 10 --iterations 2 && grep -q '^custom,scan.json,3,10,2,' out
result $? "an algorithm in JSON: $(head -n 1 err)"
on 4 scan.json -m 10
test $? -eq 2 && grep -q 'this schedule is for p = 3' err
result $? "an algorithm for other ranks"
on 3 scan.json -m 11
test $? -eq 2 && grep -q 'is not a whole number of bytes' err
result $? "an algorithm with other chunks"
if collcost export allreduce/ring -t full:4 -m 8 --format msccl >/dev/null && collcost import "$srcdir/tests/fuzz/findings/schedules/both-modes" >/dev/null 2>&1; then
    for name in allreduce/recursive-doubling allreduce/ring reduce-scatter/ring allgather/bruck alltoall/bruck reduce/binomial broadcast/binomial; do
        collcost export $name -t full:6 -m 600 --format msccl --save "file-$(echo $name | tr / -).xml"
    done
    on 6 file-*.xml -m 600 --iterations 0
    result $? "$(echo file-*.xml): $(head -n 1 err)"
    cp "$srcdir/tests/fuzz/findings/schedules/both-modes" both.xml
    on 2 both.xml -m 64 --iterations 0
    result $? "in place and out of place: $(head -n 1 err)"
fi

on 2 --probe --iterations 5 && grep -q '^point-to-point,direct,2,2,4194304,5,' out && cp out pairs.csv
result $? "messages between two ranks: $(head -n 1 err)"
on 3 --probe -m 8 --iterations 3 && test "$(grep -c ',3,8,3,' out)" -eq 7 && grep -v '^point' out >>pairs.csv
result $? "of all ranks, too: $(head -n 1 err)"
collcost fit pairs.csv -t full --free startup,bandwidth --pieces 1 >table 2>err
result $? "fit reads them: $(head -n 1 err)"
on 2 --probe allreduce -m 8
test $? -eq 2
result $? "nothing beside them"

on 4 allreduce/ring allreduce/recursive-doubling -m 1KiB,4KiB --iterations 3 --native && cp out log.csv
result $? "times"
test "$(cut -d, -f2,4 log.csv | sort | tr '\n' ' ')" = \
    'algorithm,m_bytes default,1024 default,4096 recursive-doubling,1024 recursive-doubling,4096 ring,1024 ring,4096 '
result $? "of both algorithms and of MPI"
collcost compare log.csv >table 2>err && test "$(grep -c . table)" -ge 4
result $? "compare reads them: $(head -n 1 err)"
collcost fit log.csv --free startup,bandwidth --pieces 1 >table 2>err
result $? "so does fit: $(head -n 1 err)"
# Batches: the same bytes, messages and exit status for any number of ranks.
cp "$srcdir"/tests/batches/*.batch .
OMPI_MCA_orte_execute_quiet=1 # mpirun itself says nothing of an exit status
export OMPI_MCA_orte_execute_quiet

# same RANKS WORD...: on so many ranks as without MPI, where a batch runs once.
same() {
    ranks=$1
    shift
    want=$(echo "want-$*" | tr -c '[:alnum:]\n' -)
    if ! test -f "$want"; then
        collcost batch "$@" >"$want" 2>"$want.err" </dev/null
        echo $? >"$want.status"
    fi
    # shellcheck disable=SC2086 # words
    $polite timeout 300 mpirun -n "$ranks" "$program" batch "$@" >out 2>err </dev/null
    status=$?
    cmp -s "$want" out && cmp -s "$want.err" err && test $status -eq "$(cat "$want.status")"
    result $? "batch $* on $ranks ranks: $(cat "$want.status"), $status"
    diff "$want" out | head -n 5 | comment
    diff "$want.err" err | head -n 5 | comment
}

for ranks in 1 2 3 5; do
    same $ranks lines.batch
done
for ranks in 2 5; do
    same $ranks lines.batch --stop
    same $ranks lines.batch -o json
done
same 3 lines.batch -o tap --stop
same 3 open.batch
same 3 missing.batch
same 2 --stop inner.batch -t ring:6
collcost batch <lines.batch >want 2>want.err
$polite timeout 300 mpirun -n 3 "$program" batch <lines.batch >out 2>err
test $? -eq 2 && cmp -s want out && cmp -s want.err err
result $? "lines of the standard input"
diff want out | head -n 5 | comment
plan

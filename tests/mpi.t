#!/bin/sh
# collcost-mpi: each algorithm of each collective, by messages of MPI on 2 to 9 ranks, ends with the right
# bytes; a wrong one is found; the times are a log that compare and fit read. Skipped without MPI.
set -u
. "$(dirname "$0")/sandbox.sh"

if ! test -x ./collcost-mpi || ! command -v mpirun >/dev/null; then
    plan "built without MPI"
    exit
fi
program=$PWD/collcost-mpi
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
    timeout 300 mpirun -n "$ranks" "$program" "$@" >out 2>err
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

on 4 allreduce/ring allreduce/recursive-doubling -m 1KiB,4KiB --iterations 3 --native && cp out log.csv
result $? "times"
test "$(cut -d, -f2,4 log.csv | sort | tr '\n' ' ')" = \
    'algorithm,m_bytes default,1024 default,4096 recursive-doubling,1024 recursive-doubling,4096 ring,1024 ring,4096 '
result $? "of both algorithms and of MPI"
collcost compare log.csv >table 2>err && test "$(grep -c . table)" -ge 4
result $? "compare reads them: $(head -n 1 err)"
collcost fit log.csv --free startup,bandwidth --pieces 1 >table 2>err
result $? "so does fit: $(head -n 1 err)"
plan

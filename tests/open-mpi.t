#!/bin/sh
# Rules files of Open MPI, loaded into the library itself: tests/ran/ran.c makes calls and finds out which
# algorithms ran. They must be those that `check` names: beside the thresholds of files that `tune` writes, for each
# algorithm with the fallbacks that the library has, and for files that are malformed (tests/open-mpi/files).
# Skipped where Open MPI is not 4.1.
set -u
. "$(dirname "$0")/sandbox.sh"

mpicc=$(sed -n 's/^MPICC = //p' Makefile)
cc=$(sed -n 's/^CC = //p' Makefile)
if test -z "$mpicc" || ! command -v mpirun >/dev/null || ! mpirun --version 2>/dev/null | grep -q 'Open MPI) 4\.1\.'; then
    plan "there is no Open MPI 4.1"
    exit
fi
OMPI_ALLOW_RUN_AS_ROOT=1 # Open MPI else refuses to run in a container
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_pml=ob1 # ranks of one machine: nothing else is looked for
OMPI_MCA_btl=self,vader
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle OMPI_MCA_pml OMPI_MCA_btl
files=$srcdir/tests/open-mpi
if ! OMPI_CC=$cc "$mpicc" -std=gnu11 -rdynamic -I"$files" -o "$work/ran" "$srcdir/tests/ran/ran.c" -ldl 2>"$work/log"; then
    comment "$work/log"
    plan "no program can be built with $mpicc"
    exit
fi
cd "$work" || exit 1

# ran RANKS [RULES]: makes the calls of the file calls; what ran is in the file ran.csv.
ran() {
    if test -n "${2-}"; then
        rules="--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename $PWD/$2"
    else
        rules=
    fi
    # shellcheck disable=SC2086 # words
    timeout -k 1 100 mpirun -n "$1" $rules ./ran calls 90 >ran.csv 2>ran.err </dev/null
}

echo 'allreduce 2 8 8' >calls
if ! ran 2 || ! grep -q '^allreduce,2,8,8,recursive_doubling$' ran.csv; then
    comment ran.err
    plan "mpirun starts no ranks here, or calls of libmpi cannot be watched"
    exit
fi

# said RULES P M ELEMENT: what check says will run, as lines of ran.csv; calls of whole elements only.
said() {
    collcost check "$1" --for open-mpi@4.1 -p "$2" -m "$3" --element "$4" -o csv 2>/dev/null |
        awk -F, -v element="$4" 'NR > 1 && $3 % element == 0 { print $1 "," $2 "," $3 "," element "," $6 }'
}

# same NAME LEAST: ran.csv is what check said in the file said, in at least so many lines.
same() {
    sed 's/,MPI_ERR_[A-Z_]*$/,aborts/' ran.csv | diff said - >differences &&
        test "$(wc -l <said)" -ge "$2"
    result $? "$1: $(($(wc -l <said))) calls"
    head -n 20 differences | comment
    head -n 5 ran.err | comment
}

### Files that tune writes: sizes beside all thresholds

for machine in slingshot alaska-smp; do
    collcost tune --for open-mpi@4.1 -t full -p 2..9 --machine $machine --tolerance 0 --save $machine.conf -o csv >table
    result $? "tune for $machine"
    collcost check $machine.conf --for open-mpi@4.1 >out 2>&1
    result $? "check finds nothing wrong"
    : >said
    for p in 2 3 5 8 9; do
        # collective, first p, last p, first size in the collective's measure
        sizes=$(awk -F, -v p=$p '
            NR > 1 && $2 <= p && (p <= $3 || $3 == "") && $4 > 0 && $4 <= 2^17 {
                ranks = $1 ~ /^(allgather|alltoall|gather|reduce_scatter|reduce_scatter_block)$/ ? p : 1
                m = int(($4 + ranks - 1) / ranks)
                print m - 1
                print m
            }' table | sort -nu | awk '$1 > 0' | paste -s -d , -)
        test -z "$sizes" || said $machine.conf $p "$sizes" 1 >>said
    done
    tr , ' ' <said | cut -d ' ' -f 1-4 >calls
    ran 9 $machine.conf
    same "$machine, beside thresholds" 200
done

### Every algorithm at sizes where the library may run another one

for number in 0 1 2 3 4 5 6 7 8 9; do
    awk -v number=$number 'BEGIN {
        count = split("0 6 2 6 3 5 6 6 7 9 8 2 9 3 11 7 12 4 13 4 14 2 15 3", of)
        for (i = 1; i < count; i += 2)
            if (number <= of[i + 1])
                text = text of[i] " 1 2 1\n0 " number " 0 " (of[i] == 9 ? 0 : 16) "\n" ++rules * 0
        print rules
        printf "%s", text
    }' >forced.conf
    : >said
    for element in 1 4 8; do
        said forced.conf 2,3,4,5,8 1,2,3,4,8,15,16,24,32,36,64,72,1000,70000 $element >>said
    done
    tr , ' ' <said | cut -d ' ' -f 1-4 >calls
    ran 8 forced.conf
    same "algorithm $number" 100
done

### Malformed files

for collective in allgather allreduce alltoall barrier bcast exscan gather reduce reduce_scatter reduce_scatter_block scan scatter; do
    for p in 2 3 4; do
        for m in 8 64 512 1024 8192; do
            test $collective = barrier && test $m -ne 8 || echo "$collective $p $m 8"
        done
    done
done | sed 's/^\(barrier .\) 8/\1 0/' >all
cp all calls
ran 4 && mv ran.csv plain.csv
result $? "the library's own choices"

# The files, by number, and their names and effects.
awk '/^== / { number++; print substr($0, 4) >"names"; printf "" >"file" number; next }
    number && sub(/\|$/, "") { printf "%s", $0 >"file" number; next }
    number { print >"file" number }' "$files/files"
number=0
while read -r line; do
    number=$((number + 1))
    name=${line%%:*}
    collcost check file$number --for open-mpi@4.1 -o csv >found
    status=$?
    effects=$(awk -F, 'NR > 1 && $5 == "true" && !seen[$4]++ { list = list (list == "" ? "" : ", ") $4 } END { print list }' found)
    test "$name: $effects" = "$line" || test "$name$effects" = "$line"
    result $? "$name: check says $effects"
    test $status -eq "$(test -z "$effects" && echo 0 || echo 1)" || result 1 "$name: exit status $status"
    said file$number 2,3,4 8,64,512,1024,8192 8 >found
    # where check says nothing of a collective, the library chooses as ever
    awk -F, -v OFS=, 'FILENAME == "found" { said[$1, $2, $3] = $5; next } ($1, $2, $3) in said { $5 = said[$1, $2, $3] } { print }' \
        found plain.csv >said
    cp all calls
    ran 4 file$number
    same "$name" 150
done <names
test $number -ge 40
result $? "$number files"

# check knows no costs of collectives with blocks of unequal sizes, but their rules.
awk 'number { number = !/^== / } /^== alltoallv with a size:/ { number = 1; next } number' "$files/files" >alltoallv.conf
printf 'alltoallv 3 %d 8\n' 8 1024 8192 >calls
ran 3 alltoallv.conf
test "$(cut -d, -f5 ran.csv | paste -s -d ' ' -)" = 'basic_linear basic_linear basic_linear'
result $? 'alltoallv runs the first algorithm at all sizes'

# Without rules, by the mean of the blocks, and by the ranks alone.
: >said
for collective in allgather alltoall; do
    for p in 2 3 6 8 17; do
        for m in 8 248 256 4096 16384; do
            name=$(collcost explain $collective -p $p -m $m --weights 1 --for open-mpi@4.1 -o json | sed -n 's/.*"name": "\([^"]*\)".*/\1/p' | head -n 1)
            echo "${collective}v,$p,$m,8,$name" >>said
        done
    done
done
tr , ' ' <said | cut -d ' ' -f 1-4 >calls
ran 17
same "unequal blocks, without rules" 50

# What other ranks than the root say of a scatter means nothing in MPI, but the library looks it up.
awk 'number { number = !/^== / } /^== scatter with a size:/ { number = 1; next } number' "$files/files" >scatter.conf
echo 'scatter-root-counts 4 1024 8' >calls
timeout -k 1 30 mpirun -n 4 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "$PWD/scatter.conf" ./ran calls 3 >out 2>err </dev/null
status=$?
test $status -ne 0 || grep -q error out
result $? "a scatter crashes or hangs: status $status"
plan

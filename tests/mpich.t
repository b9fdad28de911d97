#!/bin/sh
# Tuning files of MPICH, loaded into the library itself: tests/ran/ran.c makes calls and finds out which algorithms ran.
# They must be those that `check` names: beside the thresholds of files that `tune` writes, and for files that are
# malformed (tests/mpich/files). A file without rules must change nothing. Skipped where MPICH is not 4.0, or has no
# static library. Each rank is taken to be on a node of its own, and the device leaves collectives alone.
set -u
. "$(dirname "$0")/sandbox.sh"

mpicc=$(sed -n 's/^MPICC_MPICH = //p' Makefile)
cc=$(sed -n 's/^CC = //p' Makefile)
mpirun=$(command -v mpirun.mpich || command -v mpirun)
if test -z "$mpicc" || test -z "$mpirun" || ! echo MPICH_VERSION | MPICH_CC=$cc "$mpicc" -E -include mpi.h - 2>/dev/null | grep -q '^"4\.0\.'; then
    plan "there is no MPICH 4.0"
    exit
fi
files=$srcdir/tests/mpich
wraps=$(sed -n 's/^RUNS([a-z_]*, \([A-Za-z_]*\),.*/-Wl,--wrap=\1/p' "$files/algorithms.def")
# shellcheck disable=SC2086 # words
if ! MPICH_CC=$cc "$mpicc" -std=gnu11 -DWRAPPED -I"$files" -o "$work/ran" "$srcdir/tests/ran/ran.c" -static-mpi $wraps 2>"$work/log"; then
    comment "$work/log"
    plan "no program can be built with the static library of $mpicc"
    exit
fi
. "$srcdir/tests/ran/polite.sh"
cd "$work" || exit 1
MPIR_CVAR_DEVICE_COLLECTIVES=none
MPIR_CVAR_NOLOCAL=1
export MPIR_CVAR_DEVICE_COLLECTIVES MPIR_CVAR_NOLOCAL

# ran RANKS FILE [dry]: makes the calls of the file calls; what ran is in the file ran.csv. FILE -: none.
ran() {
    if test "$2" != -; then
        MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$PWD/$2
        export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE
    else
        unset MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE
    fi
    # shellcheck disable=SC2086 # words
    $polite timeout -k 1 200 "$mpirun" -n "$1" ./ran calls 190 ${3-} >ran.csv 2>ran.err </dev/null
}

echo 'allreduce 2 8 8' >calls
if ! ran 2 - || ! grep -q '^allreduce,2,8,8,recursive_doubling$' ran.csv; then
    comment ran.err
    plan "$mpirun starts no ranks here, or calls of the library cannot be watched"
    exit
fi

# said FILE P M ELEMENT: what check says will run, as lines of ran.csv; calls of whole elements only.
said() {
    collcost check "$1" --for mpich@4.0 -p "$2" -m "$3" --element "$4" -o csv 2>/dev/null |
        awk -F, -v element="$4" 'NR > 1 && $3 % element == 0 { print $1 "," $2 "," $3 "," element "," $6 }'
}

# ends: did the job end before rank 0 could say what ran?
ends() {
    test "$1" -ne 0 && ! grep -q '^[a-z_]*,[0-9]' ran.csv
}

# same NAME LEAST: the calls in ran.csv, among what the launcher says, are those that check said in the file said, in at
# least so many lines.
same() {
    sed -n '/^[a-z_-]*,[0-9]/s/,nb$/,/; /^[a-z_-]*,[0-9]/p' ran.csv | diff said - >differences && test "$(wc -l <said)" -ge "$2"
    result $? "$1: $(($(wc -l <said))) calls"
    head -n 20 differences | comment
    head -n 5 ran.err | comment
}

### A tree without rules is what the library does by itself

collcost tune --for mpich@4.0 -t full:1 >default.json 2>/dev/null
result $? "tune without rules"
collcost check default.json --for mpich@4.0 >out 2>&1
result $? "check finds nothing wrong"
comment <out
: >said
for element in 1 8; do
    said default.json 2,3,4,7,8,9 1,8,9,16,56,64,256,257,2048,2049,8192,12288,12289,32768,32769,65536,81920,524288,524289 $element >>said
done
tr , ' ' <said | cut -d ' ' -f 1-4 >calls
ran 9 - dry
same "what MPICH runs by itself" 2000
ran 9 default.json dry
same "the same with the tree" 2000

### Files that tune writes: sizes beside all thresholds

for machine in slingshot alaska-smp; do
    collcost tune --for mpich@4.0.2 -t full -p 2..9 --machine $machine --tolerance 0 --save $machine.json -o csv >table
    result $? "tune for $machine"
    collcost check $machine.json --for mpich@4.0 >out 2>&1
    result $? "check finds nothing wrong"
    comment <out
    : >said
    for p in 2 3 4 5 6 7 8 9; do
        # collective, first p, last p, first size in the collective's measure
        sizes=$(awk -F, -v p=$p '
            NR > 1 && $2 <= p && (p <= $3 || $3 == "") && $4 > 0 && $4 <= 2^20 {
                ranks = $1 ~ /^(allgather|gather|reduce_scatter|reduce_scatter_block)$/ ? p : 1
                m = int(($4 + ranks - 1) / ranks)
                print m - 1
                print m
            }' table | sort -nu | awk '$1 > 0' | paste -s -d , -)
        test -z "$sizes" || said $machine.json $p "$sizes" 1 >>said
    done
    tr , ' ' <said | cut -d ' ' -f 1-4 >calls
    ran 9 $machine.json dry
    same "$machine, beside thresholds" 200
    awk -F, '$2 <= 4 && $3 <= 65536' said >few
    mv few said
    tr , ' ' <said | cut -d ' ' -f 1-4 >calls
    ran 4 $machine.json
    same "$machine, the smaller ones to their end" 50
    for p in 2 3 4 5; do
        for m in 8 1024 65536; do
            echo "allreduce-own-operation,$p,$m,8,recursive_doubling"
            echo "alltoall-in-place,$p,$m,8,pairwise_sendrecv_replace"
        done
    done >said
    tr , ' ' <said | cut -d ' ' -f 1-4 >calls
    ran 5 $machine.json
    same "$machine, operations that do not commute, and in place" 24
done

### Malformed files

# The files, by number, and their names and effects.
awk '/^== / { number++; print substr($0, 4) >"names"; printf "" >"part" number; next } number { print >"part" number }' "$files/files"
number=0
while read -r line; do
    number=$((number + 1))
    collective=${line%%;*}
    sed 's/A(\([A-Za-z_]*\))/{"algorithm=MPIR_\1": {}}/g' part$number >part
    if test "$collective" = all; then
        grep -v '^//' default.json | sed -f part >file
        asked=allreduce,alltoall,barrier,bcast
    else
        # In place of what the collective has stands the part; in front of what it has between groups, where it has that.
        awk -v start="  \"collective=${collective%/}\": {" -v whole="$(expr "$collective" : '.*/$')" '
            FILENAME == "part" { part = part $0 "\n"; next }
            index($0, start) == 1 { print substr(start, 1, length(start) - 1) (whole ? "" : "{ \"comm_type=intra\":") part (whole ? "," : ","); inside = 1; next }
            inside && /^  }/ { inside = between = 0; if (!whole) print; next }
            inside && /^    "comm_type=inter"/ { between = 1 }
            !inside || between && !whole' part default.json >file
        asked=${collective%/}
    fi
    name=${line%:*}
    collcost check file --for mpich@4.0 -o csv >found
    status=$?
    effects=$(awk -F, 'NR > 1 && $5 == "true" && !seen[$4]++ { list = list (list == "" ? "" : ", ") $4 } END { print list }' found)
    test "$name: $effects" = "$line" || test "$name:$effects" = "$line"
    result $? "$name: check says $effects"
    test $status -eq "$(test -z "$effects" && echo 0 || echo 1)" || result 1 "$name: exit status $status"
    collcost check file --for mpich@4.0 >out 2>&1
    if grep -q 'MPI_Init ends the job;' out; then
        echo 'allreduce 1 8 8' >calls
        ran 2 file
        ends $?
        result $? "$name: MPI_Init ends the job"
        continue
    fi
    said file 2,3,4 8,16,64,1024,8192 8 | awk -F, -v asked="$asked" 'index("," asked ",", "," $1 ",")' >all
    grep -v ',aborts$' all >said
    tr , ' ' <said | cut -d ' ' -f 1-4 >calls
    ran 4 file
    same "$name" 0
    if grep ',aborts$' all | tail -n 1 | tr , ' ' | cut -d ' ' -f 1-4 >calls && test -s calls; then
        ran 4 file
        ends $?
        result $? "$name: $(cat calls) ends the job"
    fi
done <names
test $number -ge 40
result $? "$number files"
plan

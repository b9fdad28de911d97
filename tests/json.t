#!/bin/sh
# JSON answers are what doc/collcost.schema.json says, which tests/write-schema makes from the lists of
# keys and tables; BLESS=1 writes it anew: read the difference. All JSON in tests/golden is checked by
# tests/check-json, and so is what the commands below print. Together they show every key with a value.
set -u
. "$(dirname "$0")/sandbox.sh"
tests=$PWD/tests
cd "$work" || exit 1
schema=$srcdir/doc/collcost.schema.json

"$tests/write-schema" >schema.json
test -s schema.json
result $? "tests/write-schema"
test -z "${BLESS-}" || ! test -s schema.json || cp schema.json "$schema"
cmp -s schema.json "$schema"
result $? "doc/collcost.schema.json is current"
diff "$schema" schema.json | head -n 40 | comment

: >seen

# conforms NAME FILE WHAT
conforms() {
    "$tests/check-json" "$schema" "$1" "$2" >>seen 2>faults
    result $? "$1: $3"
    comment faults
}

# gives NAME WORD...: the table of the schema, and a command.
gives() {
    name=$1
    shift
    collcost "$@" -o json >out 2>err
    conforms "$name" out "$*"
}

# table_of COMMAND: the table of the schema that it writes.
table_of() {
    words=${1#*collcost }
    case $words in
    "cost "*.goal\ *) echo goal_cost ;;
    "cost "*.xml\ *) echo imported_cost ;;
    "trace "*.xml\ *) echo imported_trace ;;
    *\ --with\ *) echo together ;;
    "cost mat"*) echo problem_cost ;;
    "switch mat"*\ -n\ *..*) echo problem_switch ;;
    "switch mat"*) echo problem_switch_ranks ;;
    "list "*--for*) echo list_for ;;
    "explain bcast --for"*) echo explain_choice ;;
    "check "*\ -m\ *) echo check_choices ;;
    *\ --pairs*) echo show_pairs ;;
    *\ --route*) echo show_route ;;
    *\ --traffic*) echo traffic ;;
    "diff "*\ -m\ *..*) echo diff ;;
    "diff "*\ -m\ *) echo diff_sizes ;;
    "judge "*\ --explain*) echo judge_sides ;;
    *\ --vary\ *) echo switch_vary ;;
    *\ --rules\ *) echo switch_rules ;;
    *\ --over\ *) echo switch_ranks ;;
    "cost "*\ -m\ * | "bound "*\ -m\ *) echo "${words%% *}" ;;
    "cost "*:* | "cost "*\ -p\ * | "bound "*) echo "${words%% *}_symbols" ;;
    "cost "*) echo cost_formulas ;;
    *) echo "${words%% *}" ;;
    esac
}

# Whole answers in the golden tests, as they are expected: NUMBER.json, and what NUMBER is in `golden`.
awk '
    /^test .*collcost .*-o json/ && !/-o json.*[|;]/ && !/2>/ && !/^test sh same/ {
        name = FILENAME
        sub(/.*\//, "", name)
        print ++count, name ": " substr($0, 6) >"golden"
        inside = 1
        next
    }
    /^(stderr:|status: [0-9]*|end test)$/ { inside = 0 }
    inside { print >(count ".json") }
' "$srcdir"/tests/golden/*.test
while read -r number command; do
    test -s "$number.json" || continue
    conforms "$(table_of "$command")" "$number.json" "$command"
done <golden
test "$(wc -l <golden)" -ge 20
result $? "there are golden answers in JSON"

gives tune tune allreduce --for open-mpi@4.1 -p 8 --machine slingshot
gives cost cost reduce -p 1,7,8 -m 1,1MiB
gives cost cost reduce -p 8 -m 1MiB --real-k
gives cost synthesize reduce -t mesh:2x3 -m 1MiB
gives cost cost reduce -p 1000000000 -m 8 --set k=1
gives cost cost allgather -p 8 -m 1MiB --sizes nccl --bandwidths --set startup=2us --ports 2
gives cost cost allreduce -t cluster:4x4 --machine $machines/gpu-nodes.yaml -m 1MiB
gives cost_symbols cost allreduce -t cluster:4x4 --machine $machines/gpu-nodes.yaml
gives switch switch allreduce -t cluster:4x4 --machine $machines/gpu-nodes.yaml
gives map map allreduce -t cluster:4x4 --machine $machines/gpu-nodes.yaml -m 64KiB..1GiB
gives traffic cost allreduce -t cluster:2x4 -m 1MiB --traffic
gives traffic cost broadcast/pipelined-chain -t torus:2x4 -m 8,1MiB --sizes nccl --traffic
gives cost_symbols cost reduce -p 8
gives bound bound gather -p 1,8 -m 8,1KiB
gives bound bound allgather -p 8 -m 1KiB --sizes nccl
gives bound bound reduce -t linear:5 -m 0 --ports 2 --root 1
gives bound_symbols bound reduce -t linear:5
gives switch switch reduce -p 1,2,8
gives switch switch gather -t linear:8 -m 1KiB..1MiB
gives switch switch reduce -p 8 -m 1KiB..1GiB
gives switch switch reduce -p 1,2,8 --tolerance 5% --sizes nccl
gives explain explain allreduce/ring swing -t torus:4x4 -m 64KiB
gives explain explain allgather/ring bruck -p 8 -m 1MiB --asynchronous
gives explain explain allgather/ring bruck -p 5 -m 64kB --contention shared
gives explain explain reduce/pipelined-chain binomial -p 8 -m 1MiB
gives traffic cost broadcast -t full:4 -m 8 --traffic --among chains,multinomial
gives cost_symbols cost broadcast -p 4 --among chains,multinomial
gives switch switch broadcast -t full:4 -m 1..1MiB --among chains,multinomial
gives switch_ranks switch broadcast -p 4 --over p -m 1MiB --among chains
gives switch_ranks switch broadcast -p 4 --over p -m 1MiB --among multinomial
gives map map broadcast -t full -p 4 --among chains,multinomial
gives explain explain broadcast/chains multinomial -p 4 -m 1KiB
gives switch_vary switch reduce -p 1,8 --vary bandwidth=20%
gives switch_rules switch reduce -p 1,8 --rules all
gives switch_ranks switch reduce -p 1..9 --over p -m 1MiB
gives map map reduce -p 1,2,8
gives verify verify reduce scatter/flat -p 1..4
printf '# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n64  2.50\n' >osu.log
gives compare compare osu.log -p 4 --map default=pipelined-chain
gives compare compare osu.log -p 4 --map default=chains
gives compare compare osu.log -p 4 --map default=multinomial
gives tune tune bcast --for open-mpi@4.1 -p 4 --measured osu.log
gives tune tune allreduce --for nccl -t star:8 --machine $machines/gpu-node-protocols.yaml
printf 'allreduce,0,9223372036854775807,ring,ll,0,-1,8\n' >table.csv
gives check_choices check table.csv --for nccl -t star:8 --machine $machines/gpu-node-protocols.yaml -m 1KiB
printf 'system,nodes,ppn,collective,algorithm,total_bytes,time_us\nx,4,2,allgather,ring,800,12.5\n' >times.csv
gives compare compare times.csv
printf 'x,4,2,allgather,bruck,800,9.5\nx,4,2,allgather,default,800,9.0\n' >>times.csv
gives compare_decisions compare times.csv --decisions
printf '1\n0 1 2 1\n0 4 0 0\n' >ring.conf
gives compare_decisions compare times.csv --decisions --tuned open-mpi=ring.conf
printf '# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n1  0.98\n2  1.00\n4  1.02\n8  0.99\n16  1.01\n32  0.98\n64  1.01\n128  1.03\n256  1.02\n512  1.07\n1024  1.09\n2048  1.23\n4096  1.48\n8192  1.89\n16384  3.52\n32768  4.88\n65536  7.96\n131072  14.19\n262144  25.57\n524288  50.16\n1048576  95.38\n' >pairs.log
gives fit fit pairs.log -p 2 --save pairs.yaml
gives switch_fitted switch allreduce -p 4 --models pairs.yaml --machine pairs --vary fitted
gives fit fit pairs.log -p 2 --holdout size --pieces 1
gives fit fit times.csv -p 8 --free startup --holdout algorithm
printf 'machine: loops\nstartup: 1 us\nbandwidth: 1 GB/s\ngap: 500 ns\nprotocols: [{name: eager, up-to: 1KiB}, {name: rendezvous, startup: 2 us, waits: yes}]\n' >loops.yaml
for name in scatter/open-mpi-linear allgather/ring allgather/recursive-doubling; do
    collcost cost $name -p 8 --models loops.yaml --machine loops -m 8..256KiB -o csv
done | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; print "collective,algorithm,p,bytes,time_s" }
    $1 != "collective" { print $1 "," $place["algorithm"] ",8," $place["m_bytes"] "," $place["total_s"] }' >loops.csv
gives fit fit loops.csv -p 8
gives judge judge '(p-1)(ts + m tw)' allgather/ring -p 8
gives judge judge '(p-1) alpha + (p-1)/p m/B' allgather/ring -p 8
gives judge judge 'ceil(log2(p)) (ts + m/2 tw)' alltoall/bruck
gives judge judge 'log2(p) (ts + m tw)' broadcast/binomial
gives judge judge 'T \approx log2(p) ts + p m tw' allgather/recursive-doubling
gives judge judge 'm tw = (p-1) m tw' allgather/ring -p 8
gives judge judge 'ceil(log2(p)) ts' bound/reduce --ports 1
gives judge_sides judge '(p-1) m tw' allgather/ring -p 2..4 --explain
gives judge_fits judge '(p-1) (ts + m tw)' allgather -p 8
gives propose propose allgather/ring -t ring -p 2..12
gives trace trace reduce/pipelined-chain -p 4 -m 1KiB --set k=3
gives together cost broadcast/pipelined-chain -t full:4 -m 1MiB --with 'alltoall of 1KiB' --with broadcast/multinomial
gives together cost broadcast/chains -t full:4 -m 1MiB --with broadcast/multinomial
gives trace trace gather/binomial -t linear:5 -m 1KiB --contention shared
gives trace trace gather/binomial -t linear:5
gives trace trace gather/binomial -p 1
gives trace trace matmul/cannon -p 4 -n 5
gives problem_cost cost matmul -p 4,16 -n 5,8
gives scale scale matmul -p 1,4,65536 -n 5,1024 --among cannon
gives scale scale matvec/striped -p 1,4,16,64 --efficiency 0.5
gives problem_switch switch matmul -p 4,16 -n 1..64
gives problem_switch_ranks switch matmul -p 4,9,16 -n 64
gives diff diff allreduce -t full:16 --machine sg2260,lumi
gives partition partition rows -n 5 -p 2
gives eval eval '1 us + 64 kB * tw'
gives eval eval '1 < 2'
gives list list
gives literature literature
gives errata errata S1

# Quotes, backslashes and control characters in a text do no harm.
cat >quoted.yaml <<'END'
machine: quoted
summary: "say \"yes\", \\ and \t"
startup: 1 us
bandwidth: 1 GB/s
END
gives list list machines --models quoted.yaml

# A wrong algorithm, and a line that is wrong.
cat >wrong.yaml <<'END'
algorithm: wrong
collective: gather
schedule: []
END
gives verify verify wrong.yaml
gives verify_proofs verify --all-p alltoall/bruck-listing
printf 'expect 1 == 2\ncost nothing\n' >lines
gives batch batch lines
gives list_for list allgather --for open-mpi
gives explain_choice explain bcast --for open-mpi -m 1KiB -p 64
gives explain_choice explain bcast --for open-mpi -m 1MiB -p 6
gives explain_choice explain allreduce --for nccl -t star:8 --machine $machines/gpu-node-protocols.yaml -m 1MiB

# Where the machine does not fit the network, each table of times says why.
gives cost cost allreduce/ring -t full:64 -m 1MiB --machine h100-ndr
grep -q '"misfit": "full:64 has no level' out
result $? "a machine that does not fit"

# What a machine has is told in SI units.
collcost explain allreduce/ring swing -t torus:4x4 -m 64KiB --set bandwidth=64GB/s -o json >out
grep -q '"parameter": "bandwidth", "unit": "B/s", "value": 64000000000, ' out &&
    grep -q '"parameters": \["bandwidth=64000000000B/s"\], "assumed": \["startup"\]' out
result $? "64 GB/s are 64000000000 B/s"

sort -u seen >shown
awk -F'"' '
    /^    "[a-z_]*": \{$/ { table = $2 }
    /"(type|\$ref)":.*"description":/ && $2 != "misfit" { print table "." $2 }
' "$schema" | sort -u >keys
comm -23 keys shown >missing
test -s keys && test ! -s missing
result $? "each key has a value in one of these answers"
comment missing

# refused WHAT SED: an answer that is changed so is none.
collcost cost reduce/binomial -p 8 -m 1MiB -o json >answer
refused() {
    sed "$2" answer >changed
    cmp -s answer changed
    test $? -eq 1 && ! "$tests/check-json" "$schema" cost changed >out 2>&1
    result $? "refused: $1"
}
refused 'a key less' 's/"total_s": [^,]*, //'
refused 'a key more' 's/"total_s": /"total": 1, &/'
refused 'a key twice' 's/"total_s": [^,]*, /&&/'
refused 'a text for a number' 's/\("total_s": \)\([^,]*\)/\1"\2"/'
refused 'null where a value must be' 's/\("total_s": \)[^,]*/\1null/'
refused 'a part of a round' 's/\("rounds": \)3/\13.5/'
refused 'a list of numbers' 's/\("assumed": \)\[[^]]*\]/\1[1]/'
refused 'no number' 's/\("total_s": \)[^,]*/\1NaN/'
refused 'an object for an array' 's/^\[$//; s/^\]$//'
plan

#!/bin/sh
# How command lines go on: what the program says, and what bash makes of it.
set -u
. "$(dirname "$0")/sandbox.sh"

# goes_on LINE WORD...: the words that can end the line are these.
goes_on() {
    line=$1
    shift
    collcost --complete "$line" >"$work/words" 2>&1
    test $# -eq 0 || printf '%s\n' "$@" >"$work/expected"
    test $# -gt 0 || : >"$work/expected"
    cmp -s "$work/expected" "$work/words"
    result $? "'$line' goes on with ${*:-nothing}"
    cmp -s "$work/words" - </dev/null || test $# -gt 0 || comment "$work/words"
}

goes_on 'collcost ver' verify
goes_on 'collcost cost allr' allreduce
goes_on 'collcost cost allreduce/ri' allreduce/ring
goes_on 'collcost verify point-to-point/' point-to-point/direct
goes_on 'collcost scale matv' matvec
goes_on 'collcost cost reduce --switching s' sf sf-startups
goes_on 'collcost cost reduce --machine=sg' sg2260
goes_on 'collcost cost reduce -t tor' torus
goes_on 'collcost cost reduce --among pipelined-chain,pipelined-b' pipelined-binary-tree
goes_on 'collcost bound reduce --cert' --certificate
goes_on 'collcost batch gate -o j' json junit
goes_on 'collcost show ring -o ' text latex
goes_on 'collcost list m' matmul matvec multinode-broadcast multinode-accumulation machines
goes_on 'collcost list allr' allreduce
goes_on 'collcost cost bc' bcast
goes_on 'collcost cost bcast/bin' bcast/binomial
goes_on 'collcost cost MPI_Bcast --among scatter-r' scatter-ring-allgather
goes_on 'collcost eval "time(allreduce/ri' allreduce/ring
goes_on 'collcost eval 2*popc' popcount
goes_on 'collcost eval "flog2(ro' root rounds
goes_on 'collcost expect 2^clo' clog2
goes_on 'collcost switch reduce --vary bandw' bandwidth
goes_on 'collcost errata S' S0 S1 S2 S3 S4
goes_on 'collcost switch reduce --vary fi' fitted
goes_on 'collcost explain allreduce/ring two-way-r' two-way-ring
goes_on 'collcost cost reduce --axis ' time ratio busbw speedup slowdown
goes_on 'collcost scale matmul --axis ' speedup efficiency time
goes_on "collcost cost 'allreduce: ri" ring
goes_on "collcost cost 'allreduce: reduce-scatter/ri" reduce-scatter/ring
goes_on 'collcost cost matm' matmul
goes_on 'collcost scale m' matmul matvec
goes_on 'collcost partition ' rows columns checkerboard
goes_on 'collcost export allreduce/ring --format ' csv dot msccl goal
goes_on 'collcost cost reduce --limit mem' memory
goes_on 'collcost fit a.log --holdout ' algorithm size log
goes_on 'collcost cost reduce --weights "when(t < 2, cl' clog2
goes_on 'collcost help lower' 'lower bounds'
goes_on 'set combi' combining
goes_on 'set combining = o' overlap
goes_on 'show con' context
goes_on 'help lower' 'lower bounds'

# Dimensions of the network, and how a stage of a typed algorithm goes on.
goes_on 'collcost cost allreduce -t cluster:4x8 --along ' device node
goes_on 'collcost cost allreduce -t cluster:4x8,8x8 --along device,n' node
goes_on "collcost cost allreduce --topology='cluster:4x8' --along d" device
goes_on 'collcost cost allreduce -t dragonfly --along ' group router host
goes_on 'collcost cost allreduce --along '
goes_on 'collcost cost allreduce -t nonsense:4 --along '
goes_on "collcost cost 'allreduce: pip" pipelined
goes_on "collcost cost 'allreduce: ring, du" dual
goes_on "collcost cost 'allreduce: ring al" along
goes_on "collcost trace 'allreduce: reduce-scatter/ring " along channels renumber
goes_on "collcost verify 'allreduce: dual ring " along channels renumber
goes_on "collcost cost -t torus:2x2x2 'allreduce: ring along " every x y z
goes_on "collcost cost -t torus:2x2 'allreduce: ring along x, bine along " every x y
goes_on "collcost cost -t torus:2x2 'allreduce: ring along x then " x y
goes_on "collcost cost 'allreduce: ring along x " 'then' channels renumber
goes_on "collcost cost 'allreduce: ring along every " dimension level
goes_on "collcost cost 'allreduce: ring along every level " backwards channels renumber
goes_on "collcost cost 'allreduce: ring along every level backwards " channels renumber
goes_on "collcost cost 'allreduce: ring channels max(2, 3) " renumber
goes_on "collcost cost 'allreduce {row: 3, column: p div 3}: ring along " every row column
goes_on "collcost cost 'allreduce: ring along every level x "
goes_on 'collcost cost allreduce --with allt' alltoall
goes_on 'collcost cost allreduce --with scatter/bino' scatter/binomial
goes_on "collcost cost allreduce --with 'alltoall " along members of
goes_on "collcost cost allreduce -t cluster:4x8 --with 'alltoall along " device node
goes_on "collcost cost allreduce --with 'alltoall along node of 1MiB m" members
goes_on "collcost cost allreduce --with 'alltoall of "

# A shell's line is a command, not a statement or a formula, and takes no more operands than it says.
goes_on 'collcost se' search
goes_on 'rese' reset
goes_on 'collcost tim'
goes_on 'collcost set m'
goes_on 'collcost -' --help --version
goes_on 'collcost cost reduce -m '
goes_on 'collcost eval numb'
goes_on 'collcost bound reduce/bin'
goes_on 'collcost scale allr'
goes_on 'collcost bound reduce --mac' --machine
collcost --complete 'collcost bound reduce -t full:8 ' >"$work/words"
test -s "$work/words" && ! grep -qv '^--' "$work/words"
result $? "behind the last operand there are options"

# Files, where no word fits.
goes_on 'collcost fit ' '*'
goes_on 'collcost cost reduce --models ' '*'
goes_on 'collcost fit times.csv --save ' '*'
goes_on 'collcost verify relay.y' '*'

collcost --complete 'collcost ' >"$work/words"
status=0
collcost --help | sed -n 's/^  \([a-z]*\) .*/\1/p' >"$work/commands"
while IFS= read -r command; do
    grep -qx "$command" "$work/words" || status=1
done <"$work/commands"
test -s "$work/commands" || status=1
result $status "every command is offered"

for command in $(cat "$work/commands"); do
    collcost "$command" --help=all | sed -n 's/^  [- ][a-z ][, ] --\([a-z-]*\).*/--\1/p' | sort >"$work/options"
    collcost --complete "collcost $command --" | sort >"$work/words"
    cmp -s "$work/options" "$work/words"
    result $? "every option of $command is offered"
done

if command -v bash >/dev/null; then
    bash -c '. "$1"
        COMP_LINE="collcost cost allreduce/ri" COMP_POINT=${#COMP_LINE}
        COMP_WORDS=(collcost cost allreduce/ri) COMP_CWORD=2
        _collcost; echo "${COMPREPLY[*]}"' bash "$srcdir/completion/collcost" >"$work/words" 2>"$work/err"
    test "$(cat "$work/words")" = allreduce/ring
    result $? "bash completes"
    comment "$work/err"
    bash -c '. "$1"
        go_on() {
            COMP_LINE=$1 COMP_POINT=${#1}
            _collcost collcost "$2"
            echo "${COMPREPLY[*]}"
        }
        go_on "collcost cost \"allreduce: ring al" "\"allreduce: ring al"
        go_on "collcost cost allreduce --among ring,segmented-r" ring,segmented-r' bash "$srcdir/completion/collcost" >"$work/words" 2>"$work/err"
    printf '%s\n' 'allreduce: ring along' 'ring,segmented-ring' | cmp -s - "$work/words"
    result $? "bash keeps what stands before a word in quotes or of a list"
    comment "$work/err"
    bash -c '. "$1"
        compopt() { echo "files: $*"; }
        for line in "collcost fit t" "collcost cost reduce -m "; do
            COMP_LINE=$line COMP_POINT=${#COMP_LINE}
            COMP_WORDS=($line) COMP_CWORD=2
            _collcost
            echo "${#COMPREPLY[@]}"
        done' bash "$srcdir/completion/collcost" >"$work/words" 2>"$work/err"
    test "$(tr '\n' ' ' <"$work/words")" = 'files: -o default 0 0 '
    result $? "bash offers files where the command takes one"
    comment "$work/err"
fi

if command -v fish >/dev/null; then
    printf 'source %s\n' "$srcdir/completion/collcost.fish" >"$work/ask.fish"
    cat >>"$work/ask.fish" <<'end'
complete -C 'collcost cost allreduce/ri'
complete -C 'collcost cost allreduce --among ring,segmented-r'
complete -C 'collcost cost reduce --machine=sg'
complete -C 'collcost bound reduce --cert'
end
    fish "$work/ask.fish" >"$work/words" 2>"$work/err"
    printf '%s\n' allreduce/ring ring,segmented-ring --machine=sg2260 --certificate | cmp -s - "$work/words"
    result $? "fish completes"
    comment "$work/err"
fi

plan

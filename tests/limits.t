#!/bin/sh
# What is too large is refused, soon and in little memory, with status 2: each limit of src/base/limits.def
# at its edge, where one less is accepted; and files and command lines that once took minutes, gigabytes or
# the stack. doc/LIMITS.md has the same table; BLESS=1 writes it anew.
set -u
. "$(dirname "$0")/sandbox.sh"
write_limits=$PWD/tests/write-limits
program=$PWD/collcost
# Sanitizers and valgrind take memory and time of their own.
if nm "$program" 2>/dev/null | grep -Eq '__asan|__ubsan|__tsan|__gcov' || test -n "${COLLCOST_RUN-}"; then
    most=unlimited
else
    most=350000 # KiB of address space, of which some 60,000 are not used
fi
ASAN_OPTIONS=exitcode=99
UBSAN_OPTIONS=halt_on_error=1:exitcode=99
export ASAN_OPTIONS UBSAN_OPTIONS
cd "$work" || exit 1

"$write_limits" >table
"$write_limits" list >list
test -s table && test -s list
result $? "tests/write-limits"
document=$srcdir/doc/LIMITS.md
awk '/^\|/ { if (!done) while ((getline line <"table") > 0) print line; done = 1; next } { print }
     END { if (!done) while ((getline line <"table") > 0) print line }' "$document" >document
test -z "${BLESS-}" || cmp -s document "$document" || cp document "$document"
cmp -s document "$document"
result $? "doc/LIMITS.md is current"
diff "$document" document | comment

# limited COMMAND...: within a minute, and in little memory; leaves its status, out and err.
limited() {
    (
        ulimit -v $most
        ulimit -t 60
        "$@"
    ) >out 2>err </dev/null
    status=$?
}

# refused WORDS NAME COMMAND...: with status 2 and these words.
refused() {
    words=$1 name=$2
    shift 2
    limited "$@"
    test $status -eq 2 && grep -Fq -e "$words" err
    result $? "$name"
    test $status -eq 2 && grep -Fq -e "$words" err || { echo "status $status"; head -n 4 err; } | cut -c 1-200 | comment
}

# accepted WORDS NAME COMMAND...: without these words, whatever else it says.
accepted() {
    words=$1 name=$2
    shift 2
    limited "$@"
    test $status -le 2 && ! grep -Fq -e "$words" err
    result $? "$name"
    test $status -le 2 && ! grep -Fq -e "$words" err || { echo "status $status"; head -n 4 err; } | cut -c 1-200 | comment
}

# repeat N FORMAT: N times, with 0, 1, ... in the place of %d, without line ends between them.
repeat() { awk -v n="$1" -v format="$2" 'BEGIN { for (i = 0; i < n; i++) printf format, i }'; }

# fill N: as many bytes of a comment.
fill() { awk -v n="$1" 'BEGIN { text = "#"; while (length(text) < n) text = text text; printf "%s", substr(text, 1, n) }'; }

# model NAME BODY: one of broadcast.
model() { printf -- '---\nalgorithm: %s\ncollective: broadcast\nsummary: a test\n%s\n' "$1" "$2"; }

# make_X N: what has N of X; try_X runs it, the words of the refusal before it.
try_file() { "$@" collcost list machines --models tried; }
make_FILE_BYTES() { printf 'machine: tried\nstartup: 1 us\nbandwidth: 1 GB/s\n' >tried && fill $(($1 - 47)) >>tried; }
try_FILE_BYTES() { try_file "$@"; }
make_NODES() { { printf 'x: [0' && repeat $(($1 - 4)) ',1' && echo ']'; } >tried; }
try_NODES() { try_file "$@"; }
make_DEPTH() { { repeat "$1" '[' && printf 1 && repeat "$1" ']'; } >tried; }
try_DEPTH() { try_file "$@"; }
make_KEYS() { repeat "$1" 'k%d: 1\n' >tried; }
try_KEYS() { try_file "$@"; }
make_MODELS() {
    built_in=$(find "$srcdir/models" -name '*.yaml' ! -name proofs.yaml | wc -l)
    repeat $(($1 - built_in)) '---\nmachine: m%d\nstartup: 1 us\nbandwidth: 1 GB/s\n' >tried
}
try_MODELS() { try_file "$@"; }
make_FOLDER_ENTRIES() { fresh tried && (cd tried && repeat "$1" 'file%d\n' | xargs touch); }
try_FOLDER_ENTRIES() { try_file "$@"; }
make_FOLDER_DEPTH() { fresh tried && mkdir -p "tried/$(repeat $(($1 - 1)) '/f')"; }
try_FOLDER_DEPTH() { try_file "$@"; }
make_CHAIN() {
    model a0 'sequence: binomial' >tried
    i=1
    while test $i -lt "$1"; do
        model a$i "sequence: a$((i - 1))"
        i=$((i + 1))
    done >>tried
}
try_CHAIN() { "$@" collcost cost broadcast/a1 -p 4 --models tried; }
make_USES() { model tried "sequence: [binomial$(repeat $(($1 - 1)) ', binomial')]" >tried; }
try_USES() { try_file "$@"; }
make_DIMENSIONS() { repeat "$1" 'x1' | sed 's/^x/torus:/' >tried; }
try_DIMENSIONS() { "$@" collcost show "$(cat tried)"; }
make_LEVELS() {
    {
        printf 'topology: tried\nlevels: [l0' && repeat $(($1 - 1)) ', m%d'
        printf ']\nlinks: [{from: r, to: (r + 1) mod p, level: l0, if: p > 1}]\nrouting: shortest\n'
    } >tried
}
try_LEVELS() { "$@" collcost show tried:4 --models tried; }
# 16 in each list; a list has two or more.
make_PROTOCOLS() {
    awk -v n="$1" 'BEGIN {
        print "machine: tried\nlevels:"
        for (list = 0; n > 0; list++) {
            count = n == 17 ? 15 : n < 16 ? n : 16
            n -= count
            printf "  level%d:\n    protocols:\n", list
            for (i = 1; i <= count; i++)
                printf "      - {name: P%d%s, startup: 1 us, bandwidth: 1 GB/s}\n", i, i < count ? ", up-to: " i " kB" : ""
        }
        print "startup: 1 us\nbandwidth: 1 GB/s" }' >tried
}
try_PROTOCOLS() { try_file "$@"; }
make_ARRAYS() { model tried "arrays: [$(repeat "$1" 'a%d, ')]
schedule: [{send: 0, to: 0}]" >tried; }
try_ARRAYS() { try_file "$@"; }
make_CHANNELS() { echo "$1" >tried; }
try_CHANNELS() { "$@" collcost verify "allgather: ring channels $(cat tried)" -p 4; }
make_SEGMENTS() { echo "$(($1 + 1))" >tried; }
try_SEGMENTS() {
    "$@" collcost switch broadcast --among pipelined-chain,binomial -p 4 -m "1..$(cat tried)" --set segment=1B
}
make_JUDGED_RANKS() { echo "$1" >tried; }
try_JUDGED_RANKS() { "$@" collcost judge 'ceil(log p) ts' barrier/dissemination -p "$(cat tried)"; }
make_BATCH_BYTES() { fill "$1" >tried; }
try_BATCH_BYTES() { "$@" collcost batch tried; }
make_LOG_BYTES() { fill "$1" >tried; }
try_LOG_BYTES() { "$@" collcost compare tried; }
make_MEASUREMENTS() {
    printf '# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n' >tried
    repeat "$1" '%d 1.00\n' >>tried
}
try_MEASUREMENTS() { "$@" collcost compare tried -o csv; }
make_EXPRESSION_DEPTH() { { repeat $1 '(' && printf 1 && repeat $1 ')'; } >tried; }
try_EXPRESSION_DEPTH() { "$@" collcost eval "$(cat tried)"; }
make_EXPRESSION_NODES() { { printf 1 && repeat "$1" '+1'; } >tried; }
try_EXPRESSION_NODES() { "$@" collcost eval "$(cat tried)"; }
make_NAMES() { { repeat $(($1 - 6)) 'sum(i%d,0,0,' && printf 1 && repeat $(($1 - 6)) ')'; } >tried; }
try_NAMES() { "$@" collcost eval "$(cat tried)"; }
make_LETS() { { repeat "$1" 'let v%d = 1\n' && echo 'eval v0'; } >tried; }
try_LETS() { "$@" collcost batch tried; }
make_TERMS() { echo "sum(i, 1, $1, 1)" >tried; }
try_TERMS() { "$@" collcost eval "$(cat tried)"; }
make_ITEMS() {
    printf 'topology: many\nlinks:\n  - {from: 0, to: 1, if: i == 0, for: i in 1 .. %d}\nrouting: shortest\n' "$1" >tried
}
try_ITEMS() { "$@" collcost show many:2 --models tried; }
make_LINKS() {
    {
        printf 'topology: many\nlinks:\n'
        printf '  - {from: r, to: (r + i) mod p, for: i in 1 .. %d}\n' $(($1 / 4096))
        test $(($1 % 4096)) -eq 0 || printf '  - {from: 0, to: p - 1}\n'
        echo 'routing: shortest'
    } >tried
}
try_LINKS() { "$@" collcost show many:4096 --models tried; }
make_CONTRACT_RANKS() { echo "$1" >tried; }
try_CONTRACT_RANKS() { "$@" collcost bound reduce -p "$(cat tried)" -m 1KiB; }
make_PROPOSED_RANKS() { echo "$1" >tried; }
try_PROPOSED_RANKS() { "$@" collcost propose broadcast/chain -p "$(cat tried)"; }
# In rounds in which every rank sends, and one in which some do.
make_TRAFFIC_MESSAGES() {
    printf 'algorithm: tried\ncollective: allgather\nsummary: a test\nschedule:\n  - repeat: t in 1 .. %d\n    steps:\n' \
        $(($1 / 2048)) >tried
    printf '      - send: r\n        to: (r + 1) mod p\n  - send: r\n    to: (r + 1) mod p\n    if: r < %d\n' $(($1 % 2048)) >>tried
}
try_TRAFFIC_MESSAGES() { "$@" collcost cost allgather/tried -p 2048 -m 1kB --traffic --models tried; }
# As many ranks as have so many links to one another, or more.
make_TRAFFIC_LINKS() { awk -v n="$1" 'BEGIN { p = 1; while (p * p < n) p++; print p }' >tried; }
try_TRAFFIC_LINKS() { "$@" collcost cost broadcast/binomial -p "$(cat tried)" -m 1kB --traffic; }
# What is said of the size comes behind what is said of ranks.
make_RANGE() { echo "1..$1" >tried; }
try_RANGE() { "$@" collcost cost broadcast/binomial -p "$(cat tried)" -m none; }
make_MEMBERS_LINKS() {
    printf 'topology: tried\nlinks: [{from: r, to: (r + 1) mod p}]\nrouting: shortest\n' >tried
    echo "tried:$1" >network
}
try_MEMBERS_LINKS() { "$@" collcost synthesize broadcast -t "$(cat network)" --members 0,1 -m 1kB --models tried; }
make_PATHS_RANKS() { echo "full:$1" >tried; }
try_PATHS_RANKS() { "$@" collcost synthesize broadcast -t "$(cat tried)" -m 1kB --objective latency; }
make_SHARED_ALLTOALL() { echo "star:$1" >tried; }
try_SHARED_ALLTOALL() { "$@" collcost synthesize alltoall -t "$(cat tried)" -m 1kB; }
# On a full network so many have too many links.
make_ROOTS() { echo "full:$1" >tried; }
try_ROOTS() { "$@" collcost synthesize allgather -t "$(cat tried)" -m 1kB; }
make_ROWS() { echo "$1" >tried; }
try_ROWS() { "$@" collcost partition rows -n 4 -p "$(cat tried)" -o csv; }

most_of_all=$most
while read -r id limit words; do
    case $id in
    MEMORY) continue ;; # tests/unit/workspace_test.c, and below
    RANKS) continue ;;  # tests/unit/net_test.c, and below
    ITEMS | LINKS) most=unlimited ;; # as much as may be is half a gigabyte
    *) most=$most_of_all ;;
    esac
    rm -rf tried
    make_"$id" "$limit"
    try_"$id" accepted "$words" "$id: $limit"
    rm -rf tried
    make_"$id" $((limit + 1))
    try_"$id" refused "$words" "$id: one more than $limit"
done <list
most=$most_of_all
accepted 'of memory' 'memory within --limit' collcost cost reduce -p 64 -m 1KiB --limit memory=100MiB
refused 'this takes more than 2 MiB of memory' 'memory beyond --limit' \
    collcost cost reduce -p 64 -m 1KiB --limit memory=2MiB
printf 'cost reduce -p 64 -m 1KiB --limit memory=2MiB\ncost reduce -p 4 -m 1\n' >lines
refused 'lines:1:1: error: this takes more than 2 MiB of memory' 'a line beyond --limit' collcost batch lines
grep -q '^reduce on full:4' out
result $? "the limit of a line is not that of the next one"
refused 'expected memory=SIZE' '--limit of something else' collcost list --limit time=4
refused 'a limit is between' '--limit of nothing' collcost list --limit memory=0
refused 'too many rows' 'a trace of more than a million messages' collcost trace alltoall/pairwise -p 1100 -o csv

### What once crashed, or took too long

repeat 5000 'let v%d = 1\n' >lets
echo 'eval v0 + sum(i, 0, 3, i)' >>lets
refused 'too many names' '5,000 names of let' collcost batch lets

# chain N TEXT: algorithms each of which is made from the one before it, as TEXT says.
chain() {
    model a0 'sequence: binomial'
    awk -v n="$1" -v text="$2" 'BEGIN {
        for (i = 1; i < n; i++)
            printf "---\nalgorithm: a%d\ncollective: broadcast\nsummary: a test\n" text "\n", i, i - 1 }'
}
chain 3000 'sequence: a%d' >chain.yaml
refused 'too deeply' 'a chain of 3,000 by sequence' collcost cost broadcast/a2999 -p 8 --models chain.yaml
refused 'too deeply' 'a chain of 3,000 by sequence, verified' collcost verify chain.yaml -p 4
chain 3000 'schedule:\n  - use: a%d' >chain.yaml
refused 'too deeply' 'a chain of 3,000 by use' collcost cost broadcast/a2999 -p 8 --models chain.yaml
awk 'BEGIN { for (i = 3000; i > 0; i--)
    printf "---\nalgorithm: a%d\ncollective: broadcast\nsummary: a test\nsequence: %s\n", i, (i > 1 ? "a" (i - 1) : "binomial") }' >chain.yaml
refused 'too deeply' 'a chain of 3,000, the last first' collcost cost broadcast/a3000 -p 8 --models chain.yaml
# duals N: reduce, broadcast, reduce, ... from one another.
duals() {
    awk -v n="$1" 'BEGIN {
        other = "broadcast/binomial"
        for (i = 0; i < n; i++) {
            own = i % 2 ? "broadcast" : "reduce"
            printf "---\nalgorithm: a%d\ncollective: %s\nsummary: a test\ndual: %s\n", i, own, other
            other = own "/a" i
        }
    }'
}
duals 10000 >chain.yaml
refused 'too deeply' 'a chain of 10,000 duals' collcost cost broadcast/a9999 -p 8 --models chain.yaml
duals 40000 >chain.yaml
refused 'too many models' 'a chain of 40,000 duals' collcost cost broadcast/a9999 -p 8 --models chain.yaml
{ model a0 'sequence: binomial' && awk 'BEGIN { for (i = 1; i < 30; i++)
    printf "---\nalgorithm: a%d\ncollective: broadcast\nsummary: a test\nsequence: [a%d, a%d]\n", i, i - 1, i - 1 }'; } >chain.yaml
refused 'too often' 'twice the one before, 30 times' collcost cost broadcast/a29 -p 8 --models chain.yaml

{ printf 'x: [0' && repeat 999999 ',1' && echo ']'; } >line.yaml
refused 'a model begins with' '2 MB on one line' collcost list --models line.yaml
{ printf 'x: [0' && repeat 300000 ',\303\251' && echo ']'; } >line.yaml
refused 'a model begins with' '900 kB on one line, not ASCII' collcost list --models line.yaml
repeat 100000 '---\nmachine: m%d\nstartup: 1 us\nbandwidth: 1 GB/s\n' >machines.yaml
refused 'too many models' '100,000 machines' collcost list --models machines.yaml

refused 'too many rows' 'partition on 10^12 ranks' collcost partition rows -n 100 -p 1000000000000
refused 'too many rows' 'a checkerboard of a large prime' collcost partition checkerboard -n 100 -p 9007199254740881
refused 'are too many' 'one rank more than are laid out' collcost show star:4194304
accepted error 'reduce on 10,000,000 ranks' collcost cost reduce -p 10000000 -m 1KiB
accepted error 'bounds of a scan on 16,384 ranks that post together' \
    collcost bound scan -p 16384 -m 1KiB --posting together --set gap=1us
refused 'at most' 'propose on 3,000,000 ranks' collcost propose broadcast/chain -p 3000000
refused 'at most 2^53' '1,048,576 numbers of ranks, the largest first' \
    collcost cost broadcast/binomial -p 1048576,1..1048575 -m 1e30

printf 'topology: dense\nlinks:\n  - {from: r, to: j, for: j in 0 .. p - 1, if: j != r}\nrouting: shortest\n' >dense.yaml
refused 'too many links' '4,096 nodes, all of them linked' collcost show dense:4096 --models dense.yaml
accepted error '1,024 nodes, all of them linked' collcost cost broadcast/binomial -t dense:1024 -m 1KiB --models dense.yaml

fresh pipes
mkfifo pipes/x.yaml
refused 'not a regular file' 'a FIFO in a folder of models' collcost list --models pipes
rm pipes/x.yaml
ln -s /dev/zero pipes/x.yaml
refused 'not a regular file' 'a device in a folder of models' collcost list --models pipes
fresh links
printf 'machine: here\nstartup: 1 us\nbandwidth: 1 GB/s\n' >links/x.yaml
for name in a b c d; do
    ln -s . links/$name
    mkdir links/f$name
    ln -s .. links/f$name/up
done
accepted error 'links that go round' collcost show here --models links
# Whoever may not read all of it is told what cannot be read: one of two lines.
refused 'too many files
cannot read the folder' 'the root of the file system' collcost list --models /

refused 'too many terms' 'a sum without end' collcost eval 'sum(i, 1, 8^20, i)'
refused 'too many terms' 'a sum of long terms' collcost eval "sum(i, 1, 4000000, i$(yes '+ i mod 7' | head -n 1000 | tr '\\n' ' '))"
refused 'too many terms' 'sums inside of sums' collcost eval 'sum(i, 1, 3000, sum(j, 1, 3000, 1))'

refused 'is too long' 'logarithms of logarithms' collcost judge '\lg\lg\lg\lg\lg\lg\lg\lg\lg\lg\lg\lg\lg\lg\lg\lg p ts' allreduce/ring

### Long work

# The longest log that is read, of lines that say nothing.
yes '#' | head -n 33000000 >long.log
COLLCOST_PROGRESS='' collcost compare long.log >out 2>err &
reading=$!
seconds=0
until grep -Eq '^collcost: lines of a log, [0-9]+ of 33000001, [0-9]+ s$' err || test $seconds -ge 30 || ! kill -0 $reading 2>/dev/null; do
    sleep 1
    seconds=$((seconds + 1))
done
kill $reading 2>/dev/null
wait $reading 2>/dev/null
grep -q 'lines of a log' err || test $seconds -lt 2
result $? "reading for more than two seconds is told"
comment err
rm long.log

COLLCOST_PROGRESS='' collcost cost allreduce -p 1..1000 -m 1MiB >out 2>err &
told=$!
collcost cost allreduce -p 1..1000 -m 1MiB >out.silent 2>err.silent &
silent=$!
seconds=0
until grep -Eq '^collcost: .*, [0-9]+ of [0-9]+, [2-9] s$' err || test $seconds -ge 30; do
    sleep 1
    seconds=$((seconds + 1))
done
kill $told $silent
wait $told $silent 2>/dev/null
grep -Eq '^collcost: .*, [0-9]+ of [0-9]+, [2-9] s$' err
result $? "work of more than two seconds is told where there is no terminal"
comment err
test ! -s err.silent
result $? "COLLCOST_PROGRESS=no says nothing"

plan

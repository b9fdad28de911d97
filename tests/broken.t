#!/bin/sh
# Copies of every algorithm with a broken schedule must be rejected by `collcost verify`, with a message
# that leads to the fault. The lists in tests/broken hold the changes. One batch verifies all copies.
set -u
. "$(dirname "$0")/sandbox.sh"
models=$srcdir/models/algorithms
if ! cd "$models" 2>/dev/null; then
    plan "no algorithms"
    exit
fi
algorithms=$(find . -name '*.yaml' | sed 's,^\./,,; s,\.yaml$,,' | sort)
fresh broken
cd "$work/broken" || exit 1
for algorithm in $algorithms; do
    sed -n "s,^dual: ,$algorithm ,p" "$models/$algorithm.yaml"
done >duals

# Copy N is base-N.yaml, changed from original-N.yaml, or dual-N.yaml, the dual of that. Line N of
# `copies` has the word of the list for where its fault shows, and what it is called.
copies=0
cat "$srcdir"/tests/broken/*.list | grep -v '^ *\(#\|$\)' >list
while read -r model direct dual change; do
    base=$((copies + 1)) duals=
    set -- -e "s/^algorithm: .*/algorithm: base-$base/"
    while read -r of_dual original; do
        test "$original" != "$model" || duals="$duals $of_dual"
    done <duals
    # one process writes all files of the copy and of its duals
    for name in "$model" $duals; do
        copies=$((copies + 1))
        set -- "$@" -e "w original-$copies.yaml"
    done
    set -- "$@" -e "$change"
    copies=$base
    echo "verify -p 1..9 base-$base.yaml" >>lines
    echo "$direct $model $change" >>copies
    for of_dual in $duals; do
        copies=$((copies + 1))
        set -- "$@" -e "w base-$copies.yaml"
        sed "s,^dual: .*,dual: ${model%/*}/base-$base," "$models/$of_dual.yaml" >dual-$copies.yaml
        echo "verify -p 1..9 --models base-$copies.yaml dual-$copies.yaml" >>lines
        echo "$dual $of_dual, dual of $model $change" >>copies
    done
    sed "$@" "$models/$model.yaml" >base-$base.yaml
done <list
collcost batch lines --jobs 1 >out 2>err
result $(($? != 1)) "all $copies copies are judged"

# For each copy a line: 0 where it is rejected with a message that leads to the fault, 1 where not, 2 where it
# is not changed; its number, and what the two files say of it.
awk '
    function read_file(name, lines,  n) {
        for (n = 0; (getline lines[n + 1] <name) > 0; n++);
        close(name)
        return n
    }
    # Finds the item of a list around the first change: lines first .. last. False: nothing is changed.
    function find_change(  of_original, of_base, original, base, changed, n) {
        of_original = read_file("original-" FNR ".yaml", original)
        of_base = read_file("base-" FNR ".yaml", base)
        for (changed = 1; changed <= of_base && base[changed] == original[changed]; changed++);
        if (changed > of_base && of_base == of_original) return 0
        if (of_base < of_original) changed--
        first = 1
        last = of_base
        for (n = 1; n <= of_base; n++)
            if (base[n] ~ /^ *- /) {
                if (n <= changed) first = n
                else { last = n - 1; break }
            }
        return 1
    }
    function leads(place, text, judged, base,  part) {
        if (place == "step")
            return text ~ /^[^ ]*: error: / && match(text, base ":[0-9]+:") &&
                split(substr(text, RSTART, RLENGTH), part, ":") && part[2] >= first && part[2] <= last
        if (place == "use")
            return text ~ ("^" base ":[0-9]*:[0-9]*: error: round [0-9]+, ([0-9]+ -> [0-9]+|rank [0-9]+), block .*p = [0-9]+")
        if (place == "compute")
            return text ~ ("^" judged ":[0-9]*:[0-9]*: error: after round [0-9]+, rank [0-9]+ multiplies .*p = [0-9]+")
        if (place == "end")
            return text ~ ("^" judged ":.* error: .*(rank [0-9]+ .*block [^ ]+|block [^ ]+ .*rank [0-9]+).*p = [0-9]+")
        return place == "claims" && passed[FNR] > 0 && text ~ /this claim is recorded to hold/
    }
    FILENAME == "err" {
        if (match($0, /(base|dual)-[0-9]+\.yaml/)) {
            copy = substr($0, RSTART + 5, RLENGTH - 10)
            message[copy, ++messages[copy]] = $0
        }
        next
    }
    FILENAME == "out" {
        if (/^passed /) passed_in_order[++judged_lines] = $2 + 0
        if (/^  lines:[0-9]+: /) { split($0, part, ":"); rejected[part[2]] = 1; wrong[part[2]] = /this line is wrong$/ }
        next
    }
    FNR == 1 {
        while ((getline text <"lines") > 0) { lines++; if (!wrong[lines]) passed[lines] = passed_in_order[++told] }
    }
    {
        judged = (/^[^ ]* [^ ]*, dual of / ? "dual-" : "base-") FNR ".yaml"
        status = !find_change() ? 2 : 1
        for (n = 1; status == 1 && rejected[FNR] && n <= messages[FNR]; n++)
            if (leads($1, message[FNR, n], judged, "base-" FNR ".yaml")) status = 0
        print status, FNR, $0
    }
' err out copies >answers

rejected=0
while read -r status number place name; do
    case $status in
    2) result 1 "$name was changed" ;;
    *) result "$status" "$name is rejected: $place" ;;
    esac
    rejected=$((rejected + (status == 0)))
    if test "$status" -ne 0; then
        grep -A 2 -e "-$number\.yaml:" err | comment
        diff "original-$number.yaml" "base-$number.yaml" | comment
    fi
done <answers

echo "# $rejected broken copies were rejected"
plan

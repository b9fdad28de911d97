#!/bin/sh
# Copies of every algorithm with a broken schedule must be rejected by `collcost verify`, with a message
# that leads to the fault. The lists in tests/broken hold the changes.
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
rejected=0

# verify FILE...: the last file is judged; the others are there for it.
verify() {
    options=
    while test $# -gt 1; do
        options="$options --models $1"
        shift
    done
    # shellcheck disable=SC2086 # several words
    collcost verify -p 1..9 $options "$1" >out 2>err
    status=$?
}

# shows PLACE FILE ORIGINAL JUDGED: the messages on JUDGED, which is FILE or made from it, lead to
# PLACE. FILE is a changed copy of ORIGINAL: step is the item of a list around the change.
shows() {
    case $1 in
    step)
        changed=$(diff "$3" "$2" | sed -n '1s/^[0-9,]*[acd]\([0-9]*\).*/\1/p')
        awk -v changed="$changed" '
            /^ *- / { if (NR <= changed) first = NR; else if (!end) end = NR }
            END { for (n = first; n < (end ? end : NR + 1); n++) print FILENAME ":" n ":" }
        ' "$2" >places
        grep '^[^ ]*: error: ' err | grep -qFf places ;;
    use) grep -Eq "^$2:[0-9]*:[0-9]*: error: round [0-9]+, ([0-9]+ -> [0-9]+|rank [0-9]+), block .*p = [0-9]+" err ;;
    compute) grep -Eq "^$4:[0-9]*:[0-9]*: error: after round [0-9]+, rank [0-9]+ multiplies .*p = [0-9]+" err ;;
    end) grep -Eq "^$4:.* error: .*(rank [0-9]+ .*block [^ ]+|block [^ ]+ .*rank [0-9]+).*p = [0-9]+" err ;;
    claims) grep -q '^passed [1-9]' out && grep -q 'this claim is recorded to hold' err ;;
    esac
}

# judge NAME PLACE FILE ORIGINAL [DUAL]: one broken copy FILE, or its dual.
judge() {
    if cmp -s "$3" "$4"; then
        result 1 "$1 was changed"
        return
    fi
    # shellcheck disable=SC2086 # no word where there is no dual
    verify "$3" ${5-}
    last=${5-$3}
    if { test $status -eq 1 || test $status -eq 2; } && shows "$2" "$3" "$4" "$last"; then
        rejected=$((rejected + 1))
        result 0 "$1 is rejected: $2"
    else
        result 1 "$1 is rejected: $2"
        echo "status $status" | comment
        comment err
        test $status -ne 0 || diff "$4" "$3" | comment
    fi
}

duals=$(for algorithm in $algorithms; do
    sed -n "s,^dual: ,$algorithm ,p" "$models/$algorithm.yaml"
done)

cat "$srcdir"/tests/broken/*.list | grep -v '^ *\(#\|$\)' >list
while read -r model direct dual change; do
    sed "s/^algorithm: .*/algorithm: base/" "$models/$model.yaml" >original.yaml
    sed "$change" original.yaml >base.yaml
    judge "$model $change" "$direct" base.yaml original.yaml
    for of_dual in $(echo "$duals" | sed -n "s,\(.*\) $model\$,\1,p"); do
        sed "s,^dual: .*,dual: ${model%/*}/base," "$models/$of_dual.yaml" >dual.yaml
        judge "$of_dual, dual of $model $change" "$dual" base.yaml original.yaml dual.yaml
    done
done <list

echo "# $rejected broken copies were rejected"
plan

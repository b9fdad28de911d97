#!/bin/sh
# A file of the model library is named after what it defines: machines/NAME.yaml begins with
# `machine: NAME`, and so on; algorithms/WHAT/NAME.yaml defines the algorithm NAME of the collective
# or the problem WHAT.
set -u
. "$(dirname "$0")/sandbox.sh"
if ! cd "$srcdir/models" 2>/dev/null; then
    plan "no models"
    exit
fi

# has FILE KEYS VALUE: a line at the outermost level of FILE gives one of KEYS (a|b) that value.
has() {
    awk -v keys="^($2):\$" -v value="$3" '
        /^[a-z]/ && $1 ~ keys && $2 == value { found = 1 }
        END { exit !found }' "$1"
}

for file in $(find . -type f | sort); do
    file=${file#./}
    name=$(basename "$file" .yaml)
    folder=$(dirname "$file")
    case $file in
    algorithms/*/*/*) false ;;
    algorithms/*/*.yaml)
        has "$file" 'collective|problem' "${folder#algorithms/}" && has "$file" algorithm "$name" ;;
    */*/*) false ;;
    machines/*.yaml) has "$file" machine "$name" ;;
    topologies/*.yaml) has "$file" topology "$name" ;;
    collectives/*.yaml) has "$file" collective "$name" ;;
    problems/*.yaml) has "$file" problem "$name" ;;
    libraries/*.yaml) has "$file" library "$name" ;;
    sources/*.yaml) has "$file" source "$name" ;;
    proofs.yaml) continue ;; # no model, but what is proved of models
    *) false ;;
    esac
    result $? "models/$file is named after what it defines"
done

collcost list >"$work/own"
collcost list --models . | cmp - "$work/own" 2>&1
result $? "the folder in the place of the built-in models"

plan "no models"

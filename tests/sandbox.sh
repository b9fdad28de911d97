# Sourced by the tests which run collcost: a temporary folder $work, the built collcost first on
# PATH, and nothing of the user's own settings.

unset CDPATH COLLCOST_MODELS COLUMNS
srcdir=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
machines=$srcdir/tests/machines # those that only tests have
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

mkdir "$work/bin" "$work/home"
if test -n "${COLLCOST_RUN-}"; then # make valgrind
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$COLLCOST_RUN" "$PWD/collcost" >"$work/bin/collcost"
    chmod +x "$work/bin/collcost"
else
    ln -s "$PWD/collcost" "$work/bin/collcost"
fi
PATH=$work/bin:$PATH
HOME=$work/home
XDG_DATA_HOME=$work/home
LC_ALL=C
NO_COLOR=1
COLLCOST_PROGRESS=no # a busy machine must not change what is printed
export machines PATH HOME XDG_DATA_HOME LC_ALL NO_COLOR COLLCOST_PROGRESS

# What fontconfig keeps for cairo until the end is no leak of collcost's.
echo leak:libfontconfig >"$work/leaks"
LSAN_OPTIONS=suppressions=$work/leaks:print_suppressions=0
export LSAN_OPTIONS

# fresh FOLDER [FROM]: makes $work/FOLDER anew, with a writable copy of what is in FROM.
fresh() {
    rm -rf "${work:?}/$1"
    mkdir "$work/$1"
    if test -d "${2-}"; then
        cp -R "$2/." "$work/$1" && chmod -R u+w "$work/$1"
    fi
}

# mark_defaults TEST FILE...: writes the marks of golden files into FILEs, unless TEST is verbatim (see golden.t).
mark_defaults() {
    ! grep -qx verbatim "$1" || return 0
    shift
    test -e "$1" || return 0
    if test -z "${rules+known}"; then
        said=$(collcost cost reduce/binomial -t full:2 -m 1 2>/dev/null)
        rules=$(printf '%s\n' "$said" | sed -n 's/^rules: //p')
        machine=$(printf '%s\n' "$said" | sed -n 's/^machine //p')
    fi
    test -z "$rules" || test -z "$machine" || sed -i "s|$rules|@rules@|g; s|$machine|@machine@|g" "$@"
}

# result STATUS NAME: a line of TAP, ok where STATUS is 0. A bare # would begin a directive.
count=0
result() {
    count=$((count + 1))
    test "$1" -eq 0 || printf 'not '
    case $2 in
    *\#*) printf 'ok %d - %s\n' $count "$2" | sed 's/#/\\#/g' ;;
    *) printf 'ok %d - %s\n' $count "$2" ;;
    esac
}

# plan [REASON]: the last line of TAP; REASON says why there was nothing to test.
plan() {
    if test "$count" -eq 0; then
        echo "1..0 # SKIP ${1-}"
    else
        echo "1..$count"
    fi
}

# comment [FILE]: as lines that begin with #; no process for a FILE that is empty.
comment() { test $# -eq 1 && test ! -s "$1" || sed 's/^/# /' "$@"; }

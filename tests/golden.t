#!/bin/sh
# Runs command lines and compares what they print with what is expected. Run it where collcost was
# built, as `make check` does, or by hand: tests/golden.t [FILE...]. BLESS=1 rewrites the files with
# what was seen. A file *.test below tests/golden reads:
#
#   Text outside of the blocks is a comment.
#
#   file: NAME
#   ... its lines; the file is there for every following test of this *.test file
#   end file
#
#   test COMMAND LINE
#   ... expected standard output
#   stderr:
#   ... expected standard error; the line `stderr:` is absent where nothing is expected
#   status: 2
#   end test
#
# The status is 0 where it is not given. Each command is run by sh in a fresh folder. Output which
# lacks its last newline is followed by a line `no newline`, and a printed line which looks like one
# of these marks has a backslash before it.
set -u
. "$(dirname "$0")/sandbox.sh"

# The lines which mean something inside of a test.
marks='stderr:\|status: [0-9]*\|no newline\|end test'

# Prints what a command wrote to one stream, as a test file holds it.
stream() {
    sed "s/^\\\\*\\($marks\\)\$/\\\\&/" "$1"
    test -z "$(tail -c 1 "$1")" || printf '\nno newline\n'
}

run_case() {
    fresh case "$work/files"
    (cd "$work/case" && sh -c "$command") </dev/null >"$work/out" 2>"$work/err" 3>&-
    status=$?
    {
        stream "$work/out"
        if test -s "$work/err"; then
            echo "stderr:"
            stream "$work/err"
        fi
        test $status -eq 0 || echo "status: $status"
    } >"$work/seen"
    cmp -s "$work/want" "$work/seen"
    result $? "$name:$line_of_test: $command"
    diff -u "$work/want" "$work/seen" | sed 1,2d | comment
}

run_file() {
    name=${1#"$srcdir/"} number=0 state=text
    fresh files
    while IFS= read -r line; do
        number=$((number + 1))
        case $state:$line in
        text:file:\ *) state=file file=$work/files/${line#file: }
            mkdir -p "$(dirname "$file")"
            : >"$file" ;;
        text:test\ *) state=test line_of_test=$number command=${line#test }
            : >"$work/want" ;;
        test:end\ test) state=text
            run_case
            cat "$work/seen" >&3 ;;
        file:end\ file) state=text ;;
        file:*) printf '%s\n' "$line" >>"$file" ;;
        test:*) printf '%s\n' "$line" >>"$work/want"
            continue ;;
        esac
        printf '%s\n' "$line" >&3
    done <"$1" 3>"$work/blessed"
    if test $state != text; then
        result 1 "$name: the last $state has no 'end $state'"
    elif test -n "${BLESS-}" && ! cmp -s "$1" "$work/blessed"; then
        cat "$work/blessed" >"$1"
    fi
}

if test $# -eq 0; then
    # shellcheck disable=SC2046 # one word for each file
    set -- $(find "$srcdir/tests/golden" -name '*.test' | sort)
fi
for test_file in "$@"; do
    run_file "$test_file"
done
plan "no golden tests"

#!/bin/sh
# Runs command lines and compares what they print with what is expected. `make check` runs it for each
# file below tests/golden; `make check TESTS=tests/golden.t` for all of them, and TESTS=tests/golden/X.test
# for one. By hand, where collcost was built: tests/golden.t [FILE...]. BLESS=1 rewrites the files with
# what was seen. A file *.test reads:
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
# The status is 0 where it is not given. Each command is run by the shell in a fresh folder. Output which
# lacks its last newline is followed by a line `no newline`, and a printed line which looks like one
# of these marks has a backslash before it. @rules@ and @machine@ stand for what is said of the rules and the
# machine that hold where none are named, so that their words are in one file: rules.test, which begins with
# the line `verbatim` and is compared letter by letter.
set -u
. "$(dirname "$0")/sandbox.sh"

# run_case COMMAND: leaves what it wrote, each stream with a full stop behind its end, in $seen/$cases.out
# and $seen/$cases.err, and its status as the next line of $seen/status.
run_case() {
    cases=$((cases + 1))
    test -z "$has_files" || cp -R "$work/files/." "$seen/$cases"
    (cd "$seen/$cases" && set +u && eval "$1") </dev/null >"$seen/$cases.out" 2>"$seen/$cases.err" 3>&-
    echo $? >>"$seen/status"
    echo . >>"$seen/$cases.out"
    echo . >>"$seen/$cases.err"
}

# run_cases FILE: runs its tests, with its files.
run_cases() {
    state=text cases=0 has_files=
    # shellcheck disable=SC2046 # one word for each test
    (cd "$seen" && mkdir 0 $(awk '/^test / { print ++n }' "$1"))
    while IFS= read -r line; do
        case $state:$line in
        text:file:\ *) state=file has_files=yes file=$work/files/${line#file: }
            mkdir -p "${file%/*}"
            exec 3>"$file" ;;
        text:test\ *) state=test command=${line#test } ;;
        test:end\ test) state=text
            run_case "$command" ;;
        file:end\ file) state=text
            exec 3>&- ;;
        file:*) printf '%s\n' "$line" >&3 ;;
        esac
    done <"$1"
}

# compare FILE NAME: a line of TAP for each test of FILE; and FILE with what was seen, as $work/blessed.
compare() {
    awk -v name="$2" -v seen="$seen" -v work="$work" -v count="$count" '
    function result(status, what) {
        gsub(/#/, "\\#", what)
        print (status ? "not ok " : "ok ") ++count " - " what
    }

    # What a command wrote to one stream, as a test file holds it.
    function stream(file,  line, text, last, ended) {
        while ((getline line < file) > 0) {
            if (ended) text = text escaped(last) "\n"
            last = line
            ended = 1
        }
        close(file)
        if (last == ".") return text
        return text escaped(substr(last, 1, length(last) - 1)) "\nno newline\n"
    }

    # A mark is a line which means something inside of a test.
    function escaped(line) {
        return line ~ /^\\*(stderr:|status: [0-9]*|no newline|end test)$/ ? "\\" line : line
    }

    function judge(  out, err, status, line) {
        cases++
        out = stream(seen "/" cases ".out")
        err = stream(seen "/" cases ".err")
        getline status < (seen "/status")
        out = out (err == "" ? "" : "stderr:\n" err) (status == 0 ? "" : "status: " status "\n")
        result(out != want, name ":" line_of_test ": " command)
        if (out != want) {
            printf "%s", want >(work "/want")
            printf "%s", out >(work "/got")
            close(work "/want")
            close(work "/got")
            differences = "diff -u " work "/want " work "/got"
            while ((differences | getline line) > 0)
                if (line !~ /^(---|\+\+\+) /) print "# " line
            close(differences)
        }
        printf "%s", out >blessed
    }

    BEGIN { state = "text"; blessed = work "/blessed"; printf "" >blessed }
    state == "test" && $0 != "end test" { want = want $0 "\n"; next }
    state == "test" { judge(); state = "text" }
    state == "file" && $0 == "end file" { state = "text"; print >blessed; next }
    state == "text" && /^file: / { state = "file" }
    state == "text" && /^test / { state = "test"; command = substr($0, 6); line_of_test = NR; want = "" }
    { print >blessed }
    END {
        if (state != "text") result(1, name ": the last " state " has no \"end " state "\"")
        exit state != "text"
    }' "$1"
}

if test $# -eq 0; then
    # shellcheck disable=SC2046 # one word for each file
    set -- $(find "$srcdir/tests/golden" -name '*.test' | sort)
fi
for test_file in "$@"; do
    test_file=$(cd "$(dirname "$test_file")" && pwd)/${test_file##*/}
    # Nothing of it is there without expat.
    case ${test_file##*/} in
    import*.test)
        if collcost import "$work/none" 2>&1 | grep -q 'without expat'; then
            continue
        fi
        ;;
    esac
    fresh files
    fresh seen
    seen=$work/seen
    run_cases "$test_file"
    mark_defaults "$test_file" "$seen"/*.out "$seen"/*.err
    if compare "$test_file" "${test_file#"$srcdir/"}"; then
        test -z "${BLESS-}" || cmp -s "$test_file" "$work/blessed" || cat "$work/blessed" >"$test_file"
    else
        count=$((count + 1))
    fi
    count=$((count + cases))
done
plan "no golden tests"

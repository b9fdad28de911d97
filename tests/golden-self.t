#!/bin/sh
# Proves that tests/golden.t fails where it must, and that BLESS=1 mends what it can.
set -u
. "$(dirname "$0")/sandbox.sh"

# rejects NAME: the golden test on standard input must be reported as failed, and blessed be mended.
rejects() {
    cat >"$work/x.test"
    "$srcdir/tests/golden.t" "$work/x.test" >"$work/before"
    grep -q '^not ok' "$work/before"
    result $? "$1 fails"
    BLESS=1 "$srcdir/tests/golden.t" "$work/x.test" >/dev/null
    "$srcdir/tests/golden.t" "$work/x.test" >"$work/after"
    grep -q '^ok' "$work/after" && ! grep -q '^not ok' "$work/after"
    result $? "$1 passes once it is blessed"
    comment "$work/before" "$work/after"
}

rejects "a wrong output" <<'END'
test echo seen
expected
end test
END

rejects "an output which was not expected" <<'END'
test echo seen
end test
END

rejects "an output which is missing" <<'END'
test true
expected
end test
END

rejects "a missing end of line" <<'END'
test printf seen
seen
end test
END

rejects "a wrong standard error" <<'END'
test echo seen >&2
stderr:
expected
end test
END

rejects "a standard error which was not expected" <<'END'
test echo seen; echo trouble >&2
seen
end test
END

rejects "a wrong status" <<'END'
test exit 2
status: 1
end test
END

rejects "a status which was not expected" <<'END'
test exit 1
end test
END

rejects "one wrong case among right ones" <<'END'
test echo one
one
end test
test echo two
2
end test
test echo three
three
end test
END

printf 'test echo seen\nseen\n' >"$work/x.test"
"$srcdir/tests/golden.t" "$work/x.test" | grep -q '^not ok'
result $? "a test without an end fails"

plan

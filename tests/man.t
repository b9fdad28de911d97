#!/bin/sh
# Checks the manual pages with mandoc, and runs their examples: every line which begins with
# "$ collcost" when the page is displayed, and lines that it continues on with a backslash, must
# succeed in a copy of examples/.
set -u
. "$(dirname "$0")/sandbox.sh"

if ! command -v mandoc >/dev/null; then
    plan "mandoc is not installed"
    exit
fi

for page in "$srcdir"/man/*.[1-9]; do
    test -f "$page" || continue
    name=man/$(basename "$page")
    mandoc -T lint -W warning "$page" >"$work/lint" 2>&1
    result $? "$name: mandoc has no complaints"
    comment "$work/lint"

    # The page as it is read, without the backspaces that make letters bold.
    mandoc -T ascii -O width=500 "$page" | awk '
        { gsub(/.\b/, ""); sub(/^ */, "") }
        !more && !/^[$] collcost/ { next }
        { sub(/^[$] /, ""); more = sub(/\\$/, ""); printf "%s%s", $0, more ? "" : "\n" }
    ' >"$work/commands"
    while IFS= read -r command; do
        fresh run "$srcdir/examples"
        (cd "$work/run" && sh -c "$command") </dev/null >"$work/log" 2>&1
        status=$?
        result $status "$name: $command"
        test $status -eq 0 || comment "$work/log"
    done <"$work/commands"
done

# The keys of answers, as the lists of keys and tables have them. BLESS=1 writes them anew.
page=$srcdir/man/collcost-keys.5
tests/write-schema --man >"$work/keys"
awk -v keys="$work/keys" '
    /^\.\\" End of what tests\/write-schema writes/ { inside = 0 }
    !inside
    /^\.\\" From here on written by tests\/write-schema/ {
        inside = 1
        while ((getline line <keys) > 0)
            print line
    }
' "$page" >"$work/current"
test -s "$work/keys" && cmp -s "$page" "$work/current"
result $? "man/collcost-keys.5: its keys are current"
diff "$page" "$work/current" | head -n 20 | comment
test -z "${BLESS-}" || cp "$work/current" "$page"

# Every command has its section, and its line among all commands.
sed -n 's/^COMMAND(\([a-z]*\)).*/\1/p' "$srcdir/src/session/commands.def" | sort >"$work/commands"
cat "$srcdir"/man/collcost-*.1 | sed -n 's/^\.Ss collcost \([a-z]*\).*/\1/p' | sort | diff "$work/commands" - >"$work/diff"
test -s "$work/commands" && test ! -s "$work/diff"
result $? "man/collcost-*.1: every command has a section"
comment "$work/diff"
sed -n '/^\.Sh COMMANDS/,/^\.Sh TERMS/s/^\.It Cm \([a-z]*\)$/\1/p' "$srcdir/man/collcost.1" | sort |
    diff "$work/commands" - >"$work/diff"
result $? "man/collcost.1: every command is listed"
comment "$work/diff"

# What may stand in a proposed formula.
sed -n '/^PRODUCT(\|^SIDE(\|^ *"/s/^[^"]*" *\([^"]*\)".*/\1/p' \
    "$srcdir/src/forms/family.def" >"$work/terms"
tr '\n' ' ' <"$srcdir/man/collcost-verify.1" | tr -s ' ' >"$work/page"
status=0
while IFS= read -r term; do
    grep -Fq -e "$term" "$work/page" || { status=1; echo "$term"; }
done <"$work/terms" >"$work/missing"
test -s "$work/terms" || status=1
result $status "man/collcost-verify.1: every term of the family of proposed forms is there"
comment "$work/missing"

# What the library declares.
page=$srcdir/man/collcost.3
sed -n 's/.*[ *]\(collcost_[a-z_]*\)(.*/\1/p' "$srcdir/include/collcost.h" | sort -u >"$work/declared"
sed -n 's/^\.Fn \(collcost_[a-z_]*\) [^.]*.*/\1/p' "$page" | sort -u >"$work/described"
test -s "$work/declared" && diff "$work/declared" "$work/described" >"$work/diff"
result $? "man/collcost.3: its synopsis has every function of collcost.h, and no more"
comment "$work/diff"

plan "no manual pages"

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

# fresh_examples: a copy of examples/ in $work/run, anew where a command wrote into it.
fresh_examples() {
    test -z "$(find "$work/run" -newer "$work/copied" 2>&1)" || { fresh run "$srcdir/examples" && touch "$work/copied"; }
}

for page in "$srcdir"/man/*.[1-9]; do
    test -f "$page" || continue
    name=man/$(basename "$page")
    mandoc -T lint -W warning "$page" >"$work/lint" 2>&1
    result $? "$name: mandoc has no complaints"
    comment "$work/lint"

    # A quote within a quote, or a hyphen before a word that is no option, is an argument that a macro
    # takes which was not meant.
    mandoc -T utf8 -O width=900 "$page" | sed "s/.$(printf '\b')//g" |
        grep -oE '.{0,30}(‘[^’]*‘|--[a-z-]+ -[A-Za-z]{2,}).{0,30}' >"$work/quotes"
    test ! -s "$work/quotes"
    result $? "$name: quotes end, and values of options have no hyphen"
    comment "$work/quotes"

    # The page as it is read, without the backspaces that make letters bold.
    mandoc -T ascii -O width=500 "$page" | awk '
        { gsub(/.\b/, ""); sub(/^ */, "") }
        !more && !/^[$] collcost/ { next }
        { sub(/^[$] /, ""); more = sub(/\\$/, ""); printf "%s%s", $0, more ? "" : "\n" }
    ' >"$work/commands"
    while IFS= read -r command; do
        fresh_examples
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
test -z "${BLESS-}" || ! test -s "$work/keys" || cp "$work/current" "$page"

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

# The options of each command, as its page lists them behind "Options:", are those that it takes.
rules='switching contention duplex combining overlap asynchronous posting'
while IFS= read -r command; do
    cat "$srcdir"/man/collcost-*.1 | awk -v command="$command" -v rules="$rules" '
        BEGIN {
            split("t topology p ranks m size n order o output", words)
            for (i = 1; i < 10; i += 2)
                long[words[i]] = words[i + 1]
        }
        /^\.S[hs] / { inside = /^\.Ss/ && $3 == command; listing = 0 }
        inside && /^Options:/ { listing = 1 }
        /^\.(Pp|Bl)/ { listing = 0 }
        listing && /COSTING RULES/ {
            for (i = split(rules, names, " "); i > 0; i--)
                print names[i]
        }
        listing && /^\.Fl/ {
            for (i = 2; i <= NF && $i !~ /^[A-Z]/; i++)
                if ($i ~ /[a-z]/) {
                    sub(/^-/, "", $i)
                    print $i in long ? long[$i] : $i
                }
        }
    ' | sort -u >"$work/named"
    collcost "$command" --help=all |
        sed -n 's/^  \(-[a-z], \|    \)--\([a-z-]*\).*/\2/p' |
        grep -vx 'help\|limit' | sort >"$work/taken"
    diff "$work/taken" "$work/named" >"$work/diff"
    result $? "man/collcost-*.1: the options of $command are those that it takes"
    comment "$work/diff"
done <"$work/commands"
# The examples at the end of the help run as they stand, in the folder of examples.
while IFS= read -r command; do
    fresh_examples
    collcost "$command" --help | sed -n '/^Examples:/,$s/^  [$] //p' >"$work/examples"
    test "$(wc -l <"$work/examples")" -eq 2
    result $? "collcost $command --help: two examples"
    while IFS= read -r example; do
        (cd "$work/run" && sh -c "$example") </dev/null >"$work/log" 2>&1
        result $? "collcost $command --help: $example"
        comment "$work/log"
    done <"$work/examples"
done <"$work/commands"
for page in "$srcdir"/man/collcost-*.1; do
    tr '\n' ' ' <"$page" | grep -q 'Every command also takes .Fl -help and .Fl -limit .' ||
        echo "$page"
done | grep -v 'collcost-mpi' >"$work/without"
test ! -s "$work/without"
result $? "man/collcost-*.1: every page names the options of all commands"
comment "$work/without"
sed -n 's/^OPTION([A-Z_]*, [A-Z]*, [A-Z]*, [^,]*, "\([a-z-]*\)".*/\1/p' "$srcdir/src/cli/options.def" | sort >"$work/taken"
sed -n 's/^\.It Fl \(. , Fl \)\{0,1\}-\([a-z-]*\).*/\2/p' "$srcdir/man/collcost-options.7" | sort | diff "$work/taken" - >"$work/diff"
test -s "$work/taken" && test ! -s "$work/diff"
result $? "man/collcost-options.7: every option is there, and no more"
comment "$work/diff"

# Units, but for the ways to spell a micro.
sed -n 's/^UNIT("\([A-Za-z]*\)".*/\1/p' "$srcdir/src/base/units.def" | sort >"$work/units"
sed -n '/^\.Ss Units/,/^\.El/s/^\.It Li \(.*\) Ta .*/\1/p' "$srcdir/man/collcost-expressions.5" | tr ' ' '\n' |
    grep -v mcs | sort | diff "$work/units" - >"$work/diff"
test -s "$work/units" && test ! -s "$work/diff"
result $? "man/collcost-expressions.5: the units are current"
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

#!/bin/sh
# The sessions of README.md and doc/TOUR.md are what collcost prints. In each fenced block that begins with "$ ",
# every command, with the lines that a backslash continues it on, is run in one folder, beside a copy
# of examples/, and what follows must be all that it writes to standard output and standard error. A
# fenced block of YAML is there as the file that its first line names. BLESS=1 rewrites the page with what
# was seen. The commands in the tables of doc/FEATURES.md must succeed.
set -u
. "$(dirname "$0")/sandbox.sh"

fresh run
mkdir "$work/run/examples"
cp -R "$srcdir/examples/." "$work/run/examples" && chmod -R u+w "$work/run/examples"

# Runs $command, if there is one, and prints what it wrote to the new page.
run_command() {
    test -n "$command" || return 0
    (cd "$work/run" && sh -c "$command") </dev/null >"$work/seen" 2>&1
    cmp -s "$work/want" "$work/seen"
    result $? "$page:$line_of_command: $(echo "$command" | tr -s '\n\\ ' ' ')"
    diff -u "$work/want" "$work/seen" | sed 1,2d | comment
    cat "$work/seen" >>"$work/blessed"
    command=
}

for page in README.md doc/TOUR.md; do
: >"$work/blessed"
command='' state=text number=0
while IFS= read -r line; do
    number=$((number + 1))
    case $state:$line in
    text:'```yaml') state=yaml file= ;;
    text:'```') state=first ;;
    text:*) ;;
    yaml:'```') state=text ;;
    yaml:*) test -n "$file" || file=$work/run/${line#*: }.yaml
        printf '%s\n' "$line" >>"$file" ;;
    *:'```') run_command
        state=text ;;
    first:'$ '* | want:'$ '*) run_command
        state=command command=${line#??} line_of_command=$number
        : >"$work/want" ;;
    first:*) state=other ;;
    command:*) command="$command
$line" ;;
    want:*) printf '%s\n' "$line" >>"$work/want"
        continue ;;
    esac
    printf '%s\n' "$line" >>"$work/blessed"
    case $state:$line in
    command:*\\) ;;
    command:*) state=want ;;
    esac
done <"$srcdir/$page"
test $state = text
result $? "$page: every block ends"
test -z "${BLESS-}" || cmp -s "$srcdir/$page" "$work/blessed" || cat "$work/blessed" >"$srcdir/$page"
done

# Every command of doc/FEATURES.md runs.
sed -n 's/^|.*| `\(collcost .*\)` |$/\1/p' "$srcdir/doc/FEATURES.md" >"$work/asked"
test "$(wc -l <"$work/asked")" -gt 30
result $? "doc/FEATURES.md has commands"
while IFS= read -r command; do
    fresh features "$srcdir/examples"
    (cd "$work/features" && sh -c "$command") </dev/null >"$work/seen" 2>&1
    result $? "doc/FEATURES.md: $command"
done <"$work/asked"

plan "no README.md"

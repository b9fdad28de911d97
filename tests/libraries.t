#!/bin/sh
# doc/LIBRARIES.md is what build-aux/write-libraries makes. BLESS=1 writes it anew: read the difference.
set -u
. "$(dirname "$0")/sandbox.sh"
page=$srcdir/doc/LIBRARIES.md
sh "$srcdir/build-aux/write-libraries" >"$work/page.md" 2>"$work/err"
result $? "build-aux/write-libraries"
comment "$work/err"
test -z "${BLESS-}" || cmp -s "$work/page.md" "$page" || cp "$work/page.md" "$page"
cmp -s "$work/page.md" "$page"
result $? "doc/LIBRARIES.md is current"
diff "$page" "$work/page.md" | head -n 40 | comment
plan

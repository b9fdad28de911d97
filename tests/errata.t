#!/bin/sh
# doc/ERRATA.md is what `collcost errata` writes. BLESS=1 writes it anew: read the difference.
set -u
. "$(dirname "$0")/sandbox.sh"
fresh errata
page=$srcdir/doc/ERRATA.md
collcost errata >"$work/errata/page.md" 2>"$work/errata/err"
result $? "collcost errata"
comment "$work/errata/err"
test -z "${BLESS-}" || cp "$work/errata/page.md" "$page"
cmp -s "$work/errata/page.md" "$page"
result $? "doc/ERRATA.md is current"
diff "$page" "$work/errata/page.md" | head -n 40 | comment

# Every source's items are judged alone as they are among all.
cd "$work/errata" || exit 1
for source in $(sed -n 's/^## \(S[0-9]*\)$/\1/p' "$page"); do
    sed -n "/^## $source\$/,/^## /p" "$page" | grep '^#\{3\} ' >all
    collcost errata "$source" | grep '^#\{3\} ' >alone
    test -s all && cmp -s all alone
    result $? "collcost errata $source has the same verdicts"
done
plan

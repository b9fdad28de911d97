#!/bin/sh
# Every file that belongs to a release is in Makefile.am or in the lists that it includes: what is
# missing there would be missing in the archive, and a model would be missing in the program. Every
# module is in doc/MODULES.md.
set -u
. "$(dirname "$0")/sandbox.sh"
cd "$srcdir" || exit 1

tr -s ' \t' '\n\n' <Makefile.am >"$work/listed"
tr -s ' \t' '\n\n' <files.am >>"$work/listed"

sh build-aux/list-files >"$work/files.am"
diff -u files.am "$work/files.am" >"$work/diff"
result $? "files.am is what build-aux/list-files makes (./bootstrap)"
comment "$work/diff"

# listed FOLDER [CONDITION...]: every file in FOLDER for which find's CONDITION holds is listed.
listed() {
    folder=$1
    shift
    if test -d "$folder"; then
        find "$folder" -type f "$@" ! -path src/model/builtin.c ! -path src/session/manual.c | sort >"$work/found"
        grep -Fxv -f "$work/listed" "$work/found" >"$work/missing"
        test $? -eq 1
        result $? "Makefile.am lists the files in $folder"
        comment "$work/missing"
    fi
}

listed src \( -name '*.[ch]' -o -name '*.def' \)
listed models
listed man
listed examples
listed debian ! -path '*/.*' ! -name '*debhelper*' ! -name '*.substvars' ! -name files ! -path 'debian/*/*/*'
listed tests \( -name '*.[ch]' -o -name '*.def' -o -name '*.t' -o -name '*.test' \)

# LAYER/MODULE, of the map and of the sources. A name of the map may end in *; X.h is the same module as X.
awk -F'|' '
    NF == 5 {
        if ($2 ~ /[a-z]/)
            layer = $2
        gsub(/ /, "", layer)
        for (n = split($3, names, "`"); n > 1; n--)
            if (n % 2 == 0) {
                sub(/[.][a-z]*$/, "", names[n])
                print layer "/" names[n]
            }
    }' doc/MODULES.md | sort -u | grep -Fvx layer/file >"$work/map"
find src -type f \( -name '*.[ch]' -o -name '*.def' \) ! -path src/model/builtin.c ! -path src/session/manual.c |
    sed 's,^src/,,; s/[.][a-z]*$//' | sort -u >"$work/modules"
sed -n 's/[*]$//p' "$work/map" | sed 's/^/^/' >"$work/families"
grep -v '[*]$' "$work/map" >"$work/named"
echo '^session/cmd_' >>"$work/families" # prompt and batches are commands, too
comm -13 "$work/named" "$work/modules" | grep -v -f "$work/families" >"$work/unmapped"
test $? -eq 1
result $? "doc/MODULES.md has every module"
comment "$work/unmapped"
comm -23 "$work/named" "$work/modules" >"$work/gone"
test ! -s "$work/gone"
result $? "doc/MODULES.md names no module that is not there"
comment "$work/gone"

# Names of files and of functions in backticks, which would grow old unnoticed.
grep -oE '`[a-z0-9_]+([.](c|h|def|t|py)|(_[a-z0-9]+)+)`' doc/HACKING.md doc/DECISIONS.md |
    sed 's/^[^`]*`//; s/`$//' | sort -u | grep -Fvx builtin.c >"$work/cited"
find src tests include build-aux python -type f -name '*.*' | sed 's,.*/,,' >"$work/known"
grep -rohwF -f "$work/cited" src tests include >>"$work/known"
sort -u "$work/known" | comm -23 "$work/cited" - >"$work/gone"
test -s "$work/cited" && test ! -s "$work/gone"
result $? "doc/HACKING.md and doc/DECISIONS.md name no file and no function that is not there"
comment "$work/gone"

# Files of a layer in comments of sources.
layers=$(cd src && echo */ | sed 's,/ ,|,g; s,/$,,')
grep -rhE "\\b($layers)/[a-z_0-9]+[.](c|h|def)\\b" src include --include='*.[ch]' --include='*.def' | grep -v '#include' |
    grep -oE "\\b($layers)/[a-z_0-9]+[.](c|h|def)\\b" | grep -v '^model/builtin.c$' | sort -u >"$work/cited"
(cd src && ls -d */*) | sort | comm -23 "$work/cited" - >"$work/gone"
test -s "$work/cited" && test ! -s "$work/gone"
result $? "comments name no file of src that is not there"
comment "$work/gone"

version=$(sed -n 's/^AC_INIT(\[[^]]*\], \[\([^]]*\)\].*/\1/p' configure.ac)
test -n "$version" && grep -qx "version: $version" CITATION.cff
result $? "CITATION.cff names version $version, as configure.ac does"
number=$(echo "$version" | awk -F. '{ print 10000 * $1 + 100 * $2 + $3 }')
grep -qx "#define COLLCOST_VERSION \"$version\"" include/collcost.h &&
    grep -q "^#define COLLCOST_VERSION_NUMBER $number " include/collcost.h
result $? "include/collcost.h has version $version and number $number, as configure.ac does"
test "$(sed -n '1s/^collcost (\([^)]*\)).*/\1/p' debian/changelog)" = "$version"
result $? "debian/changelog begins with version $version, as configure.ac does"

plan

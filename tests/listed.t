#!/bin/sh
# Every file that belongs to a release stands in Makefile.am or in the lists that it includes: what is
# missing there would be missing in the archive, and a model would be missing in the program.
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

version=$(sed -n 's/^AC_INIT(\[[^]]*\], \[\([^]]*\)\].*/\1/p' configure.ac)
test -n "$version" && grep -qx "version: $version" CITATION.cff
result $? "CITATION.cff names version $version, as configure.ac does"
test "$(sed -n '1s/^collcost (\([^)]*\)).*/\1/p' debian/changelog)" = "$version"
result $? "debian/changelog begins with version $version, as configure.ac does"

plan

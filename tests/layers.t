#!/bin/sh
# Checks the includes below src against src/LAYERS: tests/layers.t [FOLDER]. That file holds
#
#   NAME                  a layer, which may include itself and the layers listed before it
#   apart GROUP GROUP...  files of different groups never include one another, directly or not
#   only HEADER FILE...   only these files include <HEADER>
#
# A group is a path without its suffix, and may end in *; a HEADER may end in *, too.
set -u
cd "${1:-${srcdir:-$(dirname "$0")/..}/src}" || exit 1

# shellcheck disable=SC2046 # one word for each file
awk '
function matches(path, pattern) {
    if (pattern ~ /[*]$/)
        return index(path, substr(pattern, 1, length(pattern) - 1)) == 1
    return path == pattern
}

function layer_of(path) { return path ~ "/" ? substr(path, 1, index(path, "/") - 1) : "" }

function fault(text) { faults = faults "# " text "\n" }

# Ends one test, which has failed if faults were noted since the last one.
function result(name) {
    printf "%sok %d - %s\n%s", faults == "" ? "" : "not ", ++count, name, faults
    faults = ""
}

# Walks along the includes of a file. A file that is met while it is still open closes a ring.
function find_rings(file, trail,    n, i, list) {
    state[file] = "open"
    n = split(includes[file], list, " ")
    for (i = 1; i <= n; i++) {
        if (state[list[i]] == "open")
            fault(trail " " list[i])
        else if (state[list[i]] == "")
            find_rings(list[i], trail " " list[i])
    }
    state[file] = "done"
}

# Looks for files of other groups among all that a file of one group includes.
function find_strangers(file, group, trail,    n, i, g, list, stem) {
    n = split(includes[file], list, " ")
    for (i = 1; i <= n; i++) {
        if (seen[list[i]]++)
            continue
        stem = list[i]
        sub(/[.][^.]*$/, "", stem)
        for (g = 2; g <= groups; g++)
            if (g != group && matches(stem, rule[g]))
                fault(trail " " list[i])
        find_strangers(list[i], group, trail " " list[i])
    }
}

FILENAME == "LAYERS" {
    sub(/#.*/, "")
    if (NF == 1)
        rank[$1] = ++layers
    else if ($1 == "apart" || $1 == "only")
        rules[++rule_count] = $0
    else if (NF)
        fault("LAYERS:" FNR ": not a rule: " $0)
    next
}

FNR == 1 { files[++file_count] = substr(FILENAME, 3) }

/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    file = substr(FILENAME, 3)
    where = file ":" FNR ": "
    header = $0
    sub(/^[^"<]*/, "", header)
    quoted = header ~ /^"/
    header = substr(header, 2)
    sub(/[">].*/, "", header)
    if (!quoted) {
        foreign[++foreign_count] = header " " file " " where
    } else if (header != "config.h") {
        includes[file] = includes[file] " " header
        if (!(layer_of(file) in rank))
            fault(where "its folder is not in LAYERS")
        else if (!(layer_of(header) in rank))
            fault(where "\"" header "\" does not begin with a layer")
        else if (rank[layer_of(header)] > rank[layer_of(file)])
            fault(where layer_of(file) " must not include \"" header "\"")
    }
}

END {
    result(layers " layers: no include points up")

    for (f = 1; f <= file_count; f++)
        if (state[files[f]] == "")
            find_rings(files[f], files[f])
    result(file_count " files: no ring of includes")

    for (r = 1; r <= rule_count; r++) {
        groups = split(rules[r], rule, " ")
        if (rule[1] == "apart") {
            for (f = 1; f <= file_count; f++) {
                stem = files[f]
                sub(/[.][^.]*$/, "", stem)
                for (g = 2; g <= groups; g++)
                    if (matches(stem, rule[g])) {
                        split("", seen)
                        find_strangers(files[f], g, files[f])
                    }
            }
        } else {
            for (f = 1; f <= foreign_count; f++) {
                split(foreign[f], part, " ")
                if (!matches(part[1], rule[2]))
                    continue
                allowed = 0
                for (g = 3; g <= groups; g++)
                    allowed = allowed || matches(part[2], rule[g])
                if (!allowed)
                    fault(part[3] " must not include <" part[1] ">")
            }
        }
        result(rules[r])
    }
    print "1.." count
}' LAYERS $(find . -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort)

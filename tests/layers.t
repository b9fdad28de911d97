#!/bin/sh
# Checks what is below src against src/LAYERS: tests/layers.t [SOURCES [OBJECTS]]. That file holds
#
#   NAME                        a layer, which may need itself and the layers listed before it
#   apart GROUP GROUP...        files of different groups never need one another, directly or not
#   only HEADER FILE...         only these files include <HEADER>
#   public PREFIX LOW HIGH FILE...
#                               of the layers LOW to HIGH these files include nothing, and need only
#                               symbols that begin with PREFIX; a FILE may end in *, and those
#                               behind a ! are left out
#   cycle MODULE MODULE # WHY   these modules need one another in a ring; no others do
#
# A file needs what it includes. An object file needs those that define its undefined symbols, which
# nm finds in the folder of the build; other programs' symbols do not count. A module is all files
# of one name: base/arena is arena.c, arena.h and arena.o. A GROUP is a path without its suffix, may
# end in *, and several can be joined by +; a HEADER may end in *, too.
set -u
sources=$(cd "${1:-${srcdir:-$(dirname "$0")/..}/src}" && pwd) || exit 1
objects=${2:-src}
nm=${NM:-nm}

# A folder of a build may hold objects of files that are no more.
list_objects() {
    find . -name '*.o' | LC_ALL=C sort | while read -r object; do
        file=${object#./}
        if test -f "$sources/${file%.o}.c" || test -f "${file%.o}.c"; then
            echo "$file"
        fi
    done
}

list=$(cd "$objects" 2>/dev/null && list_objects)
if test -z "$list"; then
    unread="there are no object files"
elif ! command -v "$nm" >/dev/null; then
    unread="$nm is not installed"
else
    unread=
fi

# Lines "FILE: SYMBOL TYPE ..."
list_symbols() {
    # shellcheck disable=SC2086 # one word for each object
    test -n "$unread" || (cd "$objects" && "$nm" -A -P $list)
}

# shellcheck disable=SC2046 # one word for each file
list_symbols | (cd "$sources" && awk -v unread="$unread" '
function matches(path, pattern) {
    if (pattern ~ /[*]$/)
        return index(path, substr(pattern, 1, length(pattern) - 1)) == 1
    return path == pattern
}

function is_in_group(module, group,    n, i, patterns, found) {
    n = split(group, patterns, "+")
    for (i = 1; i <= n; i++)
        found = found || matches(module, patterns[i])
    return found
}

function layer_of(path) { return path ~ "/" ? substr(path, 1, index(path, "/") - 1) : "" }

function module_of(path) {
    sub(/[.][^.\/]*$/, "", path)
    return path
}

function fault(text) { faults = faults "# " text "\n" }

# Ends one test, which has failed if faults were noted since the last one.
function result(name) {
    printf "%sok %d - %s\n%s", faults == "" ? "" : "not ", ++count, name, faults
    faults = ""
}

# Module `from` needs module `to`; `how` is shown if that closes a ring.
function need(from, to, how) {
    if (from == to || (from, to) in why)
        return
    why[from, to] = how
    needed[from] = needed[from] " " to
}

# Rings are what Tarjan calls strongly connected components (SIAM Journal on Computing 1(2), 1972).
function visit(module,    n, i, list, other, ring, size) {
    low[module] = number[module] = ++visited
    stack[++height] = module
    is_open[module] = 1
    n = split(needed[module], list, " ")
    for (i = 1; i <= n; i++) {
        other = list[i]
        if (!(other in number))
            visit(other)
        if (is_open[other] && low[other] < low[module])
            low[module] = low[other]
    }
    if (low[module] != number[module])
        return
    do {
        other = stack[height--]
        is_open[other] = 0
        ring = other " " ring
        size++
    } while (other != module)
    if (size > 1)
        judge_ring(ring, size)
}

function judge_ring(ring, size,    list, i, n, name, inside, seen, trail, next_one, at) {
    split(ring, list, " ")
    name = cycle_of[list[1]]
    for (i = 1; i <= size; i++) {
        inside[list[i]] = 1
        if (cycle_of[list[i]] != name)
            name = ""
    }
    met[name] = 1
    if (name != "" && (unread != "" || size == cycle_size[name]))
        return
    fault("a ring of " size " modules: " ring)
    # Somewhere along the way from any module of a ring into the ring begins one cycle.
    for (at = list[1]; seen[at]++ < 2; at = next_one) {
        n = split(needed[at], list, " ")
        for (i = 1; i <= n && !(list[i] in inside); i++)
            continue
        next_one = list[i]
        if (seen[at] == 2)
            fault("    " at " " why[at, next_one])
    }
}

# Looks for modules of other groups among all that one file of a group needs.
function find_strangers(graph, file, group, trail,    n, i, g, list) {
    n = split(graph[file], list, " ")
    for (i = 1; i <= n; i++) {
        if (seen_file[list[i]]++)
            continue
        for (g = 2; g <= groups; g++)
            if (g != group && is_in_group(module_of(list[i]), rule[g]))
                fault(trail " " list[i])
        find_strangers(graph, list[i], group, trail " " list[i])
    }
}

function check_apart(graph, file,    g) {
    for (g = 2; g <= groups; g++)
        if (is_in_group(module_of(file), rule[g])) {
            split("", seen_file)
            find_strangers(graph, file, g, file)
        }
}

function is_between(path, low, high) {
    return rank[layer_of(path)] >= rank[low] && rank[layer_of(path)] <= rank[high]
}

# Does a module with a public rule look behind the public header?
function check_public(    i, g, n, list, part, module, pattern) {
    split("", is_asker)
    split("", met_asker)
    for (i = 1; i <= file_count; i++) {
        module = module_of(files[i])
        for (g = 5; g <= groups; g++) {
            pattern = rule[g]
            if (!matches(module, sub(/^!/, "", pattern) ? pattern : rule[g]))
                continue
            met_asker[rule[g]] = 1
            is_asker[module] = rule[g] !~ /^!/
        }
    }
    for (i = 1; i <= file_count; i++) {
        if (!is_asker[module_of(files[i])])
            continue
        n = split(includes[files[i]], list, " ")
        for (g = 1; g <= n; g++)
            if (is_between(list[g], rule[3], rule[4]))
                fault(files[i] " must not include \"" list[g] "\"")
    }
    for (i = 1; i <= undefined_count; i++) {
        split(undefined[i], part, " ")
        if (is_asker[module_of(part[1])] && index(part[2], rule[2]) != 1 && part[2] in definer &&
            is_between(definer[part[2]], rule[3], rule[4]))
            fault(part[1] " must not need " part[2] " of " definer[part[2]])
    }
    for (g = 5; g <= groups; g++)
        if (!(rule[g] in met_asker))
            fault("there is no " rule[g])
}

input == "symbols" {
    object = $1
    sub(/:$/, "", object)
    if ($3 == "U" || $3 == "w") {
        undefined[++undefined_count] = object " " $2
    } else if ($3 ~ /^[A-Z]$/ && !($2 in definer)) {
        definer[$2] = object
        symbols++
    }
    if (!(object in is_object)) {
        is_object[object] = 1
        object_list[++object_count] = object
    }
    next
}

FILENAME == "LAYERS" {
    has_reason = /#[ \t]*[^ \t]/
    sub(/#.*/, "")
    if (NF == 1)
        rank[$1] = ++layers
    else if ($1 == "apart" || $1 == "only" || $1 == "public")
        rules[++rule_count] = $0
    else if ($1 == "cycle" && NF > 2) {
        cycles[++cycle_count] = $0
        cycle_size[$0] = NF - 1
        for (i = 2; i <= NF; i++)
            cycle_of[$i] = $0
        if (!has_reason)
            fault("LAYERS:" FNR ": a cycle without a reason: " $0)
    } else if (NF)
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
    } else if (header != "config.h" && header != "collcost.h") {
        includes[file] = includes[file] " " header
        need(module_of(file), module_of(header), "includes \"" header "\"")
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

    for (i = 1; i <= undefined_count; i++) {
        split(undefined[i], part, " ")
        if (!(part[2] in definer) || definer[part[2]] == part[1])
            continue
        object = part[1]
        other = definer[part[2]]
        if (!((object, other) in linked)) {
            linked[object, other] = 1
            links[object] = links[object] " " other
            link_count++
        }
        need(module_of(object), module_of(other), "needs " part[2] " of " module_of(other))
        if (rank[layer_of(other)] > rank[layer_of(object)])
            fault(object ": " layer_of(object) " must not need " part[2] " of " other)
    }
    if (unread == "" && link_count == 0)
        fault("no object needs a symbol of another: that cannot be")
    result(object_count + 0 " objects, " symbols + 0 " symbols: no need points up" \
           (unread == "" ? "" : " # SKIP " unread))

    for (f = 1; f <= file_count; f++)
        if (!(module_of(files[f]) in number))
            visit(module_of(files[f]))
    for (i = 1; i <= object_count; i++)
        if (!(module_of(object_list[i]) in number))
            visit(module_of(object_list[i]))
    for (i = 1; i <= cycle_count && unread == ""; i++)
        if (!(cycles[i] in met))
            fault("LAYERS names a ring that is none: " cycles[i])
    result(visited + 0 " modules: no ring but those named" (unread == "" ? "" : ", by includes alone"))

    for (r = 1; r <= rule_count; r++) {
        groups = split(rules[r], rule, " ")
        if (rule[1] == "apart") {
            for (f = 1; f <= file_count; f++)
                check_apart(includes, files[f])
            for (f = 1; f <= object_count; f++)
                check_apart(links, object_list[f])
        } else if (rule[1] == "public") {
            check_public()
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
}' LAYERS $(find . -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort) input=symbols -)

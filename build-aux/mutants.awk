# Lists places where one token of C can become another, as lines of
#   FILE <tab> LINE <tab> COLUMN <tab> LENGTH <tab> REPLACEMENT
# A random COUNT of them is kept, at most one of a line; -v seed=S -v count=N. Which ones depends on the seed, the
# file and the code of a line, not on what stands around it: while one part is worked on, the mutants elsewhere stay.
# Sources are as clang-format lays them out: what is indented is in a body or a table, and binary operators stand
# between spaces.

BEGIN { for (i = 32; i < 127; i++) code_point[sprintf("%c", i)] = i }

# A number below 2^32 made of a text and the seed; all products are exact in a double.
function hash_of(text,  h, i) {
    h = seed + 1
    for (i = 1; i <= length(text); i++) h = (h * 69069 + code_point[substr(text, i, 1)] + 1) % 4294967296
    for (i = 1; i <= 3; i++) h = ((h % 65536) * 65536 + int(h / 65536)) * 69069 % 4294967296
    return h
}

# The line with comments and literals blanked, so that columns stay.
function code_of(line,  out, i, c, state) {
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (state == "" && substr(line, i, 2) == "//") break
        if (state == "" && substr(line, i, 2) == "/*") in_comment = 1
        if (in_comment) {
            if (substr(line, i, 2) == "*/") { in_comment = 0; out = out " "; i++ }
            c = " "
        } else if (state != "") {
            if (c == "\\") { out = out " "; i++ }
            else if (c == state) state = ""
            c = " "
        } else if (c == "\"" || c == "'") {
            state = c
            c = " "
        }
        out = out c
    }
    return out
}

function add(column, length_, text) { at[++places] = column; long[places] = length_; by[places] = text }

function each(code, from, to,  column, offset) {
    offset = 0
    while ((column = index(substr(code, offset + 1), from)) > 0) {
        add(offset + column, length(from), to)
        offset += column + length(from) - 1
    }
}

# One more in an allocation, or in the length of an array, changes nothing that can be seen; {0} names no member; and
# where -1 is no number at all, so is -2, but 0 is one.
function numbers(code,  offset, word) {
    if (code ~ /\{0\}|ARENA_|^ *[a-z].*[a-z_]\[[0-9]+\](,.*| = .*)?;$/) return
    offset = 0
    while (match(substr(code, offset + 1), /[^A-Za-z0-9_.][0-9]+[^A-Za-z0-9_.]/)) {
        word = substr(code, offset + RSTART + 1, RLENGTH - 2)
        add(offset + RSTART + 1, RLENGTH - 2, substr(code, offset + RSTART, 1) == "-" ? word - 1 : word + 1)
        offset += RSTART + RLENGTH - 2
    }
}

FNR == 1 { in_comment = 0 }
{
    code = code_of($0)
    if (code !~ /^    / || code ~ /^ *(#|case |static_assert|assert|\[)/) next
    places = 0
    each(code, " < ", " <= "); each(code, " <= ", " < "); each(code, " > ", " >= "); each(code, " >= ", " > ")
    each(code, " == ", " != "); each(code, " != ", " == "); each(code, " && ", " || "); each(code, " || ", " && ")
    each(code, " + ", " - "); each(code, " - ", " + "); each(code, " / ", " * "); each(code, " += ", " -= ")
    each(code, "return true;", "return false;"); each(code, "return false;", "return true;")
    each(code, "continue;", ";"); each(code, "++", "--")
    if (code !~ /\*[a-z_]+( =|;|,|\))/) each(code, " * ", " + ")
    numbers(code)
    # sanitizers, not answers, show that nothing is released
    if (code ~ /^ *[a-z_]+\(.*\);$/ && code !~ /^ *([a-z_]+_(destroy|close)|free)\(/ && gsub(/\(/, "(", code) == gsub(/\)/, ")", code)) {
        match(code, /[a-z_]/)
        add(RSTART, length(code) - RSTART + 1, ";")
    }
    if (places) {
        text = FILENAME "\t" code
        h = hash_of(text "\t" ++times[text])
        i = 1 + int(h / 4294967296 * places)
        kept[++lines] = sprintf("%010d", hash_of(h " " text)) "\t" FILENAME "\t" FNR "\t" at[i] "\t" long[i] "\t" by[i]
    }
}

END {
    sorted = "sort | head -n " count " | cut -f2-"
    for (i = 1; i <= lines; i++) print kept[i] | sorted
}

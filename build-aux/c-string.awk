# Writes its input as a C string, one line of the literal for each, with what follows it: the length,
# between `before` and `after`. In the C locale a character is a byte: UTF-8 passes through as it is,
# and length counts bytes. "?" is escaped because C17 still reads trigraphs.
BEGIN {
    for (code = 1; code < 32; code++)
        escape[sprintf("%c", code)] = sprintf("\\%03o", code)
    escape["\t"] = "\\t"
    escape["\\"] = "\\\\"
    escape["\""] = "\\\""
    escape["?"] = "\\?"
    printf "     \"\""
}
{
    printf "\n     \""
    for (i = 1; i <= length($0); i++) {
        byte = substr($0, i, 1)
        printf "%s", (byte in escape) ? escape[byte] : byte
    }
    printf "\\n\""
    size += length($0) + 1
}
END { printf "%s%d%s\n", before, size, after }

/* The lists of keys and tables as documents, on standard output:

   write-schema        the JSON Schema of all answers, doc/collcost.schema.json
   write-schema --man  the section of collcost-keys(5) with the keys, in mdoc */
#include "format/table.h"

#include <stdlib.h>
#include <string.h>

/* In JSON. */
static bool is_for_programs(const Column *column)
{
    return column->use != SEEN_BY_PEOPLE && column->use != SEEN_IN_CSV &&
           key_info[column->key].name;
}

static bool has_columns(const TableInfo *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (is_for_programs(&table->columns[i]))
            return true;
    return false;
}

/* Do its rows stand in a record? */
static bool is_nested(TableId id)
{
    for (int i = 0; i < TABLE_COUNT; i++)
        for (size_t c = 0; c < table_info[i].column_count; c++)
            if (table_info[i].columns[c].rows == id)
                return true;
    return false;
}

static const char *type_of(ColumnKind kind)
{
    switch (kind) {
    case COLUMN_TEXT:
    case COLUMN_FORMULA:
        return "string";
    case COLUMN_LIST:
        return "array";
    case COLUMN_INT:
        return "integer";
    case COLUMN_BOOL:
        return "boolean";
    default:
        return "number";
    }
}

static void write_property(const Column *column, const char *indent)
{
    const KeyInfo *key = &key_info[column->key];
    const char *type = type_of(key->kind);
    printf("%s    \"%s\": {", indent, key->name);
    if (key->kind == COLUMN_ROWS) {
        printf("\"$ref\": \"#/$defs/%s\"", table_info[column->rows].name);
    } else {
        if (key->kind == COLUMN_VALUE)
            fputs("\"type\": [\"number\", \"string\", \"boolean\", \"null\"]", stdout);
        else if (column->can_be_null)
            printf("\"type\": [\"%s\", \"null\"]", type);
        else
            printf("\"type\": \"%s\"", type);
        if (key->kind == COLUMN_LIST)
            fputs(", \"items\": {\"type\": \"string\"}", stdout);
    }
    fputs(", \"description\": ", stdout);
    json_string(stdout, key->meaning);
    fputc('}', stdout);
}

static void write_object(const TableInfo *table, const char *indent)
{
    const char *before = "";
    printf("%s\"type\": \"object\",\n%s\"properties\": {\n", indent, indent);
    for (size_t i = 0; i < table->column_count; i++)
        if (is_for_programs(&table->columns[i])) {
            fputs(before, stdout);
            write_property(&table->columns[i], indent);
            before = ",\n";
        }
    printf("\n%s},\n%s\"required\": [", indent, indent);
    before = "";
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].use == SEEN_BY_ALL && is_for_programs(&table->columns[i])) {
            printf("%s\"%s\"", before, key_info[table->columns[i].key].name);
            before = ", ";
        }
    printf("],\n%s\"additionalProperties\": false\n", indent);
}

static void write_table(const TableInfo *table)
{
    printf("    \"%s\": {\n      \"description\": ", table->name);
    json_string(stdout, table->meaning);
    fputs(",\n", stdout);
    if (table->is_record) {
        write_object(table, "      ");
    } else {
        fputs("      \"type\": \"array\",\n      \"items\": {\n", stdout);
        write_object(table, "        ");
        fputs("      }\n", stdout);
    }
    fputs("    }", stdout);
}

static void write_schema(void)
{
    const char *before = "";
    fputs("{\n"
          "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
          "  \"title\": \"Answers of collcost -o json\",\n"
          "  \"description\": \"Numbers are in SI base units: seconds, bytes, bytes per second. A "
          "number that is not finite is null.\",\n"
          "  \"anyOf\": [\n",
          stdout);
    for (int i = 0; i < TABLE_COUNT; i++)
        if (has_columns(&table_info[i]) && !is_nested((TableId)i)) {
            printf("%s    {\"$ref\": \"#/$defs/%s\"}", before, table_info[i].name);
            before = ",\n";
        }
    fputs("\n  ],\n  \"$defs\": {\n", stdout);
    before = "";
    for (int i = 0; i < TABLE_COUNT; i++)
        if (has_columns(&table_info[i])) {
            fputs(before, stdout);
            write_table(&table_info[i]);
            before = ",\n";
        }
    fputs("\n  }\n}\n", stdout);
}

/* A sentence may not begin a line with a control character, nor end one inside of it. */
static void write_mdoc(const char *text)
{
    for (; *text; text++)
        if (*text == '-')
            fputs("\\-", stdout);
        else
            fputc(*text, stdout);
    fputc('\n', stdout);
}

static bool has_key(const TableInfo *table, Key key)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].key == key && is_for_programs(&table->columns[i]))
            return true;
    return false;
}

static bool is_used(Key key)
{
    for (int i = 0; i < TABLE_COUNT; i++)
        if (has_key(&table_info[i], key))
            return true;
    return false;
}

static int compare_keys(const void *a, const void *b)
{
    const KeyInfo *left = *(const KeyInfo *const *)a, *right = *(const KeyInfo *const *)b;
    int order = strcmp(left->name, right->name);
    return order ? order : (left > right) - (left < right);
}

static void write_keys_of(const TableInfo *table)
{
    const char *before = "";
    printf(".It Cm %s : No %s\n.Cm", table->name, table->meaning);
    for (size_t i = 0; i < table->column_count; i++)
        if (is_for_programs(&table->columns[i])) {
            printf("%s %s", before, key_info[table->columns[i].key].name);
            before = " ,";
        }
    fputc('\n', stdout);
}

static void write_man(void)
{
    const KeyInfo *keys[KEY_COUNT];
    size_t count = 0;
    for (int i = 0; i < KEY_COUNT; i++)
        if (key_info[i].name && is_used((Key)i))
            keys[count++] = &key_info[i];
    qsort(keys, count, sizeof *keys, compare_keys);
    fputs("The keys of a row, or of an object:\n"
          ".Bl -tag -width Ds -compact\n",
          stdout);
    for (int i = 0; i < TABLE_COUNT; i++)
        if (has_columns(&table_info[i]))
            write_keys_of(&table_info[i]);
    fputs(".El\n.Pp\nWhat they mean:\n.Bl -tag -width \"algorithm_bandwidth\" -compact\n", stdout);
    for (size_t i = 0; i < count; i++) {
        printf(".It Cm %s\n", keys[i]->name);
        write_mdoc(keys[i]->meaning);
    }
    fputs(".El\n", stdout);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--man") == 0)
        write_man();
    else if (argc == 1)
        write_schema();
    else
        return 2;
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

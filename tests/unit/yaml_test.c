#include "model/builtin.h"
#include "model/builtin_tree.h"

#include "unit.h"

#include <string.h>

static bool parse_bytes(Fixture *fixture, const char *bytes, size_t length, NodeArray *documents)
{
    const Source *source = source_from_text(fixture->arena, "y", bytes, length);
    return yaml_parse(fixture->arena, source, documents, &fixture->diag);
}

static bool parse(Fixture *fixture, const char *yaml, NodeArray *documents)
{
    return parse_bytes(fixture, yaml, strlen(yaml), documents);
}

static void assert_place(const Node *node, size_t line, size_t column)
{
    Position position = source_position(node->text.span.source, node->text.span.offset);
    ck_assert_uint_eq(position.line, line);
    ck_assert_uint_eq(position.column, column);
}

static void assert_same_tree(const Node *a, const Node *b)
{
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_uint_eq(a->text.span.offset, b->text.span.offset);
    ck_assert_uint_eq(a->text.span.length, b->text.span.length);
    ck_assert_ptr_eq(a->text.span.source, b->text.span.source);
    ck_assert_int_eq(a->text.verbatim, b->text.verbatim);
    ck_assert(a->kind != NODE_SCALAR || text_same(a->text, b->text));
    for (size_t i = 0; i < a->count; i++) {
        if (a->kind == NODE_MAP)
            assert_same_tree(a->keys[i], b->keys[i]);
        assert_same_tree(a->values[i], b->values[i]);
    }
}

START_TEST(trees_of_the_build_are_those_of_libyaml)
{
    Fixture *fixture = fixture_open();
    ck_assert_uint_gt(builtin_file_count, 100);
    for (size_t i = 0; i < builtin_tree_count; i++) {
        const BuiltinFile *file = &builtin_files[i];
        NodeArray documents = {0};
        const Source *source =
            source_from_text(fixture->arena, file->path, file->text, file->length);
        ck_assert(yaml_parse(fixture->arena, source, &documents, &fixture->diag));
        assert_same_tree(documents.items[0],
                         builtin_tree_read(fixture->arena, &builtin_trees[i], source));
    }
    ck_assert(builtin_tree_count == 0 || builtin_tree_count == builtin_file_count);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_tree_knows_where_it_stood)
{
    Fixture *fixture = fixture_open();
    NodeArray documents = {0};
    ck_assert(
        parse(fixture, "a: 1\nlist:\n  - µ: x\n  - 'it''s'\nmap: {b: [c, \"d\"]}\n", &documents));
    ck_assert_uint_eq(documents.count, 1);
    const Node *root = documents.items[0];
    ck_assert_uint_eq(root->count, 3);
    assert_place(node_get(root, "a"), 1, 4);
    const Node *list = node_get(root, "list");
    ck_assert_int_eq(list->kind, NODE_LIST);
    ck_assert_uint_eq(list->count, 2);
    assert_place(node_get(list->values[0], "µ"), 3, 8);
    assert_place(list->values[0], 3, 5);
    ck_assert_str_eq(node_string(fixture->arena, list->values[1]), "it's");
    const Node *flow = node_get(node_get(root, "map"), "b");
    assert_place(flow->values[0], 5, 11);
    ck_assert_str_eq(node_string(fixture->arena, flow->values[1]), "d");
    ck_assert_ptr_null(node_get(root, "none"));
    fixture_close(fixture);
}
END_TEST

/* The place of a piece of a scalar, found through quotes and folds. */
static const struct {
    const char *yaml, *value;
    size_t offset, line, column;
} pieces[] = {
    {"a: p + rot\n", "p + rot", 4, 1, 8},
    {"a: 'p + rot'\n", "p + rot", 4, 1, 9},
    {"a: \"p + rot\"\n", "p + rot", 4, 1, 9},
    {"µ: p + rot\n", "p + rot", 4, 1, 8},
};

START_TEST(pieces_of_scalars_are_found)
{
    Fixture *fixture = fixture_open();
    NodeArray documents = {0};
    ck_assert(parse(fixture, pieces[_i].yaml, &documents));
    Text text = documents.items[0]->values[0]->text;
    ck_assert(text_equals(text, pieces[_i].value));
    Span span = text_span(text, pieces[_i].offset, 3);
    Position position = source_position(span.source, span.offset);
    ck_assert_uint_eq(position.line, pieces[_i].line);
    ck_assert_uint_eq(position.column, pieces[_i].column);
    fixture_close(fixture);
}
END_TEST

/* Text that is not in the source as it is cannot be pointed into: its span is the whole scalar. */
START_TEST(pieces_of_changed_scalars_stay_inside)
{
    static const char *const yamls[] = {"a: \"\\x70 + rot\"\n", "a: >-\n  p +\n  rot\n",
                                        "a: p +\n  rot\n", "a: 'p +\n  rot'\n",
                                        "a: |\n  p +\n  rot\n"};
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof yamls / sizeof *yamls; i++) {
        NodeArray documents = {0};
        ck_assert(parse(fixture, yamls[i], &documents));
        Text text = documents.items[0]->values[0]->text;
        for (size_t at = 0; at <= text.length; at++) {
            Span span = text_span(text, at, 1);
            ck_assert_uint_ge(span.offset, 3);
            ck_assert_uint_le(span.offset + span.length, strlen(yamls[i]));
        }
    }
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *yaml;
    size_t line, column;
} mistakes[] = {
    {"a: 1\nb: 2\na: 3\n", 3, 1},
    {"a: {b: 1, c: 2, b: 3}\n", 1, 17},
    {"a: &x 1\n", 1, 4},
    {"a: &x [1, *x]\n", 1, 4},
    {"a: *x\n", 1, 4},
    {"a: !!int 1\n", 1, 4},
    {"a: !mine {b: 1}\n", 1, 4},
    {"? [a, b]\n: 1\n", 1, 3},
    {"a: [1, 2\n", 2, 1},
    {"a: 1\n b: 2\n", 2, 3},
    {"a: \xff\n", 1, 4},
    {"a: 1\nb: \xc0\xaf\n", 2, 4},
    {"a: \xed\xa0\x80\n", 1, 4},
    {"µ: \xf8\n", 1, 4},
};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    NodeArray documents = {0};
    ck_assert(!parse(fixture, mistakes[_i].yaml, &documents));
    assert_error_at(fixture, "y", mistakes[_i].line, mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(equal_keys_show_both_places)
{
    Fixture *fixture = fixture_open();
    NodeArray documents = {0};
    ck_assert(!parse(fixture, "first: 1\nb:\n  c: 1\n  d: 1\n  'c': 2\n", &documents));
    const char *messages = take_messages(fixture);
    ck_assert_msg(strncmp(messages, "y:5:4: error", 12) == 0, "%s", messages);
    ck_assert_msg(strstr(messages, "y:3:3: note") != NULL, "%s", messages);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_nul_byte_is_refused)
{
    Fixture *fixture = fixture_open();
    NodeArray documents = {0};
    ck_assert(!parse_bytes(fixture, "a: 1\nb: \0x\n", 11, &documents));
    assert_error_at(fixture, "y", 2, 4);
    fixture_close(fixture);
}
END_TEST

static bool parse_nested(Fixture *fixture, int depth)
{
    NodeArray documents = {0};
    char *yaml = arena_alloc(fixture->arena, 2 * (size_t)depth + 8);
    memset(yaml, '[', (size_t)depth);
    memset(yaml + depth, ']', (size_t)depth);
    return parse(fixture, yaml, &documents);
}

START_TEST(deep_nesting_is_refused)
{
    Fixture *fixture = fixture_open();
    ck_assert(parse_nested(fixture, 60));
    ck_assert(!parse_nested(fixture, 70));
    assert_error(fixture);
    ck_assert(!parse_nested(fixture, 200000));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

START_TEST(all_documents_are_read)
{
    Fixture *fixture = fixture_open();
    NodeArray documents = {0};
    ck_assert(parse(fixture, "a: 1\n---\nb: 2\n---\nc: 3\n", &documents));
    ck_assert_uint_eq(documents.count, 3);
    assert_place(node_get(documents.items[2], "c"), 5, 4);
    fixture_close(fixture);
}
END_TEST

START_TEST(empty_text_has_no_documents)
{
    static const char *const empties[] = {"", "\n\n", "# only a comment\n"};
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof empties / sizeof *empties; i++) {
        NodeArray documents = {0};
        ck_assert(parse(fixture, empties[i], &documents));
        ck_assert_uint_eq(documents.count, 0);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(one_value_serves_as_a_list)
{
    Fixture *fixture = fixture_open();
    NodeArray documents = {0};
    ck_assert(parse(fixture, "a: b\nc: [d, e]\n", &documents));
    const Node *one = node_get(documents.items[0], "a"), *two = node_get(documents.items[0], "c");
    ck_assert_uint_eq(node_item_count(one), 1);
    ck_assert_ptr_eq(node_item(one, 0), one);
    ck_assert_uint_eq(node_item_count(two), 2);
    ck_assert_str_eq(node_string(fixture->arena, node_item(two, 1)), "e");
    fixture_close(fixture);
}
END_TEST

Suite *yaml_suite(void)
{
    Suite *suite = suite_create("yaml");
    TCase *trees = tcase_create("trees");
    tcase_add_test(trees, a_tree_knows_where_it_stood);
    tcase_add_loop_test(trees, pieces_of_scalars_are_found, 0, sizeof pieces / sizeof *pieces);
    tcase_add_test(trees, pieces_of_changed_scalars_stay_inside);
    tcase_add_test(trees, all_documents_are_read);
    tcase_add_test(trees, empty_text_has_no_documents);
    tcase_add_test(trees, one_value_serves_as_a_list);
    tcase_add_test(trees, trees_of_the_build_are_those_of_libyaml);
    suite_add_tcase(suite, trees);
    TCase *errors = tcase_create("errors");
    tcase_add_loop_test(errors, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(errors, equal_keys_show_both_places);
    tcase_add_test(errors, a_nul_byte_is_refused);
    tcase_add_test(errors, deep_nesting_is_refused);
    suite_add_tcase(suite, errors);
    return suite;
}

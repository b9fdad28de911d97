#include "format/charts.h"
#include "format/decision_map.h"
#include "format/network_layout.h"
#include "format/network_picture.h"
#include "format/picture.h"

#include "cost/derive_timeline.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *svg_of(Fixture *fixture, const Drawing *drawing)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    ck_assert_ptr_null(svg_write(stream, drawing));
    fclose(stream);
    const char *copy = arena_copy(fixture->arena, text, length);
    free(text);
    return copy;
}

static const Mark *text_at(Drawing *drawing, double x, double y, const char *text)
{
    return drawing_text(drawing, STYLE_LABEL, (Point){x, y}, ANCHOR_START, text);
}

START_TEST(texts_are_escaped)
{
    Fixture *fixture = fixture_open();
    Drawing *drawing = drawing_create(fixture->arena, "a < b & \"c\"");
    Mark *mark = drawing_text(drawing, STYLE_LABEL, (Point){0, 0}, ANCHOR_MIDDLE, "<b>&amp;");
    drawing_explain(drawing, mark, "x > y");
    const char *svg = svg_of(fixture, drawing);
    ck_assert_ptr_nonnull(strstr(svg, "<title>a &lt; b &amp; &quot;c&quot;</title>"));
    ck_assert_ptr_nonnull(strstr(svg, "<title>x &gt; y</title>&lt;b&gt;&amp;amp;</text>"));
    fixture_close(fixture);
}
END_TEST

/* XML has no control characters, and neither carrier takes bytes that are no UTF-8. */
START_TEST(bytes_that_are_no_characters_are_replaced)
{
    static const char *const pairs[][2] = {
        {"a\tb\x1b[1m\x7f", "a b?[1m?"}, {"caf\xc3\xa9 \xe2\x88\x9e", "caf\xc3\xa9 \xe2\x88\x9e"},
        {"\xff\xc0\x80", "???"},         {"\xc3", "?"},
        {"\xed\xa0\x80", "???"},         {"\xe2\x88", "??"},
        {"\xef\xbf\xbe", "???"},         {"\xf0\x9f\x99\x82", "\xf0\x9f\x99\x82"},
        {"\xf0\x80\x80\x80", "????"},    {"\xf4\x90\x80\x80", "????"},
    };
    Fixture *fixture = fixture_open();
    Drawing *drawing = drawing_create(fixture->arena, "");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_str_eq(text_at(drawing, 0, 0, pairs[i][0])->text, pairs[i][1]);
    fixture_close(fixture);
}
END_TEST

/* Advance widths of DejaVu Sans, in thousandths of the size. */
START_TEST(widths_are_on_the_safe_side)
{
    static const struct {
        char letter;
        int width;
    } letters[] = {{'a', 613},  {'i', 278}, {'m', 974}, {'w', 818}, {'0', 636}, {' ', 318},
                   {'M', 863},  {'W', 989}, {'Q', 787}, {'O', 787}, {'B', 686}, {'K', 656},
                   {'/', 337},  {'r', 411}, {'t', 392}, {'_', 500}, {'~', 838}, {'=', 838},
                   {'@', 1000}, {'"', 460}, {'*', 500}, {'#', 838}, {'%', 950}, {'&', 780}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        char text[] = {letters[i].letter, '\0'};
        double size = style_info[STYLE_LABEL].size;
        ck_assert_msg(text_width(STYLE_LABEL, text) >= letters[i].width * size / 1000,
                      "'%s' is wider", text);
    }
    ck_assert_double_gt(text_width(STYLE_STRONG, "wide"), text_width(STYLE_LABEL, "wide"));
}
END_TEST

START_TEST(long_texts_are_shortened)
{
    Fixture *fixture = fixture_open();
    const char *text = "caf\xc3\xa9 caf\xc3\xa9 caf\xc3\xa9";
    double width = text_width(STYLE_LABEL, text);
    ck_assert_str_eq(text_shorten(fixture->arena, STYLE_LABEL, text, width), text);
    ck_assert_str_eq(text_shorten(fixture->arena, STYLE_LABEL, "aaaaaaaa", 50), "aaaa...");
    for (double w = width; w > 0; w -= 3) {
        const char *shorter = text_shorten(fixture->arena, STYLE_LABEL, text, w);
        const Mark *mark = text_at(drawing_create(fixture->arena, ""), 0, 0, shorter);
        ck_assert_str_eq(mark->text, shorter); /* no character was cut in two */
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(labels_that_overlap_are_refused)
{
    Fixture *fixture = fixture_open();
    Drawing *drawing = drawing_create(fixture->arena, "");
    double width = text_width(STYLE_LABEL, "label");
    ck_assert_ptr_nonnull(
        drawing_label(drawing, STYLE_LABEL, (Point){0, 0}, ANCHOR_START, "label"));
    ck_assert_ptr_null(
        drawing_label(drawing, STYLE_LABEL, (Point){width - 1, 5}, ANCHOR_START, "label"));
    ck_assert_ptr_nonnull(
        drawing_label(drawing, STYLE_LABEL, (Point){width + 1, 5}, ANCHOR_START, "label"));
    ck_assert_ptr_null(drawing_label(drawing, STYLE_LABEL, (Point){-1, 0}, ANCHOR_MIDDLE, "label"));
    ck_assert_ptr_nonnull(drawing_label(drawing, STYLE_LABEL, (Point){-1, 0}, ANCHOR_END, "label"));
    ck_assert_uint_eq(drawing->marks.count, 3);
    fixture_close(fixture);
}
END_TEST

START_TEST(boxes_hold_what_is_drawn)
{
    Fixture *fixture = fixture_open();
    Drawing *drawing = drawing_create(fixture->arena, "");
    Mark *curve =
        drawing_curve(drawing, STYLE_AXIS, (Point){0, 0}, (Point){50, -100}, (Point){100, 0});
    ck_assert_double_eq_tol(mark_box(curve).least.y, -50, 1); /* half of the curve to the control */
    ck_assert_double_eq_tol(mark_box(curve).most.x, 100, 1);
    drawing_circle(drawing, STYLE_RANK, (Point){200, 0}, 30);
    drawing_text(drawing, STYLE_LABEL, (Point){0, 90}, ANCHOR_END, "left");
    Box box = drawing_box(drawing);
    ck_assert_double_gt(box.most.x, 230);
    ck_assert_double_lt(box.least.x, -text_width(STYLE_LABEL, "left"));
    ck_assert_double_gt(box.most.y, 95);
    fixture_close(fixture);
}
END_TEST

START_TEST(files_are_told_apart_by_their_ends)
{
    Fixture *fixture = fixture_open();
    ck_assert_ptr_nonnull(picture_writer(text_of(fixture, "a.b/c.svg"), &fixture->diag));
    ck_assert_ptr_nonnull(picture_writer(text_of(fixture, "PLOT.SVG"), &fixture->diag));
    ck_assert_ptr_nonnull(picture_writer(text_of(fixture, "-"), &fixture->diag));
    assert_no_error(fixture);
    static const char *const bad[] = {"svg", "", ".", "plot.svgz", "plot.sv", "a.svg/b", "x.svg "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_ptr_null(picture_writer(text_of(fixture, bad[i]), &fixture->diag));
        assert_error(fixture);
    }
    fixture_close(fixture);
}
END_TEST

static const Mark *find_mark(const Drawing *drawing, Style style, size_t number)
{
    for (size_t i = 0; i < drawing->marks.count; i++)
        if (drawing->marks.items[i].style == style && number-- == 0)
            return &drawing->marks.items[i];
    ck_abort_msg("there is no such mark");
}

static Heading no_heading(void)
{
    return (Heading){.title = "title"};
}

/* Times m ns and 2 m ns from 1 B to 1 MiB are parallel lines, drawn from end to end without points
   between; the second ends above the first, by the logarithm of 2. */
START_TEST(curves_are_where_their_values_are)
{
    enum { COUNT = 21 };
    double sizes[COUNT], slow[COUNT], fast[COUNT];
    for (int i = 0; i < COUNT; i++) {
        sizes[i] = ldexp(1, i);
        fast[i] = 1e-9 * sizes[i];
        slow[i] = 2 * fast[i];
    }
    Fixture *fixture = fixture_open();
    const CostCurve curves[] = {{"slow", slow, 0}, {"fast", fast, 1}};
    const CostPiece piece = {sizes[0], sizes[COUNT - 1], 1, NULL};
    const CostPoint point = {sizes[5], fast[5], 0, "a time"};
    const CostCurves data = {no_heading(), "size", COUNT,  sizes, 2,    curves, NULL, 1,
                             &piece,       1,      &point, {0},   NULL, false};
    const Drawing *drawing = cost_curves_draw(fixture->arena, &data);
    const Mark *upper = find_mark(drawing, STYLE_CURVE0, 0);
    const Mark *lower = find_mark(drawing, STYLE_CURVE1, 0);
    ck_assert_uint_eq(upper->count, 2);
    ck_assert_uint_eq(lower->count, 2);
    double octave = (lower->points[0].y - lower->points[1].y) / (COUNT - 1);
    ck_assert_double_gt(octave, 1);
    assert_near(lower->points[1].y - upper->points[1].y, octave, 1e-9);
    assert_near(lower->points[0].y - upper->points[0].y, octave, 1e-9);
    const Mark *circle = find_mark(drawing, STYLE_POINT0, 0);
    ck_assert_int_eq(circle->kind, MARK_CIRCLE);
    assert_near(lower->points[0].y - circle->points[0].y, 5 * octave, 1e-9);
    const Mark *strip = find_mark(drawing, STYLE_REGION1, 0);
    ck_assert_double_eq_tol(strip->points[0].x, lower->points[0].x, 1e-9);
    ck_assert_double_eq_tol(strip->points[1].x, lower->points[1].x, 1e-9);
    fixture_close(fixture);
}
END_TEST

static const char *show_number(Arena *arena, double value)
{
    return arena_printf(arena, "%g", value);
}

/* Heights 1, 2, 4, 8 on an even axis, of which 3 is the most that is shown: the curve ends there,
   half way to 4. What lies above a bound of 2 is hatched from there to the top. */
START_TEST(curves_end_at_the_top)
{
    const double sizes[] = {1, 2, 4, 8}, values[] = {1, 2, 4, 8}, bound[] = {2, 2, 2, 2};
    Fixture *fixture = fixture_open();
    const CostCurve curve = {"curve", values, 0};
    const CostCurves data = {.heading = no_heading(),
                             .size_title = "size",
                             .size_count = 4,
                             .sizes = sizes,
                             .curve_count = 1,
                             .curves = &curve,
                             .bound = bound,
                             .heights = {"height", show_number, true, true, NULL, 3}};
    const Drawing *drawing = cost_curves_draw(fixture->arena, &data);
    const Mark *drawn = find_mark(drawing, STYLE_CURVE0, 0);
    const Point *ends = &drawn->points[0], *top = &drawn->points[drawn->count - 1];
    const Mark *hatched = find_mark(drawing, STYLE_BEYOND, 0);
    assert_near(top->x - ends->x, 1.5 / 3 * (hatched->points[4].x - hatched->points[0].x), 1e-9);
    assert_near(hatched->points[0].y, top->y, 1e-9);
    assert_near(hatched->points[1].y - top->y, (ends->y - top->y) / 2, 1e-9);
    fixture_close(fixture);
}
END_TEST

START_TEST(curves_without_time_are_not_drawn)
{
    Fixture *fixture = fixture_open();
    const double sizes[] = {1, 2, 4}, none[] = {0, 0, 0}, some[] = {0, 1, NAN};
    CostCurve curve = {"curve", none, 0};
    const CostCurves data = {no_heading(), "size", 3,    sizes, 1,    &curve, none, 0,
                             NULL,         0,      NULL, {0},   NULL, false};
    ck_assert_ptr_null(cost_curves_draw(fixture->arena, &data));
    curve.values = some;
    ck_assert_ptr_nonnull(cost_curves_draw(fixture->arena, &data));
    fixture_close(fixture);
}
END_TEST

/* From 1 B to 256 B another wins from 16 B on, which is half of the curve. */
START_TEST(regions_end_at_switch_points)
{
    Fixture *fixture = fixture_open();
    MapPiece pieces[] = {{.from = 1, .to = 16, .winner = 0}, {.from = 16, .to = 256, .winner = 1}};
    const char *winners[] = {"first", "second"};
    MapColumn columns[] = {{.p = 2, .network = "full:2", .pieces = {pieces, 2, 2}},
                           {.p = 3, .network = "full:3"}};
    const DecisionMap map = {.arena = fixture->arena,
                             .collective = "reduce",
                             .topology = "full",
                             .from = 1,
                             .to = 256,
                             .columns = {columns, 2, 2},
                             .winners = {winners, 2, 2}};
    const Heading heading = no_heading();
    const Drawing *drawing = winner_map_draw(fixture->arena, &map, &heading, "size");
    const Mark *first = find_mark(drawing, STYLE_REGION0, 0);
    const Mark *second = find_mark(drawing, STYLE_REGION1, 0);
    double wide = second->points[1].x - first->points[0].x;
    ck_assert_double_eq_tol(first->points[1].x - first->points[0].x, wide / 2, 1e-9);
    ck_assert_double_eq_tol(second->points[0].x, first->points[1].x, 1e-9);
    ck_assert_ptr_nonnull(strstr(svg_of(fixture, drawing), "no algorithm runs here"));
    fixture_close(fixture);
}
END_TEST

static size_t count_texts(const Drawing *drawing, Style style, const char *text)
{
    size_t count = 0;
    for (size_t i = 0; i < drawing->marks.count; i++) {
        const Mark *mark = &drawing->marks.items[i];
        count += mark->kind == MARK_TEXT && mark->style == style && strcmp(mark->text, text) == 0;
    }
    return count;
}

/* Two win alternately in low rows: each row has a name, or the letter of its winner. */
START_TEST(every_region_has_a_name_or_a_letter)
{
    enum { ROWS = 40 };
    Fixture *fixture = fixture_open();
    MapPiece pieces[] = {{.from = 1, .to = 256, .winner = 0}, {.from = 1, .to = 256, .winner = 1}};
    const char *winners[] = {"first", "second"};
    MapColumn columns[ROWS];
    for (int i = 0; i < ROWS; i++)
        columns[i] = (MapColumn){.p = i + 2, .network = "n", .pieces = {&pieces[i / 2 % 2], 1, 1}};
    const DecisionMap map = {.arena = fixture->arena,
                             .collective = "reduce",
                             .topology = "full",
                             .from = 1,
                             .to = 256,
                             .columns = {columns, ROWS, ROWS},
                             .winners = {winners, 2, 2}};
    const Heading heading = no_heading();
    const Drawing *drawing = winner_map_draw(fixture->arena, &map, &heading, "size");
    for (int winner = 0; winner < 2; winner++) {
        const char *letter = winner ? "b" : "a";
        ck_assert_uint_eq(count_texts(drawing, STYLE_LABEL, winners[winner]), 1);
        ck_assert_uint_eq(count_texts(drawing, STYLE_LABEL, letter) +
                              count_texts(drawing, STYLE_SMALL, letter),
                          ROWS / 4 - 1);
    }
    fixture_close(fixture);
}
END_TEST

static void assert_apart(Fixture *fixture, const char *name)
{
    Network network = network_named(fixture, name, TIES_PLUS);
    NetworkLinks links = network_links(fixture->arena, &network);
    const Point *places = network_places(fixture->arena, &network, &links, false);
    for (int64_t a = 0; a < network.node_count; a++)
        for (int64_t b = a + 1; b < network.node_count; b++)
            ck_assert_msg(hypot(places[a].x - places[b].x, places[a].y - places[b].y) >=
                              network_gap * (1 - 1e-9),
                          "%s: nodes %d and %d stand too near", name, (int)a, (int)b);
}

START_TEST(nodes_stand_apart)
{
    static const char *const names[] = {
        "full:2",           "full:40",      "ring:3",         "uniring:12",     "linear:9",
        "star:3",           "star:30",      "tree:31",        "tree:6",         "mesh:4x4x4",
        "mesh:2x2x2x2x2x2", "torus:7x5",    "torus:3x4x2",    "hypercube:64",   "cluster:4x8",
        "cluster:1x1",      "cluster:12x2", "fat-tree:2x3x4", "fat-tree:1x2x2", "dragonfly:5x4x2",
        "dragonfly:9x4x2"};
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_apart(fixture, names[i]);
    fixture_close(fixture);
}
END_TEST

/* Both directions of a link of one class are one link of the picture. */
START_TEST(links_are_counted_once)
{
    static const struct {
        const char *name;
        size_t links;
        bool both;
    } networks[] = {{"ring:8", 8, true},     {"uniring:8", 8, false},    {"full:8", 28, true},
                    {"torus:4x4", 32, true}, {"hypercube:16", 32, true}, {"cluster:2x3", 8, true},
                    {"ring:2", 1, true},     {"uniring:2", 1, true},     {"ring:1", 0, true}};
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        Network network = network_named(fixture, networks[i].name, TIES_PLUS);
        NetworkLinks links = network_links(fixture->arena, &network);
        ck_assert_msg(links.count == networks[i].links, "%s has %zu", networks[i].name,
                      links.count);
        for (size_t l = 0; l < links.count; l++)
            ck_assert_int_eq(links.items[l].both, networks[i].both);
    }
    fixture_close(fixture);
}
END_TEST

/* Where a link is after `share` of its curve. */
static Point along(const LinkCurve *curve, double share)
{
    const Point *p = curve->points;
    if (curve->count == 3) {
        double a = (1 - share) * (1 - share), b = 2 * share * (1 - share), c = share * share;
        return (Point){a * p[0].x + b * p[1].x + c * p[2].x, a * p[0].y + b * p[1].y + c * p[2].y};
    }
    size_t part = (size_t)(share * (double)(curve->count - 1));
    part = part < curve->count - 2 ? part : curve->count - 2;
    double rest = share * (double)(curve->count - 1) - (double)part;
    return (Point){p[part].x + rest * (p[part + 1].x - p[part].x),
                   p[part].y + rest * (p[part + 1].y - p[part].y)};
}

static double apart(Point a, Point b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

/* How far a point is from a link, which is taken as so many straight parts. */
static double beside(Point at, const LinkCurve *curve)
{
    enum { PARTS = 30 };
    double least = INFINITY;
    for (int i = 0; i < PARTS; i++) {
        Point a = along(curve, (double)i / PARTS), b = along(curve, (i + 1.0) / PARTS);
        double length = fmax(apart(a, b), 1e-9), x = (b.x - a.x) / length, y = (b.y - a.y) / length;
        double share = fmin(length, fmax(0, (at.x - a.x) * x + (at.y - a.y) * y));
        least = fmin(least, apart(at, (Point){a.x + share * x, a.y + share * y}));
    }
    return least;
}

/* In steps of some pixels: the link comes near no node but its own, and runs at few on another. */
static void assert_followed(const Network *network, const NetworkLinks *links, const Point *places,
                            const LinkCurve *curves, size_t index)
{
    const double step = 6, longest_shared = 42;
    const NetworkLink *link = &links->items[index], *others = links->items;
    int steps = (int)(1.2 * apart(places[link->from], places[link->to]) / step) + 10;
    int shared[1024] = {0};
    for (int s = 0; s <= steps; s++) {
        Point at = along(&curves[index], (double)s / steps);
        if (fmin(apart(at, places[link->from]), apart(at, places[link->to])) < node_radius)
            continue;
        for (int64_t n = 0; n < network->node_count; n++)
            ck_assert_msg(n == link->from || n == link->to || apart(at, places[n]) > node_radius,
                          "%s: link %lld-%lld at node %lld", network->name, (long long)link->from,
                          (long long)link->to, (long long)n);
        for (size_t i = 0; i < links->count; i++) {
            shared[i] += i != index && beside(at, &curves[i]) < 1;
            ck_assert_msg(shared[i] * step < longest_shared, "%s: links %lld-%lld and %lld-%lld",
                          network->name, (long long)link->from, (long long)link->to,
                          (long long)others[i].from, (long long)others[i].to);
        }
    }
}

static const struct {
    const char *topology, *sizes;
} followed[] = {{"torus", "3x3x3"},    {"torus", "4x4x3"}, {"mesh", "3x3x3x2"}, {"torus", "4x4"},
                {"hypercube", "32"},   {"torus", "5x3"},   {"full", "12"},      {"ring", "7"},
                {"fat-tree", "4x2x4"}, {"cluster", "3x4"}, {"tree", "15"},      {"uniring", "5"},
                {"dragonfly", "4x3x2"}};

START_TEST(every_link_of_a_picture_can_be_followed)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(
        fixture, arena_printf(fixture->arena, "%s:%s", followed[_i].topology, followed[_i].sizes),
        TIES_PLUS);
    NetworkLinks links = network_links(fixture->arena, &network);
    const Point *places = network_places(fixture->arena, &network, &links, false);
    const LinkCurve *curves = link_curves_find(fixture->arena, &network, &links, places);
    ck_assert_ptr_nonnull(curves);
    for (size_t i = 0; i < links.count; i++)
        assert_followed(&network, &links, places, curves, i);
    fixture_close(fixture);
}
END_TEST

/* Without barriers: the last message, or its combining, ends when all is done; nothing starts
   before 0, and a rank's sends follow one another. */
static void assert_spans(Fixture *fixture, const char *algorithm, int64_t p, Combining combining)
{
    Profile profile;
    Network network = network_of(fixture, "full", p);
    Instance instance = instance_of(fixture, algorithm, p, 0, 4);
    Rules rules = rules_of((Prices){1e-6, 1e-8, 1e-9, 1e-10}, 1);
    rules.asynchronous = true;
    rules.combining = combining;
    instance.shape = &network.shape;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    size_t count = profile.timeline->messages.count;
    MessageSpan *spans = ARENA_ARRAY(fixture->arena, MessageSpan, count);
    double bytes = 1e6, last = 0;
    double *free_from = ARENA_ARRAY(fixture->arena, double, p);
    timeline_run(&(TimelineRun){.timeline = profile.timeline,
                                .paths = profile.paths,
                                .parameters = rules.parameters,
                                .block = profile_block(&profile, bytes),
                                .spans = spans});
    for (size_t i = 0; i < count; i++) {
        const TimedMessage *message = &profile.timeline->messages.items[i];
        ck_assert_double_ge(spans[i].start, free_from[message->from]);
        ck_assert_double_gt(spans[i].end, spans[i].start);
        ck_assert_double_ge(spans[i].combine_start, spans[i].end);
        ck_assert_double_ge(spans[i].combine_end, spans[i].combine_start);
        free_from[message->from] = spans[i].end;
        last = fmax(last, spans[i].combine_end);
    }
    assert_near(last, cost_total(profile_cost(&profile, rules.parameters, bytes)), 1e-12);
}

START_TEST(spans_end_with_the_whole)
{
    Fixture *fixture = fixture_open();
    static const char *const algorithms[] = {"reduce/pipelined-chain", "reduce/binomial",
                                             "broadcast/pipelined-binary-tree", "allreduce/ring"};
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        assert_spans(fixture, algorithms[i], 7, COMBINING_AFTER);
        assert_spans(fixture, algorithms[i], 7, COMBINING_OVERLAP);
    }
    fixture_close(fixture);
}
END_TEST

Suite *drawing_suite(void)
{
    Suite *suite = suite_create("drawing");
    TCase *links = tcase_create("links"), *cases = tcase_create("drawing");
    tcase_set_tags(links, "slow");
    tcase_add_test(cases, texts_are_escaped);
    tcase_add_loop_test(links, every_link_of_a_picture_can_be_followed, 0,
                        sizeof followed / sizeof *followed);
    tcase_add_test(cases, bytes_that_are_no_characters_are_replaced);
    tcase_add_test(cases, widths_are_on_the_safe_side);
    tcase_add_test(cases, long_texts_are_shortened);
    tcase_add_test(cases, labels_that_overlap_are_refused);
    tcase_add_test(cases, boxes_hold_what_is_drawn);
    tcase_add_test(cases, files_are_told_apart_by_their_ends);
    tcase_add_test(cases, curves_are_where_their_values_are);
    tcase_add_test(cases, curves_end_at_the_top);
    tcase_add_test(cases, curves_without_time_are_not_drawn);
    tcase_add_test(cases, regions_end_at_switch_points);
    tcase_add_test(cases, every_region_has_a_name_or_a_letter);
    tcase_add_test(cases, nodes_stand_apart);
    tcase_add_test(cases, links_are_counted_once);
    tcase_add_test(cases, spans_end_with_the_whole);
    suite_add_tcase(suite, links);
    suite_add_tcase(suite, cases);
    return suite;
}

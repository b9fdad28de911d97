#include "format/drawing.h"

#include "unit.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double parts[3];
} Triple;

/* Vision without one kind of cones, on linear RGB: Machado, Oliveira and Fernandes, A
   Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE TVCG 15(6), 2009,
   table 1, severity 1. */
enum { VISIONS = 4 };
static const double visions[VISIONS][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

/* Linear XYZ of sRGB, white is (0.95047, 1, 1.08883); luminance is the second. */
static const double to_xyz[3][3] = {
    {0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}};

static Triple multiply(const double matrix[3][3], Triple vector)
{
    Triple product = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            product.parts[i] += matrix[i][j] * vector.parts[j];
    return product;
}

static Triple linear_of(const char *colour)
{
    long value = strtol(colour + 1, NULL, 16);
    Triple linear;
    for (int i = 0; i < 3; i++) {
        double part = (double)(value >> (16 - 8 * i) & 255) / 255;
        linear.parts[i] = part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
    }
    return linear;
}

static double lightness(double part)
{
    return part > 0.008856 ? cbrt(part) : 7.787 * part + 16. / 116;
}

/* CIE L*a*b*, in which distances are about those that people see. */
static Triple seen(const char *colour, int vision)
{
    Triple rgb = multiply(visions[vision], linear_of(colour));
    for (int i = 0; i < 3; i++)
        rgb.parts[i] = fmin(1, fmax(0, rgb.parts[i]));
    Triple xyz = multiply(to_xyz, rgb);
    double x = lightness(xyz.parts[0] / 0.95047), y = lightness(xyz.parts[1]);
    double z = lightness(xyz.parts[2] / 1.08883);
    return (Triple){{116 * y - 16, 500 * (x - y), 200 * (y - z)}};
}

static double distance(const char *a, const char *b, int vision)
{
    Triple left = seen(a, vision), right = seen(b, vision);
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += pow(left.parts[i] - right.parts[i], 2);
    return sqrt(sum);
}

static const char *colour_of(int style, int scheme)
{
    const StyleInfo *info = &style_info[style];
    return info->stroke[0] && !info->size ? info->stroke[scheme] : info->fill[scheme];
}

/* 2.3 is a difference that is just seen side by side; ten is one that is seen at a glance. */
static void assert_distinct(int first, int count)
{
    for (int vision = 0; vision < VISIONS; vision++)
        for (int scheme = 0; scheme < 2; scheme++)
            for (int a = first; a < first + count; a++)
                for (int b = a + 1; b < first + count; b++)
                    ck_assert_msg(distance(colour_of(a, scheme), colour_of(b, scheme), vision) > 10,
                                  "%s and %s look alike (vision %d)", colour_of(a, scheme),
                                  colour_of(b, scheme), vision);
}

START_TEST(colours_are_told_apart)
{
    assert_distinct(STYLE_LINK0, LINK_STYLES);
    assert_distinct(STYLE_CURVE0, CURVE_STYLES);
    assert_distinct(STYLE_REGION0, REGION_STYLES);
}
END_TEST

/* The contrast ratio of WCAG 2: 4.5 is wanted for texts, 3 for lines. */
static double contrast(const char *a, const char *b)
{
    double left = multiply(to_xyz, linear_of(a)).parts[1];
    double right = multiply(to_xyz, linear_of(b)).parts[1];
    return (fmax(left, right) + 0.05) / (fmin(left, right) + 0.05);
}

static void assert_contrast(int front, int behind, double least)
{
    for (int scheme = 0; scheme < 2; scheme++) {
        double ratio = contrast(colour_of(front, scheme), style_info[behind].fill[scheme]);
        ck_assert_msg(ratio >= least, "%s on %s: %.2f", style_info[front].class,
                      style_info[behind].class, ratio);
    }
}

START_TEST(marks_stand_out)
{
    static const Style texts[] = {STYLE_TITLE, STYLE_LABEL, STYLE_STRONG, STYLE_SMALL, STYLE_NOTE};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_contrast(texts[i], STYLE_PAPER, 4.5);
        assert_contrast(texts[i], STYLE_BAND, 4.5);
    }
    assert_contrast(STYLE_INSIDE, STYLE_TRANSFER, 4.5);
    assert_contrast(STYLE_NODE, STYLE_RANK, 4.5);
    assert_contrast(STYLE_NODE, STYLE_SWITCH, 4.5);
    for (int i = 0; i < REGION_STYLES; i++)
        assert_contrast(STYLE_LABEL, STYLE_REGION0 + i, 4.5);
    for (int i = 0; i < CURVE_STYLES; i++)
        assert_contrast(STYLE_CURVE0 + i, STYLE_PAPER, 3);
    for (int i = 0; i < LINK_STYLES; i++)
        assert_contrast(STYLE_LINK0 + i, STYLE_PAPER, 3);
    assert_contrast(STYLE_LIMIT, STYLE_PAPER, 3);
    assert_contrast(STYLE_ARROW, STYLE_PAPER, 3);
}
END_TEST

Suite *colours_suite(void)
{
    Suite *suite = suite_create("colours");
    TCase *cases = tcase_create("colours");
    tcase_add_test(cases, colours_are_told_apart);
    tcase_add_test(cases, marks_stand_out);
    suite_add_tcase(suite, cases);
    return suite;
}

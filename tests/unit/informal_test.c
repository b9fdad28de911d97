#include "lang/informal.h"

#include "base/random.h"
#include "lang/equation.h"
#include "lang/parse.h"
#include "lang/show.h"
#include "unit.h"

#include <string.h>

/* The last formula of an equation. */
static Expr *read(Fixture *fixture, const char *formula)
{
    Equation equation;
    return equation_read(fixture->arena, text_of(fixture, formula), NULL, &equation, &fixture->diag)
               ? equation.parts.items[equation.parts.count - 1].formula
               : NULL;
}

static const struct {
    const char *written, *meant;
} readings[] = {
    /* what stands side by side */
    {"(ts + m tw)(p-1)", "(ts + m * tw) * (p - 1)"},
    {"2 ts (sqrt p - 1) + m tw (p - 1)", "2 * ts * (sqrt(p) - 1) + m * tw * (p - 1)"},
    {"7 ts + 7 m tw", "7 * ts + 7 * m * tw"},
    {"2 ts + 7/8 m tw", "2 * ts + 7 / 8 * m * tw"},
    {"M/k tw", "M / k * tw"},
    {"a/b c/d", "a / b * c / d"},
    {"a b^2 c", "a * b^2 * c"},
    {"2^k m", "2^k * m"},
    {"-a b", "-a * b"},
    {"a -b", "a - b"},
    {"p(p-1)", "p * (p - 1)"},
    {"2p", "2 * p"},
    {"1.5 m", "15 / 10 * m"},
    {"(p - 1) * (ts + m * tw)", "(p - 1) * (ts + m * tw)"},
    /* functions without parentheses */
    {"log p", "log(p)"},
    {"log2 p", "log(p)"},
    {"lg p", "log(p)"},
    {"log_2 N", "log(N)"},
    {"log_{2} N", "log(N)"},
    {"log_3 N", "log(N, 3)"},
    {"log_{d+1}(p)", "log(p, d + 1)"},
    {"log_k p", "log(p, k)"},
    {"log p (x)", "log(p) * x"},
    {"log p x + y", "log(p) * x + y"},
    {"log sqrt p", "log(sqrt(p))"},
    {"log log p", "log(log(p))"},
    {"log p^2", "log(p^2)"},
    {"log(p)^2", "log(p)^2"},
    {"log^2 p", "log(p)^2"},
    {"log(p) - 1", "log(p) - 1"},
    {"log2(p)", "log(p)"},
    {"log p/2", "log(p) / 2"},
    /* programs and spreadsheets */
    {"log(p, 2)", "log(p)"},
    {"log((p), 3) m", "log(p, 3) * m"},
    {"log(2, p)", "log(p)"},
    {"math.ceil(math.log2(p)) * m", "ceil(log(p)) * m"},
    {"math.log(p, 2) + np.log2(p)", "log(p) + log(p)"},
    {"np.log(p) / np.log(3)", "log(p) / log(3)"},
    {"CEILING(LOG(p,2),1) m", "ceil(log(p)) * m"},
    {"ROUNDUP(LOG2(p), 0) INT(p/2)", "ceil(log(p)) * floor(p / 2)"},
    {"std::floor(std::log2(p))", "floor(log(p))"},
    {"float(p) - 1", "p - 1"},
    {"p // 2 * k", "p div 2 * k"},
    {"((double)(2*(p-1)))/((float)p) * k", "2 * (p - 1) / p * k"},
    {"(int)(p/2) k", "floor(p / 2) * k"},
    {"return ceiling(p / 2) * k;", "ceil(p / 2) * k"},
    {"/* ring */ p - k", "p - k"},
    {"p - k /* ring */", "p - k"},
    {"p - k // ring", "p - k"},
    {"ld p + lb(p)", "log(p) + log(p)"},
    {"log 2^k", "log(2^k)"},
    {"sqrt p x", "sqrt(p) * x"},
    {"√p", "sqrt(p)"},
    {"2√p - 2", "2 * sqrt(p) - 2"},
    {"√(p/2) ts", "sqrt(p / 2) * ts"},
    /* brackets */
    {"ceil(log2 p)", "ceil(log(p))"},
    {"⌈log2 N⌉", "ceil(log(N))"},
    {"⌊p/2⌋ m", "floor(p / 2) * m"},
    {"[a + b] {c}", "(a + b) * c"},
    {"max(a, b, c)", "max(max(a, b), c)"},
    {"\\max\\{a, b\\}", "max(a, b)"},
    /* letters */
    {"α β γ τ", "alpha * beta * gamma * tau"},
    {"nβ", "n * beta"},
    {"t_s t_h t_w t_c", "ts * th * tw * tc"},
    {"𝑝 𝛼 + 𝑛𝛽", "p * alpha + n * beta"},
    {"a·b × c − d", "a * b * c - d"},
    {"power_of_two(p)", "power_of_two(p)"},
    /* LaTeX */
    {"{\\log _2}p x", "log(p) * x"},
    {"\\left\\lceil {{{\\log }_2}p} \\right\\rceil {T}_{s}", "ceil(log(p)) * Ts"},
    {"{{\\log }_{d+1}}^2 p", "log(p, d + 1)^2"},
    {"a ={}& {}-b + \\log{}_2 p", "-b + log(p)"},
    {"{\\log p}{\\lg}q", "log(p) * log(q)"},
    {"\\sum^{p-1}_{i=1} a", "sum(i, 1, p - 1, a)"},
    {"Σ_{i=1}^p a", "sum(i, 1, p, a)"},
    {"\\nicefrac{a}{b} \\left. \\ell \\lvert p \\rvert \\right.", "a / b * l * p"},
    {"t_s \\log p + m t_w (p-1)", "ts * log(p) + m * tw * (p - 1)"},
    {"\\sqrt{p}", "sqrt(p)"},
    {"\\boxed{T = p - k}", "p - k"},
    {"\\overbrace{(p-1) a}^{\\text{few}} + \\boxed{b}", "(p - 1) * a + b"},
    {"\\textcolor{red}{a} + \\boldsymbol{\\beta}\\texttt{b}", "a + beta * b"},
    {"\\Sigma_{i=1}^{p-1} a", "sum(i, 1, p - 1, a)"},
    {"num\\_ranks - 1", "numranks - 1"},
    {"\\sqrt[3]{p} m", "cbrt(p) * m"},
    {"\\sqrt[2]{p}", "sqrt(p)"},
    {"\\begin{aligned} T &= (p-1) t_s \\\\ & + m t_w \\end{aligned}", "(p - 1) * ts + m * tw"},
    {"\\begin{align*}a\\end{align*}", "a"},
    {"\\frac{M}{k \\beta}", "M / (k * beta)"},
    {"\\frac{p-1}{p} n\\beta", "(p - 1) / p * n * beta"},
    {"\\left( a + b \\right) c", "(a + b) * c"},
    {"\\lceil \\log_2 N \\rceil", "ceil(log(N))"},
    {"\\left\\lceil \\lg p \\right\\rceil \\alpha", "ceil(log(p)) * alpha"},
    {"t_{\\mathrm{s}} + \\mathrm{log}\\,p", "ts + log(p)"},
    {"\\alpha_{net} a", "alphanet * a"},
    {"a \\cdot b \\times c", "a * b * c"},
    {"$\\log_{2}p\\;\\alpha$.", "log(p) * alpha"},
    {"p^{2} a", "p^2 * a"},
    {"\\sum_{i=0}^{k-1} 2^i m + a", "sum(i, 0, k - 1, 2^i * m) + a"},
    {"\\sum_{i=1}^p i", "sum(i, 1, p, i)"},
    /* with both ends below it, and over all terms with its index */
    {"\\sum_{1 \\le i \\le p} a", "sum(i, 1, p, a)"},
    {"\\sum_{0<i<p} a", "sum(i, 1, p - 1, a)"},
    {"\\sum_{0\\le i<\\log_2 p} 2^i m", "sum(i, 0, ceil(log(p)) - 1, 2^i * m)"},
    {"\\sum_{i=1}^{k} a + m 2^{i-1}b - c", "sum(i, 1, k, a + m * 2^(i - 1) * b) - c"},
    {"\\sum_{i=1}^{k} a - i b + \\sum_{i=1}^{p} i", "sum(i, 1, k, a - i * b) + sum(i, 1, p, i)"},
    {"sum_{i=1}^{k} a + i b", "sum(i, 1, k, a + i * b)"},
    {"(\\sum_{i=1}^{k} a) + i b", "sum(i, 1, k, a) + i * b"},
    {"(c + \\sum_{i=1}^{k} a) + i b", "c + sum(i, 1, k, a) + i * b"},
    {"sum(i, 1, k, a) + i b", "sum(i, 1, k, a) + i * b"},
    /* sets, dots for products, remarks below braces, and fonts round formulas */
    {"(|P| - 1) \\frac{m}{|\\mathcal{P}|}", "(P - 1) * (m / P)"},
    {"\\left| \\mathcal{P} \\right| a", "P * a"},
    {"(p-1).alpha + 2.n.((p-1)/p).beta", "(p - 1) * alpha + 2 * n * ((p - 1) / p) * beta"},
    {"\\underbrace{2 a}_{\\text{few: \\{steps!}} + b", "2 * a + b"},
    {"\\mathbf{2(p - 1)a} + b", "2 * (p - 1) * a + b"},
    {"\\f$a + b\\f$", "a + b"},
    {"\\frac{\\ln p}{\\ln 2} a", "log(p) / log(2) * a"},
    {"\\lceil \\ln p / \\ln k \\rceil", "ceil(log(p) / log(k))"},
    /* in front */
    {"T = p", "p"},
    {"T_{ring}(p, m) = p", "p"},
    {"T(n) ≈ n", "n"},
    {"T_p = \\alpha", "alpha"},
};

/* As papers print them, with the letters of claims: all formulas of a chain, and what is doubtful.
 */
static const struct {
    const char *written, *meant;
} printed[] = {
    {"$$T = (t_s + mt_w)(p - 1) \\quad (1)$$", "(ts + m * tw) * (p - 1)"},
    {"t_wm + mlt_w", "tw * m + m * l * tw"},
    {"p^2m + mp^2", "p^2 * m + m * p^2"},
    {"t_{w}mp/2", "tw * m * p / 2"},
    {"nβm", "n * beta * m"},
    {"xt_w", "xtw"},
    {"plog p", "p * log(p) [plog: p log, p l o g]"},
    {"logp", "log(p) [logp: log p, l o g p]"},
    {"m (2)", "m [(2): the number of an equation, a factor]"},
    {"m(2)", "m * 2"},
    {"m \\qquad (p = 2^k).", "m if power_of_two(p)"},
    {"\\begin{equation} T_{\\text{chain}} \\approx M \\label{eq:a-b} \\end{equation}", "~ M"},
    {"\\begin{array}{rcl} T &=& m \\\\ &=& p \\end{array}", "m = p"},
    {"\\begin{aligned}T_{r}&=\\quad\\sum_{i=1}^{p-1}it_{w}m\\\\&=mp.\\end{aligned}",
     "sum(i, 1, p - 1, i * tw * m) = m * p"},
    {"= m,", "m"},
    {"T_{\\alpha}^{\\min} = m", "m"},
    {"t_{one-to-all}(SF) = m", "m"},
    {"\\frac{m}{p} = p = m", "m / p = p = m"},
    {"T \\le m", "<= m"},
    {"T ≥ m", ">= m"},
    {"m + p^{i} in step i", "m + p^i @i"},
    {"m of round $i$.", "m @i"},
    {"m[p/2]", "m * [](p / 2)"},
    {"m [p - 1]", "m * (p - 1)"},
    {"\\left\\lfloor p/2 \\right\\rfloor m", "floor(p / 2) * m"},
    {"\\frac12 m + \\frac p2 + \\frac{1}2", "1 / 2 * m + p / 2 + 1 / 2"},
    {"{p-1 \\over p} m", "(p - 1) / p * m"},
    {"\\lg p + \\log_2(p) + \\log{p}", "log(p) + log(p) + log(p)"},
    {"m \\cdot \\text{log}\\, p\\tag{3}", "m * log(p)"},
    {"t_s \\equiv p", "p"},
    {"T = p \\approx m", "p ~ m"},
    {"T \\lesssim p", "~ p"},
    {"time: p", "p"},
    {"// p", "p"},
    {"p^{-1} + p⁻¹ + p² m2^i + 2ⁱ⁻¹", "p^(-1) + p^(-1) + p^2 * m * 2^i + 2^(i - 1)"},
    {"m 2^p + p2", "m * 2^p + p2"},
    {"½ m tₛ + log₂ p", "1 / 2 * m * ts + log(p)"},
    {"{\\rm log}_2 p\\,(p{-}1)", "log(p) * (p - 1)"},
    {"（p＋1）", "p + 1"},
    {"\\underbrace{(p-1) m}_{\\text{the latency}} + p", "(p - 1) * m + p"},
    /* remarks, and what they say */
    {"m, where m is a size", "m"},
    {"p m (i = 1, 2, ..., p)", "p * m"},
    {"m [4]", "m [[4]: the number of an equation, a factor]"},
    {"m \\text{ for } p > 1", "m if p > 1"},
    {"T = m, \\qquad p \\ge 2.", "m if p >= 2"},
    {"m \\quad \\text{if } n \\geq 2", "m if n >= 2"},
    {"g m where g = \\sqrt{p}", "sqrt(p) * m"},
    {"m where p = 2^i", "m if power_of_two(p)"},
    {"l m where p = 2^l and n > 1", "l * m if power_of_two(p) and n > 1"},
    {"g m where p = 2^{g}", "log(p) * m if power_of_two(p)"},
    {"g m with g = \\log_2 p is the dimension", "log(p) * m"},
    {"m for $p = 8$", "m if p == 8"},
    {"m, p = 2, 4, 6", "m if p == 2 or p == 4 or p == 6"},
    {"m, p = 2, 4, \\ldots, 64", "m"},
    {"m (p=8)", "m if p == 8"},
    {"m [p > 1]", "m if p > 1"},
    {"m for even p", "m if p mod 2 == 0"},
    {"m, p \\text{ odd}", "m if p mod 2 == 1"},
    {"m (p even)", "m if p mod 2 == 0"},
    {"m unless p = 8", "m"},
    {"m for 2 <= p", "m if 2 <= p"},
    {"m, p \\gt 1", "m if p > 1"},
    {"T(8) = m", "m if p == 8"},
    {"T(p=8) = m", "m if p == 8"},
    {"For p = 8: T = m", "m if p == 8"},
    /* labels */
    {"mon: m", "m"},
    {"mp = m", "m"},
    {"t_mon = m", "m"},
    {"ring all-reduce: m", "m"},
    {"rounds = p - 1", "p - 1"},
    {"p - 1 communication steps", "p - 1"},
    {"mlp \\hfill (3)", "m * l * p [(3): the number of an equation, a factor]"},
    {"log p = m", "log(p) = m"},
    /* sentences: what is said before and behind counts, and single letters between signs */
    {"E.g., for $p = 8$, $m$", "m if p == 8"},
    {"i.e. m", "m"},
    {"Let p = 2^g. Then T = g m.", "log(p) * m if power_of_two(p)"},
    {"If p is even then T = m", "m if p mod 2 == 0"},
    {"Since $p$ is even, T = m", "m if p mod 2 == 0"},
    {"for powers of two, m", "m if power_of_two(p)"},
    {"The cost for even $p$ is $m + p$ on $p$ nodes.", "m + p if p mod 2 == 0"},
    {"It is $m + p$ if $p$ is odd.", "m + p if p mod 2 == 1"},
    {"large messages, T = m", "m"},
    {"m, 2 ports", "m"},
    {"m for large $n\\beta$", "m"},
    {"m if $n\\beta + l \\le p$", "m"},
    {"m, where log is base 2", "m"},
    /* np, where it can only be one letter */
    {"np m - np", "n * p * m - n * p"},
    {"(np - 1) m + p", "(n * p - 1) * m + p"},
    {"(np - 1) m + m/np", "(n_p - 1) * m + m / n_p"},
    {"n⌈log₂ np⌉", "n * ceil(log(n_p))"},
    {"\\bigl(p\\biggr) m‐∞l_∞", "p * m - l"},
    /* growth, and the index of steps */
    {"m p = O(p)", "m * p"},
    {"m p \\in \\Theta(p)", "m * p"},
    {"m + O(1)", "m"},
    {"m 2^{k-1} in step k", "m * 2^(i - 1) @k"},
    {"in a ring, T = m", "m"},
    {"when(p > 1, m, 0)", "when(p > 1, m, 0)"},
    {"t_{i+1} = \\max(p, m)", "max(p, m)"},
};

static bool read_printed(Fixture *fixture, const char *formula, InformalLetters *given,
                         Equation *equation)
{
    static const char *const letters[] = {"p", "m",  "M",  "n", "l",    "o",   "g",
                                          "i", "ts", "tw", "k", "beta", "n_p", "r"};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        *ARRAY_PUSH(fixture->arena, &given->names) = text_plain(letters[i]);
    return equation_read(fixture->arena, text_of(fixture, formula), given, equation,
                         &fixture->diag);
}

static const char *show_printed(Fixture *fixture, const char *formula)
{
    static const char *const relations[] = {"= ", "~ ", "<= ", ">= "};
    InformalLetters given = {0};
    Equation equation;
    const char *text = "";
    ck_assert_msg(read_printed(fixture, formula, &given, &equation), "%s", take_messages(fixture));
    for (size_t i = 0; i < equation.parts.count; i++) {
        const EquationPart *part = &equation.parts.items[i];
        text = arena_printf(fixture->arena, "%s%s%s%s", text, i ? " " : "",
                            i || part->relation ? relations[part->relation] : "",
                            expr_show(fixture->arena, part->formula));
    }
    if (equation.condition)
        text = arena_printf(fixture->arena, "%s if %s", text,
                            expr_show(fixture->arena, equation.condition));
    for (size_t i = 0; i < given.doubtful.count; i++) {
        const InformalRun *run = &given.doubtful.items[i];
        text = arena_printf(fixture->arena, "%s [%.*s: %s, %s]", text, (int)run->typed.length,
                            run->typed.chars, run->taken, run->other);
    }
    return equation.step.length ? arena_printf(fixture->arena, "%s @%.*s", text,
                                               (int)equation.step.length, equation.step.chars)
                                : text;
}

START_TEST(equations_are_read_as_they_are_printed)
{
    Fixture *fixture = fixture_open();
    ck_assert_str_eq(show_printed(fixture, printed[_i].written), printed[_i].meant);
    fixture_close(fixture);
}
END_TEST

/* What would be left out, or turns the formula into another one. */
START_TEST(a_text_is_not_read_in_part)
{
    static const struct {
        const char *text;
        size_t column;
    } cases[] = {{"ts, (p - 1) beta", 3},
                 {"ts, p mt_w", 3},
                 {"p steps of $ts + m tw$", 3},
                 {"p rounds, T = (p - 1) beta", 3},
                 {"p rounds * (ts + m tw)", 3},
                 {"1,024 beta", 2},
                 {"T = p, where T_2 = 2 beta + 1", 6},
                 {"m log p where log is the natural logarithm", 9},
                 {"where logs are to base 10, T = log p", 1},
                 {"It is $2$ times $p + 1$", 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture *fixture = fixture_open();
        InformalLetters given = {0};
        Equation equation;
        ck_assert_msg(!read_printed(fixture, cases[i].text, &given, &equation), "%s",
                      cases[i].text);
        assert_error_at(fixture, "text", 1, cases[i].column);
        fixture_close(fixture);
    }
}
END_TEST

/* An equation that follows is no name: its own is an unknown letter. */
START_TEST(a_second_equation_is_no_name)
{
    static const char *const texts[] = {"T_1 = $m p$ and $T_2 = m$", "T_1 = m p and T_2 = m",
                                        "T = m p\nT_2 = m", "$$T = m p$$ $$T_2 = m$$"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Fixture *fixture = fixture_open();
        InformalLetters given = {0};
        Equation equation;
        ck_assert(read_printed(fixture, texts[i], &given, &equation));
        ck_assert_uint_eq(equation.parts.count, 2);
        ck_assert(expr_names(equation.parts.items[0].formula, "T2"));
        fixture_close(fixture);
    }
}
END_TEST

START_TEST(formulas_are_read_as_they_are_meant)
{
    Fixture *fixture = fixture_open();
    Expr *expr = read(fixture, readings[_i].written);
    assert_no_error(fixture);
    ck_assert_str_eq(expr_show(fixture->arena, expr), readings[_i].meant);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    size_t column;
} mistakes[] = {
    {"", 1},
    {"T =", 4},
    {"T = %", 5},
    {"2 *", 4},
    {"(a + b", 7},
    {"(a + b]", 7},
    {"\\left( a", 9},
    {"a + b)", 6},
    {"{a", 3},
    {"a = b = = c", 8},
    {"a = b + = c", 8},
    {"log", 4},
    {"log + 1", 5},
    {"log 2 p", 5},
    {"ln p", 1},
    {"a \\ln p + \\log_2 p", 1},
    {"\\lceil\\ln p\\rceil/\\lceil\\ln 2\\rceil", 1},
    {"|p - 1| a", 1},
    {"1.000.000 a", 6},
    {"p .5 a", 3},
    {"\\sum_{1.5 < i < p} a", 7},
    {"\\begin}{a}", 1},
    {"\\sum_{1\\le i} a", 13},
    {"\\sum_{1\\le i<p}^k a", 16},
    {"\\underbrace{a}_{b { c} + d", 16},
    {"a \\label{b + c", 9},
    {"p 2", 3},
    {"2 3", 3},
    {"a < b < c", 7},
    {"\\frac+2", 6},
    {"\\frac{1}", 9},
    {"\\sqrt[4]{p}", 7},
    {"\\sqrt[n]{p}", 7},
    {"\\sqrt[3{p}", 8},
    {"\\begin p", 1},
    {"\\begin{a b}", 1},
    {"a && b", 3},
    {"\\foo p", 1},
    {"max p", 5},
    {"max(p)", 1},
    {"sum_{0}^p i", 7},
    {"sum_i p", 5},
    {"t_", 2},
    {"t_{s", 3},
    {"t_{a*b}", 5},
    {"a % b", 3},
    {"∂ a", 1},
    {"a \xff b", 3},
    {"a \xe2\x88 b", 3},
    {"a \x01", 3},
    {"99999999999999999999 a", 1},
    {"mod 3", 1},
    {"for", 1},
    {"β +\n  * b", 3},
    {"a; + b", 2},
    {"a, - b", 2},
};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    size_t line = strchr(mistakes[_i].text, '\n') ? 2 : 1;
    ck_assert_ptr_null(read(fixture, mistakes[_i].text));
    assert_error_at(fixture, "text", line, mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

static char *repeated(Fixture *fixture, const char *piece, size_t count)
{
    size_t length = strlen(piece);
    char *text = arena_alloc(fixture->arena, count * length + 1);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * length, piece, length);
    return text;
}

/* None may take long, or more stack than there is. */
START_TEST(junk_is_refused_with_one_message)
{
    static const char *const pieces[] = {"(",    "{",       "log ", "√",  "-",  "2^",   "p + ",
                                         "p ",   "\\frac{", "t_{",  "⌈",  "a",  "[(",   "\xff",
                                         "max(", "sum_{i=", "\\",   "1+", "f(", "not ", "p(p"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        Fixture *fixture = fixture_open();
        ck_assert_ptr_null(
            read(fixture, repeated(fixture, pieces[i], 1000000 / strlen(pieces[i]))));
        ck_assert_uint_eq(fixture->diag.error_count, 1);
        ck_assert_uint_lt(strlen(take_messages(fixture)), 1000);
        fixture_close(fixture);
    }
}
END_TEST

/* Random words and signs are read or refused, never both, and what is read can be written down and
   read again. */
START_TEST(any_text_is_read_or_refused)
{
    static const char *const words[] = {
        "p",   "m", "t_s", "α",   "\\beta", "2",    "1.5", "log",     "\\log_2",  "sqrt", "√",
        "(",   ")", "(",   ")",   "{",      "}",    "+",   "-",       "*",        "·",    "/",
        "^",   "_", "⌈",   "⌉",   "\\frac", "ceil", "max", "\\left(", "\\right)", ",",    "=",
        "mod", "k", "<",   "not", "sum",    "i",    "$",   "\\,",     ".",        "\xff", "{p}"};
    Fixture *fixture = fixture_open();
    uint64_t state = 1;
    int read_count = 0;
    for (int i = 0; i < 20000; i++) {
        const char *text = "";
        for (uint64_t n = random_next(&state) % 12 + 1; n > 0; n--)
            text = arena_printf(fixture->arena, "%s%s%s", text, random_next(&state) % 2 ? " " : "",
                                words[random_next(&state) % (sizeof words / sizeof *words)]);
        Expr *expr = read(fixture, text);
        ck_assert_msg((expr == NULL) == (fixture->diag.error_count > 0), "%s", text);
        take_messages(fixture);
        if (!expr)
            continue;
        const char *shown = expr_show(fixture->arena, expr);
        Expr *again = strstr(shown, "log(") ? expr : read(fixture, shown);
        ck_assert_msg(again != NULL, "%s: %s", text, shown);
        ck_assert_str_eq(expr_show(fixture->arena, again), shown);
        read_count++;
    }
    ck_assert_int_gt(read_count, 500);
    fixture_close(fixture);
}
END_TEST

/* "(+ 1 (* 2 p))", with logarithms of both languages alike, and decimal fractions, which one of
   them reads as quotients. */
static const char *list(Arena *arena, const Expr *expr)
{
    bool is_decimal = expr->kind == EXPR_DIVIDE &&
                      memchr(expr->text.chars, '.', expr->text.length) &&
                      expr->arguments[0]->text.chars == expr->arguments[1]->text.chars;
    if (expr->kind == EXPR_NUMBER || expr->kind == EXPR_VARIABLE || is_decimal)
        return arena_copy(arena, expr->text.chars, expr->text.length);
    const char *text = informal_is_call(expr, "log") ? "log2" : operation_info[expr->kind].word;
    for (int i = 0; i < expr->argument_count; i++)
        text = arena_printf(arena, "%s %s", text, list(arena, expr->arguments[i]));
    return arena_printf(arena, "(%s)", text);
}

static void assert_same_in_both(Fixture *fixture, Text formula)
{
    const char *text = arena_copy(fixture->arena, formula.chars, formula.length);
    Expr *formal = parse_expression(fixture->arena, text_of(fixture, text), &fixture->diag);
    Expr *informal = informal_parse(fixture->arena, text_of(fixture, text), NULL, &fixture->diag);
    assert_no_error(fixture);
    const char *expected = list(fixture->arena, formal);
    ck_assert_str_eq(list(fixture->arena, informal), expected);
    const char *shown = expr_show(fixture->arena, formal);
    Expr *again = parse_expression(fixture->arena, text_of(fixture, shown), &fixture->diag);
    assert_no_error(fixture);
    ck_assert_str_eq(list(fixture->arena, again), expected);
}

/* Every formula of the library is read as the language of models reads it, and what expr_show makes
   of it is the same formula. */
START_TEST(formulas_of_models_mean_the_same)
{
    Fixture *fixture = fixture_open();
    int compared = 0;
    for (size_t i = 0; i < library_entry_count(fixture->library); i++) {
        const ModelEntry *entry = library_entry(fixture->library, i);
        if (entry->kind != KIND_ALGORITHM)
            continue;
        const Algorithm *algorithm = library_load(fixture->library, entry, &fixture->diag);
        for (size_t c = 0; c < algorithm->claims.list.count; c++) {
            const Claim *claim = &claims_all(&algorithm->claims)->items[c];
            if (claim->formula.program)
                assert_same_in_both(fixture, claim->formula.text);
            if (claim->when.program)
                assert_same_in_both(fixture, claim->when.text);
            compared++;
        }
    }
    ck_assert_int_gt(compared, 100);
    fixture_close(fixture);
}
END_TEST

Suite *informal_suite(void)
{
    Suite *suite = suite_create("informal");
    TCase *formulas = tcase_create("formulas");
    tcase_add_loop_test(formulas, formulas_are_read_as_they_are_meant, 0,
                        sizeof readings / sizeof *readings);
    tcase_add_loop_test(formulas, equations_are_read_as_they_are_printed, 0,
                        sizeof printed / sizeof *printed);
    tcase_add_test(formulas, a_text_is_not_read_in_part);
    tcase_add_test(formulas, a_second_equation_is_no_name);
    tcase_add_loop_test(formulas, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(formulas, junk_is_refused_with_one_message);
    tcase_add_test(formulas, any_text_is_read_or_refused);
    tcase_add_test(formulas, formulas_of_models_mean_the_same);
    suite_add_tcase(suite, formulas);
    return suite;
}

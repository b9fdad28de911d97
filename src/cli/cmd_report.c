#include "cli/files.h"
#include "cli/setting.h"
#include "cli/workers.h"
#include "format/picture.h"

#include <string.h>

/* The commands that a report asks. */
extern const Command command_bound, command_cost, command_map, command_switch;

/* Where nobody says, what most jobs spend their time in. */
static const char *const usual_collectives[] = {"allreduce", "allgather", "reduce-scatter",
                                                "alltoall", "broadcast"};

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}\n"
    "h1,h2,h3,h4{line-height:1.2}\n"
    "h2{border-top:1px solid #8888;padding-top:1.5rem;margin-top:2.5rem}\n"
    "nav a{margin-right:1rem}\n"
    ".wide{overflow-x:auto}\n"
    "li{font-size:.8rem;opacity:.75}\n"
    "table{border-collapse:collapse;font-size:.875rem;margin-bottom:1rem}\n"
    "th,td{padding:.2rem .6rem;text-align:left;border-bottom:1px solid #8884}\n"
    "th{border-bottom:2px solid #8888}\n"
    ".number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "svg{max-width:100%;height:auto}\n"
    "p,code{overflow-wrap:anywhere}\n"
    "@media (prefers-color-scheme:dark){body{background:#0b0e11}}\n"
    "@media print{body{max-width:none;margin:0;font-size:11px}section+section{break-before:page}"
    "table{font-size:8px}th,td{padding:.1rem .4rem}li{font-size:9px}h2,h3,h4{break-after:avoid}"
    "tr,svg{break-inside:avoid}nav{display:none}.wide{overflow:visible}}\n"
    "</style>\n";

typedef struct {
    const CommandLine *line;
    const Query *query;
    FILE *page;
    FILE *out;          /* the part of it at hand */
    Text ranks;         /* of which curves and tables are shown; empty: those of the topology */
    const char **names; /* of its parts, two of each collective: this one's */
    Status status;
    Case *shared;        /* what its parts ask of the collective at hand; NULL: not yet */
    StringArray remarks; /* that stand below the tables of this collective */
    const char *rest;    /* of what was taken: what stands behind the part that follows */
} Page;

/* An option that a part has beside those of the page. */
typedef struct {
    OptionId option;
    const char *value;
} Given;

/* Runs a command on the collective with the page's options and these, up to one without a value.
   What it prints is in `answer` then, to be freed. Nothing is run after a part that failed; where
   only switch points cannot be found, the page says why. */
static bool ask(Page *page, const Command *command, const char *collective, const Given *given,
                Kept *answer)
{
    const CommandLine *line = page->line;
    CommandLine asked = *line;
    FirstError first = {line->arena, NULL};
    Diag own = diag_keep_first(&first);
    asked.command = command;
    asked.diag = command == &command_switch ? &own : line->diag;
    if (page->status != STATUS_FINE)
        return false;
    for (int option = 0; option < OPTION_COUNT; option++)
        if (!(command->options & OPTION_MASK(option)) || option == OPTION_SAVE ||
            option == OPTION_SIZE)
            asked.values[option] = (TextArray){0};
    if (page->ranks.length)
        asked.values[OPTION_RANKS] = (TextArray){&page->ranks, 1, 1};
    for (const Given *one = given; one->value; one++)
        asked.values[one->option] = (TextArray){0};
    for (; given->value; given++)
        *ARRAY_PUSH(line->arena, &asked.values[given->option]) =
            source_argument(line->arena, option_name(given->option), given->value);
    asked.operands = (TextArray){0};
    *ARRAY_PUSH(line->arena, &asked.operands) =
        source_argument(line->arena, command->name, collective);
    kept_begin(answer, arena_workspace(line->arena));
    asked.out = answer->stream;
    asked.most_jobs = 1;
    asked.arena = arena_scratch(line->arena);
    asked.shared = command == &command_map ? NULL : &page->shared;
    const Case *before = page->shared;
    page->status = command->run(&asked);
    if (page->shared == before)
        arena_destroy(asked.arena);
    else if (before)
        arena_destroy(before->study.arena);
    kept_end(answer, arena_workspace(line->arena));
    if (page->status == STATUS_FINE)
        return true;
    kept_free(answer);
    if (first.message && page->status == STATUS_BAD_INPUT) {
        fputs("<p>Not found: ", page->out);
        xml_write(page->out, first.message);
        fputs("</p>\n", page->out);
        page->status = STATUS_FINE;
    } else if (first.message)
        diag_error(line->diag, NOWHERE, "%s", first.message);
    return false;
}

static void write_heading(Page *page, const char *text)
{
    if (page->status == STATUS_FINE)
        fprintf(page->out, "<h3>%s</h3>\n", text);
}

/* Tables and pictures stand in the page as they are. */
static bool write_report_answer(Page *page, const Command *command, const char *collective,
                                const Given *given)
{
    Kept answer;
    if (!ask(page, command, collective, given, &answer))
        return false;
    fprintf(page->out, "<div class=\"wide\">\n%s</div>\n", answer.text);
    kept_free(&answer);
    return true;
}

/* Of the answer for one size, from `at` on, what stands below its table in words, if it is not
   about all sizes and was not said of another: compositions, what was tried, the bound, what was
   verified. Empty lines stand before and behind the table, and behind it. Returns where the next
   size begins. */
static char *write_remarks(Page *page, const char *size, char *at)
{
    int empty = 0;
    bool any = false;
    for (char *end; empty < 3 && (end = strchr(at, '\n')) != NULL; at = end + 1) {
        *end = '\0';
        empty += !*at;
        const Text line = text_plain(at);
        if (empty < 2 || !line.length || text_begins(line, "switch: ") ||
            text_begins(line, "rules: ") || strings_hold(&page->remarks, at))
            continue;
        *ARRAY_PUSH(page->line->arena, &page->remarks) =
            arena_copy(page->line->arena, at, strlen(at));
        if (!any)
            fprintf(page->out, "<h4>m = %s</h4>\n<ul>\n", size);
        fputs("<li>", page->out);
        any = true;
        xml_write(page->out, at);
        fputs("</li>\n", page->out);
    }
    fputs(any ? "</ul>\n" : "", page->out);
    return at;
}

/* Whether all sizes are one to it. */
static bool is_without_bytes(const Page *page, const char *collective)
{
    const Study *study = &page->query->study;
    return library_collective(study->library, text_plain(collective), study->diag)->is_empty;
}

/* What costs say: in the first part what stands before the switch points, the rest in the second.
 */
static void write_parts_of_costs(Page *page, const char *collective, Kept parts[2])
{
    Kept costs;
    const SizeArray *all_sizes = &page->query->sizes;
    const bool has_bytes = !is_without_bytes(page, collective);
    const char *sizes = has_bytes ? "" : "0"; /* as a value of -m */
    for (size_t i = 0; has_bytes && i < all_sizes->count; i++)
        sizes =
            arena_printf(page->line->arena, "%s%s%.17g", sizes, i ? "," : "", all_sizes->items[i]);
    page->out = parts[0].stream;
    fprintf(page->out, "<section id=\"%s\">\n<h2>%s</h2>\n", collective, collective);
    if (!ask(page, &command_cost, collective, (Given[]){{OPTION_SIZE, sizes}, {0, NULL}}, &costs))
        return;
    /* Which algorithm is the fastest for which sizes, in one sentence. */
    static const char start[] = "\nswitch: ", none[] = "not found";
    const char *found = strstr(costs.text, start);
    if (found && strncmp(found + strlen(start), none, strlen(none)) != 0) {
        found += strlen(start);
        fputs("<p>The fastest is <strong>", page->out);
        xml_write(page->out, arena_copy(page->line->arena, found, strcspn(found, "\n")));
        fputs("</strong>.</p>\n", page->out);
    }
    if (page->query->ranks.count > 1) {
        write_heading(page, "The fastest algorithm by number of ranks and message size");
        Text all = page->ranks;
        page->ranks = option_value(page->line, OPTION_RANKS);
        write_report_answer(page, &command_map, collective,
                            (Given[]){{OPTION_PICTURE, "-"}, {0, NULL}});
        page->ranks = all;
    }
    if (has_bytes) {
        write_heading(page, "Time over message size");
        write_report_answer(page, &command_cost, collective,
                            (Given[]){{OPTION_PICTURE, "-"}, {OPTION_SIZE, "1B..1GiB"}, {0, NULL}});
    }
    page->out = parts[1].stream;
    /* A table for all sizes, and what the same costs as text say below those of each. */
    const Given of_tables[] = {
        {OPTION_OUTPUT, "html"}, {OPTION_BRIEF, ""}, {OPTION_SIZE, sizes}, {0, NULL}};
    char *words = costs.text;
    page->remarks.count = 0;
    write_heading(page, "Costs");
    const bool has_table = write_report_answer(page, &command_cost, collective, of_tables);
    if (has_table && !has_bytes)
        write_remarks(page, "0 B", words);
    for (size_t i = 0; has_table && has_bytes && i < all_sizes->count; i++)
        words =
            write_remarks(page, quantity_show_bytes(page->line->arena, all_sizes->items[i]), words);
    kept_free(&costs);
    write_heading(page, "Lower bounds");
    write_report_answer(page, &command_bound, collective, of_tables);
    fputs("</section>\n", page->out);
}

static void write_part_of_switches(Page *page, const char *collective, Kept *part)
{
    static const char *const names[] = {"startup", "per-hop", "bandwidth"};
    page->out = part->stream;
    if (is_without_bytes(page, collective))
        return;
    write_heading(page, "The fastest algorithm by message size");
    if (!write_report_answer(page, &command_switch, collective,
                             (Given[]){{OPTION_OUTPUT, "html"}, {OPTION_BRIEF, ""}, {0, NULL}}))
        return;
    /* Of the parameters that the machine has; hops where it has no startup. */
    Given given[6] = {{OPTION_OUTPUT, "html"}, {OPTION_BRIEF, ""}};
    size_t count = 2;
    bool has_startup = false;
    write_heading(page, "What would move these switch points");
    for (int i = 0; i < 3; i++) {
        Machine machine = page->query->study.machine;
        if ((i == 1 && has_startup) || !machine_try_scale(&machine, text_plain(names[i]), 1))
            continue;
        has_startup |= i == 0;
        given[count++] = (Given){OPTION_VARY, arena_printf(page->line->arena, "%s=20%%", names[i])};
    }
    if (count > 2)
        write_report_answer(page, &command_switch, collective, given);
}

/* Parts of a page that do not need one another: of each collective costs and switch points. */

static bool work_on_part(void *context, size_t item, Buffer *bytes)
{
    Page *page = context;
    Workspace *workspace = arena_workspace(page->line->arena);
    Kept parts[2];
    for (int i = 0; i < 2; i++)
        kept_begin(&parts[i], workspace);
    if (item % 2)
        write_part_of_switches(page, page->names[item], parts);
    else
        write_parts_of_costs(page, page->names[item], parts);
    for (int i = 0; i < 2; i++) {
        kept_end(&parts[i], workspace);
        pack_text(bytes, parts[i].text);
        kept_free(&parts[i]);
    }
    return page->status == STATUS_FINE;
}

/* Switch points stand in the midst of costs. */
static bool take_part(void *context, size_t item, Packed *answer)
{
    Page *page = context;
    fputs(unpack_text(answer), page->page);
    const char *rest = unpack_text(answer);
    if (item % 2)
        fputs(page->rest, page->page);
    page->rest = rest;
    return true;
}

static void write_page(Page *page)
{
    const CommandLine *line = page->line;
    const Query *query = page->query;
    const Shape shape = query_shape(query, query->ranks.count - 1);
    size_t count = line->operands.count ? line->operands.count : COUNT_OF(usual_collectives);
    FILE *out = page->page;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Collectives on ",
          out);
    xml_write(out, topology_name(line->arena, query->topology, &shape));
    fprintf(out, "</title>\n%s</head>\n<body>\n<h1>Collectives on ", style);
    xml_write(out, topology_name(line->arena, query->topology, &shape));
    fputs("</h1>\n<p>", out);
    xml_write(out, setting_machine(query));
    fputs("</p>\n<p>rules: ", out);
    xml_write(out, setting_rules(query));
    fputs("</p>\n<nav>", out);
    page->names = ARENA_ARRAY(line->arena, const char *, 2 * count);
    for (size_t i = 0; i < count; i++) {
        const char *name =
            line->operands.count ? line->operands.items[i].chars : usual_collectives[i];
        page->names[2 * i] = page->names[2 * i + 1] = name;
        fprintf(out, "<a href=\"#%s\">%s</a>\n", name, name);
    }
    fputs("</nav>\n", out);
    const WorkItems items = {.count = 2 * count,
                             .names = page->names,
                             .work = work_on_part,
                             .take = take_part,
                             .context = page};
    const Status status = workers_run(line, &items);
    if (page->shared)
        arena_destroy(page->shared->study.arena);
    page->status = page->status == STATUS_FINE ? status : page->status;
    fputs("</body>\n</html>\n", out);
}

static Status run_report(const CommandLine *line)
{
    Query query;
    Kept page;
    static const double usual[] = {0x1p10, 0x1p20, 0x1p26}; /* short, medium and long messages */
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < line->operands.count; i++) {
        /* Names that stand in the page as they are. */
        const Text name = line->operands.items[i];
        const Collective *collective = library_collective(query.study.library, name, line->diag);
        if (!collective || !query_is_collective(&query, name, collective))
            return STATUS_BAD_INPUT;
    }
    if (!query_settle_ranks(&query))
        return STATUS_BAD_INPUT;
    for (size_t i = 0, given = query.sizes.count; i < 3 && !given; i++)
        *ARRAY_PUSH(line->arena, &query.sizes) = usual[i];
    kept_begin(&page, arena_workspace(line->arena));
    Page written = {.line = line, .query = &query, .page = page.stream};
    if (query.ranks.count > 1)
        written.ranks = source_argument(
            line->arena, "--ranks",
            arena_printf(line->arena, "%lld", (long long)query.ranks.items[query.ranks.count - 1]));
    write_page(&written);
    kept_end(&page, arena_workspace(line->arena));
    const bool is_saved = option_given(line, OPTION_SAVE);
    const Text path = is_saved ? option_value(line, OPTION_SAVE) : text_plain("");
    if (is_saved && !memmem(path.chars, path.length, ".htm", 4))
        diag_warning(line->diag, path.span, "this file is a page in HTML, whatever its name says");
    if (written.status == STATUS_FINE && !is_saved)
        fwrite(page.text, 1, page.length, line->out);
    else if (written.status == STATUS_FINE)
        written.status = file_write(line, path, page.text, page.length);
    kept_free(&page);
    return written.status;
}

const Command command_report = {
    .name = "report",
    .operands = "[COLLECTIVE...]",
    .summary = "one web page with curves, tables, bounds and switch points",
    .description =
        "Writes one self-contained HTML page: for each collective the time over message size, "
        "the fastest algorithms, what moves the switch points, the cost of all algorithms and "
        "how they were verified, and the lower bounds. With several numbers of ranks (-p) it "
        "has a map of the fastest algorithms; the rest is for the last of them. Without a "
        "COLLECTIVE: allreduce, allgather, reduce-scatter, alltoall and broadcast.",
    .examples = "collcost report allreduce -t torus:4x4 >report.html\n"
                "collcost report broadcast -t star:8 --machine sg2260 >report.html",
    .options = OPTIONS_OF_RULES | OPTIONS(TOPOLOGY, RANKS, SIZE, MACHINE, SET, TIES, PORTS, MODELS,
                                          COMPOSE, FOR, SAVE, WITHOUT, JOBS),
    .spoken = OPTION_BIT(SIZE),
    .run = run_report,
};

#include "cli/show_latex.h"

#include "cli/listing.h"
#include "format/paper.h"
#include "model/claim_text.h"

#include <inttypes.h>
#include <string.h>

static const Node *find_document(Arena *arena, const ModelEntry *entry, const Algorithm *algorithm,
                                 Diag *diag)
{
    NodeArray documents = {0};
    if (!yaml_parse(arena, entry->source, &documents, diag))
        return NULL;
    for (size_t i = 0; i < documents.count; i++) {
        const Node *name = node_get(documents.items[i], "algorithm");
        const Node *whose = node_get(documents.items[i], "collective");
        whose = whose ? whose : node_get(documents.items[i], "problem");
        if (name && whose && text_equals(name->text, algorithm->head.name) &&
            text_equals(whose->text, algorithm->collective->head.name))
            return documents.items[i];
    }
    return NULL;
}

static const char *add_formula(Arena *arena, const char *text, const char *word,
                               const Formula *formula)
{
    return formula->program
               ? arena_printf(arena, "%s, %s %s", text, word, listing_formula(arena, formula->text))
               : text;
}

/* "on ring and uniring, cut-through, when $p > 2$, neglecting $t_h$" */
static const char *where(Arena *arena, const Claim *claim)
{
    const bool ct = claim->switching[SWITCHING_CUT_THROUGH];
    const char *text = "on";
    for (size_t i = 0; i < claim->on_count; i++)
        text = arena_printf(arena, "%s%s %s", text,
                            i == 0                    ? ""
                            : i + 1 < claim->on_count ? ","
                                                      : " and",
                            paper_escape_latex(arena, claim->on[i]));
    if (!ct || !claim->switching[SWITCHING_STORE_AND_FORWARD])
        text =
            arena_printf(arena, "%s, %s", text,
                         switching_names[ct ? SWITCHING_CUT_THROUGH : SWITCHING_STORE_AND_FORWARD]);
    text = add_formula(arena, text, "rounds", &claim->first);
    text = add_formula(arena, text, "when", &claim->when);
    if (claim->neglects_multiply)
        text = arena_printf(arena, "%s, neglecting $t_m$", text);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (claim->neglects[i])
            text = arena_printf(arena, "%s, neglecting $t_%c$", text, parameter_info[i].name[1]);
    return text;
}

static void write_claim(Arena *arena, FILE *stream, const Claim *claim, const Verdict *verdict,
                        int64_t most_ranks)
{
    const char *words = paper_escape_latex(arena, claim_words(arena, claim));
    fprintf(stream, "\\item %s%s%s\n", words, *words ? ": " : "",
            claim->formula.program ? listing_formula(arena, claim->formula.text)
                                   : paper_escape_latex(arena, claim_formula(arena, claim)));
    fprintf(stream, "  %s \\\\\n  (%s): ", where(arena, claim),
            paper_escape_latex(arena, claim->source));
    if (verdict->fails_alone)
        fprintf(stream, "holds for $1 < p \\le %" PRId64 "$\n", most_ranks);
    else if (!verdict->cases)
        fprintf(stream, "not compared for $p \\le %" PRId64 "$\n", most_ranks);
    else if (verdict_outcome(verdict) == OUTCOME_PROVED)
        fprintf(stream, "%s\n", verdict_words(arena, verdict));
    else if (verdict->holds)
        fprintf(stream, "%s for $p \\le %" PRId64 "$\n", verdict_words(arena, verdict), most_ranks);
    else
        fprintf(stream, "wrong: %s\n", paper_escape_latex(arena, verdict->counterexample));
}

static void write_claims(Arena *arena, FILE *stream, const ClaimList *claims,
                         const Verdict *verdicts, int64_t most_ranks)
{
    if (!claims->count)
        return;
    fputs("\\par\\medskip\\noindent\\textit{Closed forms}\n\\begin{itemize}\n\\raggedright\n",
          stream);
    for (size_t i = 0; i < claims->count; i++)
        write_claim(arena, stream, &claims->items[i], &verdicts[i], most_ranks);
    fputs("\\end{itemize}\n", stream);
}

static void write_field(Arena *arena, FILE *stream, const char *name, const char *text)
{
    if (*text)
        fprintf(stream, "\\par\\noindent\\textit{%s}: %s\n", name, paper_escape_latex(arena, text));
}

bool show_latex(Arena *arena, FILE *stream, const ModelEntry *entry, const Algorithm *algorithm,
                const char *verified, const Verdict *verdicts, int64_t most_ranks, Diag *diag)
{
    const Node *document = find_document(arena, entry, algorithm, diag);
    if (!document)
        return false;
    fputs("% \\usepackage{amsmath}\n", stream);
    fputs("% r: a rank; p: how many there are; d: ports; m: bytes of a message, as MPI counts it; "
          "M: of the largest buffer of a rank;\n% t_s, t_h, t_w, t_c: time per message, hop, byte, "
          "combined byte\n",
          stream);
    fprintf(stream, "\\begin{minipage}{\\linewidth}\\raggedright\n");
    fprintf(stream, "\\noindent\\textbf{Algorithm} \\textsf{%s}\n",
            paper_escape_latex(arena, entry->name));
    fprintf(stream, "\\par\\noindent %s\n", paper_escape_latex(arena, algorithm->head.summary));
    fputs("\\par\\smallskip\\noindent\\hrule\\smallskip\n", stream);
    listing_write(arena, stream, document);
    fputs("\\par\\smallskip\\noindent\\hrule\\smallskip\n", stream);
    write_field(arena, stream, "Source", algorithm->head.source);
    write_field(arena, stream, "Verified by collcost", verified);
    fputs("\\end{minipage}\n", stream);
    write_claims(arena, stream, claims_all(&algorithm->claims), verdicts, most_ranks);
    return true;
}

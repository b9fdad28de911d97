/* A tuning file: read as all libraries do, with findings in place, and a rule for every call. */
#include "exchange/tuning.h"
#include "fuzz.h"

#include <string.h>

static void read_as(FuzzInput *input, const char *name, const char *version)
{
    Diag silent = diag_silent();
    const Text text = {.chars = name, .length = strlen(name)};
    const Implementation *library = library_implementation(fuzz_library(), text, &silent);
    const TuningFormat *format = tuning_format(name, version);
    const TuningFile file = tuning_read(format, input->arena, input->source, library, version);
    for (size_t i = 0; i < file.findings.count; i++) {
        const Span span = file.findings.items[i].span;
        if (span.offset + span.length > input->source->length ||
            (i && span.offset < file.findings.items[i - 1].span.offset))
            fuzz_fail("a finding out of place", input->text.chars);
    }
    if (file.is_dropped && tuning_defects(&file) == 0)
        fuzz_fail("dropped without a defect", input->text.chars);
    if (file.is_fatal && tuning_defects(&file) == 0)
        fuzz_fail("the job ends without a defect", input->text.chars);
    for (size_t i = 0; i < file.rules.count && !file.is_dropped; i++) {
        const TuningRule *rule = &file.rules.items[i];
        if (format->collectives == tuned_collectives && !format->is_json &&
            rule->from_ranks < rule->below_ranks && rule->from_size < rule->below_size &&
            tuning_rule(&file, rule->collective,
                        &(TuningCall){.p = rule->from_ranks, .size = rule->from_size}) != rule)
            fuzz_fail("two rules apply to one call", input->text.chars);
        if (i == 64)
            break;
    }
}

void fuzz_tuning(FuzzInput *input)
{
    read_as(input, "open-mpi", "4.1");
    read_as(input, "open-mpi", "5.0");
    read_as(input, "open-mpi", "6.0");
    read_as(input, "mpich", "4.0");
    read_as(input, "mpich", "5.0");
    read_as(input, "ucc", "1.9");
    read_as(input, "nccl", "2.27");
    read_as(input, "rccl", "2.27");
    read_as(input, "ncclx", "2026");
    read_as(input, "intel-mpi", "2021.12");
    read_as(input, "oneccl", "2021.15");
}

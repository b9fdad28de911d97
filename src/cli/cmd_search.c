#include "cli/cost_parts.h"
#include "cli/files.h"
#include "cli/pictures.h"

static Status run(const CommandLine *line)
{
    ComposedModels models = {.text.arena = line->arena};
    if (!picture_check(line))
        return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_PICTURE))
        return front_picture(line);
    bool saves = option_given(line, OPTION_SAVE);
    Status status = cost_front(line, saves ? &models : NULL);
    if (!saves || status != STATUS_FINE)
        return status;
    Text path = option_value(line, OPTION_SAVE);
    if (models.names.count == 0) {
        diag_error(line->diag, path.span, "no composition is on the front, so nothing is saved");
        return STATUS_CHECK_FAILED;
    }
    return file_write(line, path, models.text.items, models.text.count);
}

const Command command_search = {
    .name = "search",
    .operands = "COLLECTIVE",
    .summary = "the Pareto front of algorithms and their compositions",
    .description =
        "Lists the algorithms of a collective, and their compositions along the dimensions of "
        "the network, that no other one beats in startup, in transfer and compute, and in "
        "memory at once. Rows are sorted by startup and show the distance from the lower bound. "
        "--compose all takes all dimensions in every order and cuts stages into chunks; "
        "--compose none leaves compositions out. --save writes those on the front as models "
        "that other commands read. --for considers only what a library runs. --picture draws "
        "the front beside the other algorithms.",
    .examples = "collcost search allreduce -t torus:4x4 -m 1MiB\n"
                "collcost search allreduce -t cluster:2x4 -m 64KiB --picture front.svg",
    .options = OPTIONS_OF_COSTS | OPTIONS_OF_PICTURES |
               OPTIONS(SIZES, REAL_K, CEIL_CHUNKS, COMPOSE, BANDWIDTHS, FOR, FINISH, WEIGHTS, USING,
                       SAVE, JOBS),
    .spoken = OPTION_BIT(SIZE),
    .lists = OPTIONS(TOPOLOGY, MACHINE),
    .run = run,
};

#include "cost/derive_trace.h"

#include "cost/derive_step.h"

void trace_port_step(const TraceVisitor *visitor, const Round *round, const PortStep *step,
                     CostedPortStep whole)
{
    whole.entry_count = step->entry_count;
    whole.paths = step->entry_paths;
    whole.overlaps = step->overlaps;
    for (size_t i = 0; i < step->count; i++) {
        whole.hops = step->hops[i] > whole.hops ? step->hops[i] : whole.hops;
        if (step->load_blocks[i] > whole.load_blocks)
            whole.load_blocks = step->load_blocks[i];
        if (step->load_messages[i] > whole.load_messages)
            whole.load_messages = step->load_messages[i];
    }
    for (size_t i = 0; i < step->count + step->local_count; i++) {
        CostedTransfer costed = {.step = &whole,
                                 .transfer = step->transfers[i],
                                 .size = step->sizes[i],
                                 .combined = step->combines[i]};
        if (i < step->count) {
            costed.hops = step->hops[i];
            costed.load_blocks = step->load_blocks[i];
            costed.load_messages = step->load_messages[i];
            costed.paths = step->paths + step->ranges[i].first;
            costed.path_count = step->ranges[i].count;
        }
        visitor->transfer(visitor->context, &costed, round);
    }
}

CostParts port_step_total(const CostedPortStep *step, const double *parameters, double block)
{
    CostParts total = {0};
    for (size_t e = 0; e < step->entry_count; e++)
        total = cost_sum(total, port_step_cost(&step->entries[e], step->paths, parameters, block));
    return total;
}

/* What the heights of a picture can be (--axis). */
#ifndef COLLCOST_CLI_AXES_H
#define COLLCOST_CLI_AXES_H

typedef enum {
#define AXIS(id, ...) AXIS_##id,
#include "cli/axes.def"
#undef AXIS
    AXIS_COUNT
} AxisKind;
extern const char *const cost_axis_names[AXIS_COUNT];

#endif

/* A machine as the text of its model file; machine.h has the text for people. */
#ifndef COLLCOST_MODEL_MACHINE_TEXT_H
#define COLLCOST_MODEL_MACHINE_TEXT_H

#include "base/buffer.h"
#include "model/machine.h"

/* Appends what stands behind `source:` in the file of a machine; machine_read makes the same
   machine of it, values to 14 digits. False after a report: no file can say something of this
   machine, such as a bandwidth without end. What --set multiplied in links of the topology belongs
   to the topology, and is not written. */
bool machine_write(Buffer *out, const Machine *machine, Diag *diag);
/* A text as YAML, in single quotes where it needs them. */
void machine_write_word(Buffer *out, Text text);
/* As people read it where that is as good as exact, else with all digits. */
const char *machine_show_time(Arena *arena, double seconds);
const char *machine_show_bandwidth(Arena *arena, double rate);

#endif

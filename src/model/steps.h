/* Reads the steps of a schedule program. */
#ifndef COLLCOST_MODEL_STEPS_H
#define COLLCOST_MODEL_STEPS_H

#include "model/loader.h"

/* Reads a list of steps, or the transfers of a round. False after reports. */
bool steps_read(Loader *loader, const Node *list, bool in_round, ScheduleStep **steps,
                size_t *count);

#endif

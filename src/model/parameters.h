/* The parameters of machines: what files, --set, --vary, fits and descriptions do with any of them,
   by parameter_info. What only one of them has, such as lists of protocols, is not here. */
#ifndef COLLCOST_MODEL_PARAMETERS_H
#define COLLCOST_MODEL_PARAMETERS_H

#include "model/machine.h"

/* A machine, or one of its levels or protocols. */
typedef struct {
    OwnerKind kind;
    void *of;
} Owner;

Owner owner_machine(const Machine *machine);
Owner owner_level(const Level *level);
Owner owner_protocol(const Protocol *protocol);
/* "node.startup", "node.LL.startup": what stands before and behind the last dot; false where there
   is none. */
bool owner_split(Text name, Text *owner, Text *own);
/* By the name that --set has for it; `of` is NULL where the machine has none of that name. */
Owner owner_find(const Machine *machine, Text name);
/* The names, as --set spells them, of what is assumed of the machine, its levels, its protocols and
   those of levels. */
size_t machine_assumed(Arena *arena, const Machine *machine, const char *const **names);

bool parameter_has(const ParameterInfo *info, OwnerKind kind);
/* The parameter that owners of that kind have under that name; NULL: they have none. `inverse`: the
   name is that of a rate, while a time is kept. */
const ParameterInfo *parameter_find(OwnerKind kind, Text name, bool *inverse);
/* As a time, a time per byte, a size, or a number; negative: not given, or not one value. */
double parameter_get(const ParameterInfo *info, Owner owner);
/* A negative delay, time or time per byte is none. */
void parameter_put(const ParameterInfo *info, Owner owner, double value);
/* Whether the value is assumed; NULL: that cannot be said of it. */
bool *parameter_assumed(const ParameterInfo *info, Owner owner);
/* Can --set change it, --vary multiply it? */
bool parameter_is_set(const ParameterInfo *info);
bool parameter_is_scaled(const ParameterInfo *info);
/* Has it no unit? */
bool parameter_is_number(const ParameterInfo *info);
/* As people read it: "1.234 us", "12.3 GB/s", "0.5". */
const char *parameter_show(Arena *arena, const ParameterInfo *info, double value);
/* The list by what ranks hold that the owner has of it; NULL: it has none. */
WorkingPrices *parameter_prices(const ParameterInfo *info, Owner owner);

/* A value that a user gives under one of the names of the parameter. False after a report. */
bool parameter_parse(const ParameterInfo *info, Text name, Text text, double *value, Diag *diag);
/* The values of all keys that a map has of parameters of the owner. False after a report. */
bool parameters_read(const Node *map, Owner owner, Diag *diag);
/* Appends the keys. */
size_t parameters_keys(OwnerKind kind, const char **keys);

#endif

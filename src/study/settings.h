/* What a study can be told by name, as the program's options are spelled: machine, parameters,
   conventions, ranks, candidates. */
#ifndef COLLCOST_STUDY_SETTINGS_H
#define COLLCOST_STUDY_SETTINGS_H

#include "study/study.h"

/* The machine of a study that is told none. */
extern const char default_machine[];
/* By Compose: "levels", ... */
extern const char *const compose_names[COMPOSE_COUNT];
/* "last", "mean" */
extern const char *const finish_words[2];

/* A study of the default machine under its conventions, with all algorithms for candidates and root
   0. It must stay where it is. NULL after a report. */
Study *study_create(Arena *arena, Library *library, Diag *diag);
/* What is not a setting of its own is a parameter of the machine. False after a report: there is no
   such setting, or no such value; the study may then be half changed. */
bool study_set(Study *study, Text name, Text value);
/* A parameter of the machine, by the names that machine_set knows. */
bool study_set_parameter(Study *study, Text name, Text value);

#endif

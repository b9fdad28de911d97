/* The model library that is compiled into the program; generated from models/ at build time. */
#ifndef COLLCOST_MODEL_BUILTIN_H
#define COLLCOST_MODEL_BUILTIN_H

#include <stddef.h>

typedef struct {
    const char *path; /* "algorithms/reduce/binomial.yaml" */
    const char *text;
    size_t length;
} BuiltinFile;

/* Sorted by path. */
extern const BuiltinFile builtin_files[];
extern const size_t builtin_file_count;
/* models/proofs.yaml (model/proved.h) */
extern const char builtin_proofs[];

#endif

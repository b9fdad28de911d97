#include "exchange/mpich.h"
#include "exchange/mpich_read.h"

const TuningFormat tuning_format_mpich = {
    .library = "mpich",
    .collectives = mpich_collectives,
    .count = MPICH_BLOCKING,
    .what = "Choices",
    .otherwise = "elsewhere stands what MPICH chooses by itself",
    .read = mpich_read,
};

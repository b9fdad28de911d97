#include "exchange/mpich.h"
#include "exchange/mpich_read.h"
#include "exchange/mpich_write.h"

const TuningFormat tuning_format_mpich = {
    .library = "mpich",
    .collectives = mpich_collectives,
    .count = MPICH_BLOCKING,
    .what = "Choices",
    .otherwise = "elsewhere stands what MPICH chooses by itself",
    .comment = "//",
    .refuses = mpich_refuses,
    .loading =
        "# To be loaded with both of\n"
        "#   MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE\n"
        "#   MPIR_CVAR_DEVICE_COLLECTIVES=none\n"
        "# Without the second one the device splits collectives by nodes, and rules count for "
        "the parts.\n"
        "# Other versions may end the job in MPI_Init.\n",
    .read = mpich_read,
    .write = mpich_write,
};

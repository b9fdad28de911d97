#include "exchange/tuning_formats.h"

#include <string.h>

static const TuningFormat *const formats[] = {
#define TUNING_FORMAT(name) &tuning_format_##name,
#include "exchange/tuning_libraries.def"
#undef TUNING_FORMAT
};

const TuningFormat *tuning_format(const char *library, const char *version)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i]->library, library) == 0 &&
            (!formats[i]->versions ||
             strncmp(version, formats[i]->versions, strlen(formats[i]->versions)) == 0))
            return formats[i];
    return NULL;
}

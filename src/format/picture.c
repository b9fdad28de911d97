#include "format/picture.h"

#include "format/svg.h"
#ifdef HAVE_CAIRO
#include "format/raster.h"
#endif

#include <string.h>
#include <strings.h>

typedef struct {
    const char *ending;
    PictureWriter write;
} Carrier;

static const Carrier carriers[] = {
#define CARRIER(ending, writer) {#ending, writer},
#include "format/carriers.def"
#undef CARRIER
};
enum { CARRIER_COUNT = sizeof carriers / sizeof *carriers };

static const char *list_endings(void)
{
#ifdef HAVE_CAIRO
    return ".svg, .png or .pdf";
#else
    return ".svg (this program was built without cairo, which writes .png and .pdf)";
#endif
}

PictureWriter picture_writer(Text name, Diag *diag)
{
    if (text_equals(name, "-"))
        return carriers[0].write;
    const char *point = memrchr(name.chars, '.', name.length);
    size_t length = point ? name.length - (size_t)(point + 1 - name.chars) : 0;
    for (size_t i = 0; i < CARRIER_COUNT; i++)
        if (point && length == strlen(carriers[i].ending) &&
            strncasecmp(point + 1, carriers[i].ending, length) == 0)
            return carriers[i].write;
    diag_error(diag, name.span, "the name of a picture must end in %s, or be -", list_endings());
    return NULL;
}

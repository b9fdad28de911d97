#include "exchange/schedule_formats.h"

const ScheduleFormatInfo schedule_formats[SCHEDULE_FORMAT_COUNT] = {
#define SCHEDULE_FORMAT(id, name, what) {#name, what, write_##name},
#include "exchange/schedule_formats.def"
};

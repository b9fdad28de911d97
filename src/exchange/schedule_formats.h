/* The formats in which schedules are exported. */
#ifndef COLLCOST_EXCHANGE_SCHEDULE_FORMATS_H
#define COLLCOST_EXCHANGE_SCHEDULE_FORMATS_H

#include "exchange/schedule_text.h"

typedef enum {
#define SCHEDULE_FORMAT(id, name, what) SCHEDULE_##id,
#include "exchange/schedule_formats.def"
#undef SCHEDULE_FORMAT
    SCHEDULE_FORMAT_COUNT
} ScheduleFormat;

typedef struct {
    const char *name, *what;
    bool (*write)(const ListedSchedule *schedule, Buffer *text, Diag *diag);
} ScheduleFormatInfo;
extern const ScheduleFormatInfo schedule_formats[SCHEDULE_FORMAT_COUNT];

#endif

#include "opened.h"

#include "study/case.h"

bool opened_seconds(const collcost_case *opened, double bytes, double *seconds)
{
    CurvePoint point;
    const bool good = case_points(opened, bytes, &point);
    *seconds = good ? point.total : 0;
    return *seconds > 0;
}

#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "unit.h"

/*
 * Runs every suite and reports in TAP on standard output. The exit status says only that the tests
 * could be run: which of them failed stands in the report, and the TAP driver would count it twice.
 */
int main(void)
{
    gsl_set_error_handler_off(); /* as the program does: GSL would abort */
    SRunner *runner = srunner_create(NULL);
#define SUITE(name) srunner_add_suite(runner, name##_suite());
#include "suites.h"
#undef SUITE
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    srunner_free(runner);
    return EXIT_SUCCESS;
}

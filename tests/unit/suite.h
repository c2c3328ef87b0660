/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a unit program ends: its cases run, or it says why it can't run here. Both return main()'s exit status. */
#ifndef TEST_SUITE_H
#define TEST_SUITE_H

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* suite_run(name, a case, ...) */
#define suite_run(name, ...) suite_run_cases(name, (TCase *[]){ __VA_ARGS__, NULL })

static inline int suite_run_cases(const char *name, TCase **cases)
{
	Suite *suite = suite_create(name);
	SRunner *runner;
	int failed;

	while (*cases)
		suite_add_tcase(suite, *cases++);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* For errno, which says why no network namespace can be made: 77 is ctest's SKIP_RETURN_CODE. */
static inline int suite_skip(void)
{
	printf("skipped: no network namespace can be made here: %s\n", strerror(errno));
	return 77;
}
#endif

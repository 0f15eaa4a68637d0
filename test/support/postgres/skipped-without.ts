// Before the tests of a project that need a database whatever they are about: without one they are skipped.
import { beforeEach } from 'vitest';

beforeEach((context) => {
  if (process.env.TEST_POSTGRES === undefined) context.skip('there is no PostgreSQL');
});

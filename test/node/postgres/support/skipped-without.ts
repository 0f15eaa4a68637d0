// Skips the tests of a project that needs PostgreSQL if there is none.
import { beforeEach } from 'vitest';

beforeEach((context) => {
  if (process.env.TEST_POSTGRES === undefined) context.skip('there is no PostgreSQL');
});

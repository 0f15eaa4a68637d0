// What is seen in a real browser: beside the suite, since not every machine has one. `test/browser/run.sh` runs it.
import { defineConfig } from 'vitest/config';
import { TriedAgain } from '../support/tried-again.ts';

export default defineConfig({
  // A browser lives in the machine's time: on one that stands still for seconds a test is tried again, which the report says.
  test: {
    name: 'browser',
    include: ['test/browser/*.browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    retry: 2,
    reporters: ['default', new TriedAgain()],
  },
});

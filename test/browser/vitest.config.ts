// Tests in a real browser. They are not part of `npm test`, because not every machine has one. Run them with `test/browser/run.sh`.
import { defineConfig } from 'vitest/config';
import { TriedAgain } from '../support/tried-again.ts';

export default defineConfig({
  // The tests depend on real time. If a busy machine delays one, it is retried, and the report lists it.
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

// What is seen in a real browser: beside the suite, since not every machine has one. `test/browser/run.sh` runs it.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'browser', include: ['test/browser/*.browser.ts'], testTimeout: 20_000, hookTimeout: 30_000 },
});

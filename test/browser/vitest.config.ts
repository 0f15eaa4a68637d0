// Tests in a real browser. They are not part of `npm test`, because not every machine has one. Run them with `test/browser/run.sh`.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'browser',
    include: ['test/browser/*.browser.ts'],
    globalSetup: ['test/browser/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Without this, a style sheet that is imported as text is empty.
    css: true,
    expect: { poll: { timeout: 20_000 } },
  },
});

// The stress tests are not part of `npm test`, because they take 25 minutes. Run them with `npm run stress`.
import { defineConfig } from 'vitest/config';
import { isShort } from './row.ts';
import { TableReporter } from './table-reporter.ts';

export default defineConfig({
  test: {
    name: 'stress',
    include: ['test/stress/*.stress.ts'],
    pool: 'forks',
    isolate: false,
    // In the long form each row has the whole machine.
    maxWorkers: isShort ? 2 : 1,
    testTimeout: 20 * 60_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    reporters: ['default', new TableReporter()],
  },
});

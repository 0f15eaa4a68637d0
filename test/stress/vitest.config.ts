// Stress tests. They are not part of `npm test`, because they take about twenty minutes. Run them with `npm run stress`.

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TriedAgain } from '../support/tried-again.ts';
import { TableReporter } from './table-reporter.ts';

/** Runs the files one after another, so that each measurement has the whole machine. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.sort((one, other) => one.moduleId.localeCompare(other.moduleId));
  }
}

export default defineConfig({
  test: {
    name: 'stress',
    include: ['test/stress/*.stress.ts'],
    pool: 'forks',
    fileParallelism: false,
    sequence: { sequencer: ByName },
    testTimeout: 15 * 60_000,
    reporters: ['default', new TriedAgain(), new TableReporter()],
  },
});

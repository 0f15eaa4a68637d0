// What the server withstands, in figures: beside the suite, since it takes some twenty minutes. `npm run stress` runs it.

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TriedAgain } from '../support/tried-again.ts';
import { TableReporter } from './table-reporter.ts';

/** One after another, each row with the machine to itself. */
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

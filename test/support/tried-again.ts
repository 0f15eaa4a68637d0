// Says which tests passed only when they were tried again: vitest's own report leaves it out.
import type { Reporter, TestModule } from 'vitest/node';

export class TriedAgain implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests('passed')) {
        const { retryCount = 0 } = test.diagnostic() ?? {};
        if (retryCount > 0)
          process.stdout.write(`tried again, ${retryCount} ×: ${module.relativeModuleId} > ${test.fullName}\n`);
      }
  }
}

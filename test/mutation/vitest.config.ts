import { defineConfig } from 'vitest/config';

// The tests that mutants must fail: all that run in process, without those of pages and documents. Stryker cannot choose a project of the main configuration.
export default defineConfig({
  test: {
    root: process.cwd(),
    include: ['test/{contract,control,domain,http,state}/**/*.test.ts'],
    exclude: ['test/**/*.deep.test.ts'],
    // Otherwise a schema that is built once stays as it was before the mutation, in all files of a worker.
    isolate: true,
    css: true,
    testTimeout: 60_000,
  },
});

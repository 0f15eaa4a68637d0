import { defineConfig } from 'vitest/config';

// The suite runs over the memory store, over a store that answers late and conflicts every third time, and over a state folder.
// What starts processes, reads files, or is answered by no store (documents, drafts and journals alone) runs once; so does the check of answers
// against the published documents.
// Files share a worker's modules: loading them anew for each file took twice the time of the tests.
// Without `css` a style that is imported as text would be an empty one.
const shared = { testTimeout: 60_000, hookTimeout: 60_000, isolate: false, css: true };
const once = [
  'test/node/**',
  'test/docs/**',
  'test/contract/openapi/**',
  'test/http/docs-documents.test.ts',
  'test/http/twin*.test.ts',
  'test/corpus/**',
  'test/architecture.test.ts',
  'test/console/**',
  'test/contract/oracle.test.ts',
  'test/control/**',
  'test/domain/**',
  'test/label/**',
  'test/package/**',
  'test/library/**',
  'test/client/**',
  'test/vitest/**',
];

/** The suite once more, over another store. */
const again = (name: string, store: string, globalSetup: string[] = []) => ({
  test: { ...shared, name, include: ['test/**/*.test.ts'], exclude: once, env: { TEST_STORE: store }, globalSetup },
});

export default defineConfig({
  test: {
    // By default one core is left to others, which on two of them is half.
    maxWorkers: '100%',
    projects: [
      { test: { ...shared, name: 'memory', include: ['test/**/*.test.ts'] } },
      again('harsh store', 'harsh'),
      again('state folder', 'folder', ['test/support/state-folders.ts']),
    ],
  },
});

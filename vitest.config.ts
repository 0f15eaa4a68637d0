import { defineConfig } from 'vitest/config';
import { TriedAgain } from './test/support/tried-again.ts';

// The layers of the test suite:
// - `npm test` runs the project `fast`: everything in process, with the memory store.
// - `npm run test:deep` runs the rest. The project `deep` has the tests named `….deep.test.ts`, which start processes, compare with other
//   implementations or use random sequences. The other projects repeat the tests of stored state with another store: `chaos store` responds late and
//   reports a conflict every third time, `state folder` writes files, `replicas` are several servers with one PostgreSQL database.
const shared = {
  // Long, because a busy machine can be slow. A timeout only ends a test that hangs.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
  // Test files share the modules of a worker. To load them again for each file takes twice the time of the tests.
  isolate: false,
  // Without this, a style sheet that is imported as text is empty.
  css: true,
};
const deep = 'test/**/*.deep.test.ts';
/** A port of the command replaces the global Response of its worker, which msw needs unchanged. */
const alone = 'test/msw/**/*.test.ts';
const postgres = 'test/node/postgres/**/*.test.ts';

/** Tests of how requests read and change stored state. */
const storedState = [
  'test/http/{addresses,labels,paging,sandbox,scenarios,shipping,timeline,tracking}*',
  'test/http/{authentication,faults,replay,store}*',
  'test/http/{admin,conduct,switches}/*.test.ts',
];
/** Responses that do not depend on state, and spies on one process. */
const stateless = [
  deep,
  'test/http/{authentication-forgeries,paging-cost}.test.ts',
  'test/http/admin/{bodies,guards}*',
];
/** Tests that need a single server: its own delayed requests, its own limits, the exact sandbox that is evicted, the clock of the test. */
const singleServer = ['test/http/{sandbox-bounds,faults-together,switches/latency,admin/sandboxes-limits}.test.ts'];
const database = {
  globalSetup: ['test/node/postgres/support/global.ts'],
  setupFiles: ['test/node/postgres/support/skipped-without.ts'],
};

export default defineConfig({
  test: {
    // Vitest's default leaves one core free, which is half of a machine with two.
    maxWorkers: '100%',
    reporters: ['default', new TriedAgain()],
    projects: [
      { test: { ...shared, name: 'fast', include: ['test/**/*.test.ts'], exclude: [deep, alone] } },
      { test: { ...shared, name: 'fast-alone', include: [alone], isolate: true } },
      { test: { ...shared, name: 'deep', include: [deep], exclude: [postgres] } },
      { test: { ...shared, name: 'postgres', include: [postgres], ...database } },
      {
        test: {
          ...shared,
          name: 'chaos store',
          include: storedState,
          exclude: stateless,
          env: { TEST_STORE: 'chaos' },
        },
      },
      {
        test: {
          ...shared,
          name: 'state folder',
          include: storedState,
          exclude: [...stateless, 'test/http/conduct/*'],
          env: { TEST_STORE: 'folder' },
          globalSetup: ['test/support/state-folders.ts'],
        },
      },
      {
        test: {
          ...shared,
          ...database,
          name: 'replicas',
          include: storedState,
          exclude: [...stateless, ...singleServer],
          env: { TEST_STORE: 'postgres' },
        },
      },
    ],
  },
});

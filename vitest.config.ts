import { defineConfig } from 'vitest/config';
import { TriedAgain } from './test/support/tried-again.ts';

// The projects of the test suite:
// - `npm test` runs all tests with the memory store, except those that belong to one of the other projects.
// - `npm run test:state` repeats the tests that involve state: with the chaos store, which responds late and reports a conflict every third time,
//   and with a state folder. It also runs the tests that need a PostgreSQL server.
// - `npm run test:replicas` repeats them with several servers that share a database.
// - `npm run test:package` runs the tests that pack and install the package or start client processes, because they take minutes.
// Tests that start processes, read files, or use no store run once.
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
const all = 'test/**/*.test.ts';

/** Tests of the state folder. `npm test` runs the two that start the command. */
const stateFolderTests = 'test/node/state-folder/!(survives|other-flags).test.ts';
const nodeTests = 'test/node/**';
/** Tests that need a PostgreSQL server. */
const postgresTests = 'test/node/postgres/**/*.test.ts';
/** Tests that pack and install the package or start client processes. */
const packageTests = [
  'test/package/**/*.test.ts',
  'test/node/{certify-by-lines,certify-cheating,certify-client,certify-elsewhere,matrix-runs}.test.ts',
];
/** Tests that run once, with the memory store. */
const once = [
  nodeTests,
  'test/docs/**',
  'test/contract/openapi/**',
  'test/http/docs-documents.test.ts',
  'test/http/hapi-reference.test.ts',
  'test/http/health-degraded.test.ts',
  'test/samples/**',
  'test/architecture.test.ts',
  'test/console/**',
  'test/contract/oracle.test.ts',
  'test/control/**',
  'test/domain/**',
  'test/bench/**',
  'test/state/{state,stores,table}.test.ts',
  'test/label/**',
  'test/package/**',
  'test/library/**',
  'test/client/**',
  'test/vitest/**',
];

/** Tests of responses that do not depend on state. */
const stateless = [
  'test/http/pages/**',
  'test/http/{bod,docs,hostile,json,label-,openapi,router,stored-object,tracking-page}*',
  'test/http/admin/{bodies,guards}*',
];
/** Tests of validation, the journal and more. Other tests already cover how they use state. */
const sameUseOfState = [
  'test/contract/**',
  'test/http/conduct/**',
  'test/http/{assumptions,authentication-{forgeries,spellings},debug,events,heartbeat,isolation-transcripts,journal,not-shown,stages,timeline-property}*',
  'test/http/admin/operator-sequences*',
];

/** Tests with random sequences of requests. They test the service, not a store. */
const randomSequences = ['test/http/isolation-transcripts*', 'test/http/admin/operator-sequences*'];

/** Tests that need a single server. */
const singleServer = [
  // Use spies to count the work of one process.
  'test/http/{authentication-together,paging-cost}.test.ts',
  // Each server has its own delayed requests, waits and listeners, its own limits for them, and its own order of events.
  'test/http/{events,events-listeners,heartbeat,sandbox-bounds}.test.ts',
  'test/http/{faults-together,switches/{latency,match,turns}}.test.ts',
  'test/http/admin/mended.test.ts',
  // Expect the exact sandbox that is evicted. Several servers record only a few times per second which sandboxes are used.
  'test/http/admin/{room-awaited,room-while-made,sandboxes-room}.test.ts',
  // With a database, a sandbox expires on the database's clock, which no test can advance, and a second later than on one server.
  'test/http/admin/sandboxes-time.test.ts',
];
const journalTests = [
  // Servers share finished requests, not requests in flight.
  'test/http/journal-{bounds,calls}.test.ts',
];

interface Files {
  readonly include?: string[];
  readonly exclude: string[];
  readonly globalSetup?: string[];
  readonly setupFiles?: string[];
}

/** A project that repeats tests with another store. */
const repeatWith = (name: string, store: string, files: Files) => ({
  test: { ...shared, name, include: [all], env: { TEST_STORE: store }, ...files },
});

export default defineConfig({
  test: {
    // Vitest's default leaves one core free, which is half of a machine with two.
    maxWorkers: '100%',
    reporters: ['default', new TriedAgain()],
    projects: [
      {
        test: {
          ...shared,
          name: 'memory',
          include: [all],
          exclude: [stateFolderTests, postgresTests, ...packageTests],
        },
      },
      { test: { ...shared, name: 'package', include: packageTests } },
      repeatWith('chaos store', 'chaos', { exclude: [...once, ...stateless, ...randomSequences, 'test/contract/**'] }),
      repeatWith('state folder', 'folder', {
        include: ['test/{state,http}/**/*.test.ts', stateFolderTests],
        exclude: [...once.filter((pattern) => pattern !== nodeTests), ...stateless, ...sameUseOfState],
        globalSetup: ['test/support/state-folders.ts'],
      }),
      repeatWith('replicas', 'postgres', {
        include: ['test/{contract,http,state}/**/*.test.ts'],
        exclude: [...once, ...stateless, ...randomSequences, ...singleServer, ...journalTests],
        globalSetup: ['test/support/postgres/global.ts'],
        setupFiles: ['test/support/postgres/skipped-without.ts'],
      }),
      {
        test: {
          ...shared,
          name: 'postgres',
          include: [postgresTests],
          globalSetup: ['test/support/postgres/global.ts'],
        },
      },
    ],
  },
});

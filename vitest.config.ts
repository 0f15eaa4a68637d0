import { defineConfig } from 'vitest/config';
import { TriedAgain } from './test/support/tried-again.ts';

// `npm test` runs the suite over the memory store. `npm run test:state` runs it again, where state has a part in it, over a store that answers late and
// conflicts every third time, and what is about state over a state folder, with the tests of the folder itself, and what needs a PostgreSQL server;
// `npm run test:package` runs what packs and installs the package, and what has clients run in processes of their own: together they would take too
// long to wait for.
// What starts processes, reads files, or is answered by no store (documents, tables and journals alone) runs once; so does the check of answers
// against the published documents.
// Files share a worker's modules: loading them anew for each file took twice the time of the tests.
// Without `css` a style that is imported as text would be an empty one.
// A deadline is there for what never comes: a machine that is busy with others may take its time.
const shared = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
  isolate: false,
  css: true,
};
const all = 'test/**/*.test.ts';

/** The state folder's own; what the command does with one is in `npm test`. */
const ofTheFolder = 'test/node/state-folder/!(survives|other-flags).test.ts';
const node = 'test/node/**';
/** What needs a PostgreSQL server. */
const ofPostgres = 'test/node/postgres/**/*.test.ts';
/** What packs and installs, or has clients run: minutes of processes. */
const ofThePackage = [
  'test/package/**/*.test.ts',
  'test/node/{certify-by-lines,certify-client,certify-elsewhere,matrix-runs}.test.ts',
];
const once = [
  node,
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

/** What is answered before there is any state, or shown beside it. */
const stateless = [
  'test/http/pages/**',
  'test/http/{bod,docs,hostile,json,label-,openapi,router,stored-object,tracking-page}*',
  'test/http/admin/{bodies,guards}*',
];
/** What is judged of a call, and looked at from outside: of state it asks no more than the rest. */
const judged = [
  'test/contract/**',
  'test/http/conduct/**',
  'test/http/{assumptions,authentication-{forgeries,spellings},debug,events,heartbeat,isolation-transcripts,journal,not-shown,stages,timeline-property}*',
  'test/http/admin/operator-sequences*',
];

/** Calls in orders that are drawn: they say of the service what the rest says of a store. */
const sequences = ['test/http/isolation-transcripts*', 'test/http/admin/operator-sequences*'];

/** What is of one server, not of several that share a store. */
const ofOneServer = [
  // Counts by spies what one process does for a call.
  'test/http/{authentication-together,paging-cost}.test.ts',
  // Each server has delayed calls, waits and listeners of its own, and bounds of its own on them; it tells all listeners in an order of its own.
  'test/http/{events,events-listeners,heartbeat,sandbox-bounds}.test.ts',
  'test/http/{faults-together,switches/{latency,match,turns}}.test.ts',
  'test/http/admin/mended.test.ts',
  // Which sandbox goes is told to the millisecond; servers tell the store a few times a second what is used, and make room beside each other.
  'test/http/admin/{room-awaited,room-while-made,sandboxes-room}.test.ts',
  // A sandbox ends by the database's time, which no test moves on, and a second later than on one server.
  'test/http/admin/sandboxes-time.test.ts',
];
const ofJournals = [
  // Servers tell each other of calls that are answered, not of those under way.
  'test/http/journal-{bounds,calls}.test.ts',
];

interface Files {
  readonly include?: string[];
  readonly exclude: string[];
  readonly globalSetup?: string[];
  readonly setupFiles?: string[];
}

/** The suite once more, over another store. */
const again = (name: string, store: string, files: Files) => ({
  test: { ...shared, name, include: [all], env: { TEST_STORE: store }, ...files },
});

export default defineConfig({
  test: {
    // By default one core is left to others, which on two of them is half.
    maxWorkers: '100%',
    reporters: ['default', new TriedAgain()],
    projects: [
      { test: { ...shared, name: 'memory', include: [all], exclude: [ofTheFolder, ofPostgres, ...ofThePackage] } },
      { test: { ...shared, name: 'package', include: ofThePackage } },
      again('chaos store', 'chaos', { exclude: [...once, ...stateless, ...sequences, 'test/contract/**'] }),
      again('state folder', 'folder', {
        include: ['test/{state,http}/**/*.test.ts', ofTheFolder],
        exclude: [...once.filter((pattern) => pattern !== node), ...stateless, ...judged],
        globalSetup: ['test/support/state-folders.ts'],
      }),
      again('replicas', 'postgres', {
        include: ['test/{contract,http,state}/**/*.test.ts'],
        exclude: [...once, ...stateless, ...sequences, ...ofOneServer, ...ofJournals],
        globalSetup: ['test/support/postgres/global.ts'],
        setupFiles: ['test/support/postgres/skipped-without.ts'],
      }),
      {
        test: { ...shared, name: 'postgres', include: [ofPostgres], globalSetup: ['test/support/postgres/global.ts'] },
      },
    ],
  },
});

// The tables, the store over them, and the messages of the command about a database.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEngine } from '../../../src/app.ts';
import type { Engine } from '../../../src/engine.ts';
import { exportState } from '../../../src/sandbox/state-document.ts';
import { Database } from '../../../src/stores/postgres/database.ts';
import { migrate } from '../../../src/stores/postgres/open-store.ts';
import { allOf, expectKept, make, open, storeSuite } from '../../state/store-suite.ts';
import { mark, marks } from '../../support/chaos-store.ts';
import { sachetHere } from '../../support/command-here.ts';
import { fixtures, noon } from '../../support/sachet.ts';
import { ask } from './support/replica-stores.ts';
import { adminKey, databaseOfTest, enginesAt, rowCounts, storeAt, versionsIn } from './support/replicas.ts';

/** The step of the current tables; the first edition had 1. */
const lastStep = 2;

/** A password that no message may contain. */
const secret = 'told-to-nobody';

function withPassword(url: string): string {
  const changed = new URL(url);
  changed.password = secret;
  return changed.href;
}

function databaseAt(url: string, notify: (text: string) => void = () => undefined): Database {
  const database = new Database({ url, notify });
  onTestFinished(() => database.close());
  return database;
}

const stepsIn = async (url: string): Promise<number[]> =>
  (await ask(url, 'select step from migrations order by step')).map(({ step }) => step);

describe('the tables', () => {
  // failures.deep.test.ts starts three servers at once.
  test('are created once, also if six come at once', async () => {
    const url = await databaseOfTest();
    const created = await Promise.all(Array.from({ length: 6 }, () => migrate(databaseAt(url))));
    expect(created.toSorted()).toEqual([false, false, false, false, false, true]);
    expect(await stepsIn(url)).toEqual([lastStep]);
  });

  test('of a newer version, or of the first edition, end both commands with 78 and stay as they are', async () => {
    const newer = await databaseOfTest();
    await migrate(databaseAt(newer));
    await ask(newer, 'insert into migrations values ($1, now())', [lastStep + 1]);
    const first = await databaseOfTest();
    await ask(first, 'create table migrations (step int primary key, taken_at timestamptz not null)');
    await ask(first, 'insert into migrations values (1, now())');
    for (const [url, message] of [
      [
        newer,
        `the tables of the database have version ${lastStep + 1}, and this version of Sachet supports ${lastStep}`,
      ],
      [first, 'are from Sachet 0.1, '],
    ] as const)
      for (const args of [
        ['store', 'migrate'],
        ['--port', '0', '--admin-key', adminKey],
      ]) {
        const command = sachetHere([...args, '--store', withPassword(url)]);
        expect(await command.ended()).toBe(78);
        expect(command.stderr).toContain(message);
        if (url === first) expect(command.stderr).toContain('save GET /_admin/sandboxes/{sandbox}/state of each');
      }
    expect(await stepsIn(newer)).toEqual([lastStep, lastStep + 1]);
    expect(await stepsIn(first)).toEqual([1]);
    const tables = `select table_name as name from information_schema.tables where table_schema = 'public'`;
    expect(await ask(first, tables)).toEqual([{ name: 'migrations' }]);
  });
});

test('a user who may not create the tables is told so, and can use existing ones', async () => {
  const url = await databaseOfTest();
  const user = new URL(withPassword(url));
  user.username = user.pathname.slice(1);
  await ask(url, `create role ${user.username} login`);
  onTestFinished(() => ask(url, `drop owned by ${user.username}; drop role ${user.username}`).then(() => undefined));
  const migrated = async () => {
    const command = sachetHere(['store', 'migrate', '--store', user.href]);
    return [await command.ended(), command.stdout + command.stderr];
  };
  const place = `${user.host}${user.pathname}`;
  const message = `the database at postgres://${place} cannot be used: permission denied for schema public`;
  expect(await migrated()).toEqual([78, expect.stringContaining(message)]);
  await migrate(databaseAt(url));
  await ask(url, `grant select on all tables in schema public to ${user.username}`);
  expect(await migrated()).toEqual([0, expect.stringContaining('no change needed')]);
});

test('store migrate creates the tables, and prints where and which version', async () => {
  const url = await databaseOfTest();
  const { host, pathname } = new URL(url);
  for (const result of ['created', 'no change needed']) {
    const command = sachetHere(['store', 'migrate'], { SACHET_STORE: withPassword(url) });
    const stdout = `The tables of postgres://${host}${pathname} are at version ${lastStep}: ${result}\n`;
    expect([await command.ended(), command.stderr, command.stdout]).toEqual([0, '', stdout]);
  }
  const missing = new URL(withPassword(process.env.TEST_POSTGRES ?? ''));
  missing.pathname = 'nowhere';
  const command = sachetHere(['store', 'migrate', '--store', missing.href]);
  expect([await command.ended(), command.stdout]).toEqual([78, '']);
  expect(command.stderr).toContain(
    `the database at postgres://${missing.host}/nowhere cannot be used: database "nowhere" does not exist`,
  );
  expect(command.stderr).not.toContain(secret);
});

test('a database that rejects connections is a problem until it accepts them', async () => {
  const server = new URL(process.env.TEST_POSTGRES ?? '');
  const url = await databaseOfTest();
  const name = new URL(url).pathname.slice(1);
  const notes: string[] = [];
  const database = databaseAt(url, (text) => void notes.push(text));
  await ask(server.href, `alter database ${name} rename to ${name}_away`);
  await expect(database.query({ text: 'select 1' })).rejects.toThrow('does not exist');
  const problem = `the database does not answer: database "${name}" does not exist`;
  expect(database.problem).toBe(problem);
  await ask(server.href, `alter database ${name}_away rename to ${name}`);
  await expect.poll(() => database.problem).toBeUndefined();
  expect(notes).toEqual([`store: ${problem}`, 'store: the database answers again']);

  await database.query({ text: 'create table kept (n int); insert into kept values (1)' });
  const failing = database.query({ text: 'insert into kept values (2); select 1 / 0' });
  await expect(failing).rejects.toThrow('division by zero');
  expect((await database.query({ text: 'select n from kept' })).rows).toEqual([{ n: 1 }]);
});

describe('the store', () => {
  storeSuite('PostgreSQL', async () => {
    const url = await databaseOfTest();
    return { store: await storeAt(url), reopen: () => storeAt(url) };
  });

  test('gives the whole sandbox to a server that is further behind than the changes it keeps', async () => {
    const url = await databaseOfTest();
    const sandbox = await make(await storeAt(url));
    const behind = await open(await storeAt(url));
    const seen: number[] = [];
    behind.observe((version) => void seen.push(version));
    for (let n = 0; n < 2200; n += 1) await mark(sandbox, `m${n}`);
    await expect.poll(async () => (await versionsIn(url))[0]).toBeGreaterThan(2);
    await behind.catchUp();
    expect(seen[0]).toBeGreaterThan(2);
    expect(seen.at(-1)).toBe(2201);
    expect(allOf(behind)).toEqual(allOf(sandbox));
    const kept = (await versionsIn(url)).length;
    expect(kept).toBeGreaterThanOrEqual(1000);
    expect(kept).toBeLessThan(2200);
    await mark(behind, 'after');
    await expectKept(sandbox, await storeAt(url));
  });

  test('gives the whole sandbox instead of more than 16 MiB of changes', async () => {
    const url = await databaseOfTest();
    const [one, other] = [await storeAt(url), await storeAt(url)];
    const sandbox = await make(one);
    await other.load('stage', 0);
    const writeUntil = async (version: number) => {
      while (sandbox.version < version)
        await sandbox.write((state) => {
          const name = `${sandbox.version} ${'n'.repeat(1_000_000)}`;
          state.setValue('operator', { ...state.value('operator'), name });
        });
    };
    await writeUntil(11);
    const few = await other.load('stage', 1);
    expect(few?.commits.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(few?.whole).toBeUndefined();
    await writeUntil(21);
    const many = await other.load('stage', 1);
    expect(many?.whole?.document.version).toBeGreaterThan(1);
    expect(many?.commits.at(-1)?.version ?? many?.whole?.document.version).toBe(21);
  });

  test('gives whole sandboxes to more writers at once than it has connections', async () => {
    const url = await databaseOfTest();
    const [store, other] = [await storeAt(url), await storeAt(url)];
    const names = Array.from({ length: 12 }, (_, n) => `s${n}`);
    const ahead = await Promise.all(names.map((name) => make(store, name)));
    const behind = await Promise.all(names.map((name) => open(other, name)));
    await Promise.all(ahead.map((sandbox) => mark(sandbox, 'theirs')));
    for (const sandbox of ahead) {
      const [{ id } = { id: 0 }] = await ask(url, 'select id from sandboxes where name = $1', [sandbox.name]);
      const document = JSON.stringify(sandbox.whole(2).document);
      await ask(url, 'update documents set version = 2, document = $2 where sandbox = $1', [id, document]);
    }
    await ask(url, 'delete from changes');
    // They write without a look at the store first, and so meet a conflict.
    await Promise.all(behind.map((sandbox) => sandbox.write((state) => state.count('ours'))));
    for (const sandbox of behind) expect(await marks(sandbox)).toEqual(['theirs']);
  });

  test('a deleted sandbox leaves no row, whatever is written at that moment', async () => {
    const none = { sandboxes: 0, changes: 0, documents: 0, journals: 0, journal_rows: 0 };
    const url = await databaseOfTest();
    const stores = [await storeAt(url), await storeAt(url)] as const;
    const sandbox = await make(stores[0]);
    await sandbox.write((draft) => draft.keep('one', 1));
    await stores[0].journals.write('stage', { startedAt: 0, text: '{}' });
    expect(Object.values(await rowCounts(url)).every((rows) => rows > 0)).toBe(true);
    await stores[0].remove('stage');
    await expect(mark(sandbox, 'b')).rejects.toThrow('the sandbox stage was deleted');
    expect(await rowCounts(url)).toEqual(none);
    for (let n = 0; n < 20; n += 1) {
      const each = await make(stores[0], `s${n}`);
      await stores[1].load(`s${n}`, 0);
      const writes = Array.from({ length: 10 }, (_, m) => [
        mark(each, `m${m}`),
        ...stores.map(({ journals }) => journals.write(`s${n}`, { startedAt: 0, text: '{}' })),
      ]);
      await Promise.allSettled([...writes.flat(), stores[1].remove(`s${n}`)]);
    }
    expect(await rowCounts(url)).toEqual(none);
  });

  test('unused fixtures are deleted after a day', async () => {
    const url = await databaseOfTest();
    const store = await storeAt(url);
    const count = async () => (await ask(url, 'select name from fixtures')).length;
    await make(store);
    await ask(url, `update fixtures set used_at = now() - interval '25 hours'`);
    await ask(url, `insert into fixtures values ('old', '{}', now() - interval '25 hours'), ('young', '{}', now())`);
    await store.list();
    await expect.poll(count).toBe(2);
    await store.remove('stage');
    await store.list();
    await expect.poll(count).toBe(1);
  });

  test('a server drops from memory what nobody requests for minutes, and what another server has deleted', async () => {
    const url = await databaseOfTest();
    const store = await storeAt(url);
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const engine = createEngine({ fixtures, store, clock: noon });
    const loads = vi.spyOn(store, 'load');
    const stage = () => engine.sandboxes.stage();
    const before = await stage();
    expect(await stage()).toBe(before);
    expect(loads.mock.calls.filter(([, version]) => version === 0)).toHaveLength(1);
    vi.advanceTimersByTime(6 * 60_000);
    const again = await stage();
    expect(again).not.toBe(before);
    expect(exportState(again.state, 0)).toEqual(exportState(before.state, 0));
    engine.close();

    const [one, two] = (await enginesAt(url, 2)) as [Engine, Engine];
    const made = await one.sandboxes.create({ name: 'w1', environment: 'stage', madeByLogin: false }, {});
    const seen = await two.sandboxes.get('w1');
    await one.sandboxes.remove(made);
    expect(seen?.isGone).toBe(false);
    vi.advanceTimersByTime(30_000);
    await vi.waitUntil(() => seen?.isGone);
  });
});

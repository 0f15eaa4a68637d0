// Somebody else is at the files while they are in use: nothing is acknowledged that is not kept, and what was acknowledged is written anew.
import { appendFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { machineDisk } from '../../../src/node/state-folder/disk.ts';
import { lineOf } from '../../../src/node/state-folder/line.ts';
import type { StateFolder } from '../../../src/node/state-folder/state-folder.ts';
import type { Sandbox } from '../../../src/state/sandbox.ts';
import { StoreFailure } from '../../../src/state/store-failure.ts';
import { folder } from '../../support/command.ts';
import { mark, marks, plain, stageOver } from '../../support/harsh-sandboxes.ts';
import { begin, fileOf, newPath, stateOf, within } from '../../support/stored-states.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const deadline = { timeout: 20_000, interval: 10 };

/** Waits, second by second of the store's time, until this is so. */
const eventually = (isMet: () => unknown) =>
  expect.poll(async () => {
    await vi.advanceTimersByTimeAsync(1000);
    return isMet();
  }, deadline);

const found = (path: string) => within(path, async (store) => plain(await stageOver(store)));

type Deed = (log: string) => void;
const deeds: Readonly<Record<string, Deed>> = {
  'whose log is shortened': (log) => truncateSync(log, statSync(log).size - 10),
  'whose log is emptied': (log) => truncateSync(log),
  'whose log is removed': (log) => rmSync(log),
  'whose log has another file in its place': (log) => {
    writeFileSync(`${log}.new`, readFileSync(log));
    renameSync(`${log}.new`, log);
  },
  'whose folder is removed': (log) => rmSync(dirname(log), { recursive: true }),
  'whose folder is removed with all others': (log) => rmSync(dirname(dirname(log)), { recursive: true }),
};

/** A write is refused and leaves no trace; then the sandbox heals, and is kept in a generation of its own. */
async function expectHealed(path: string, sandbox: Sandbox, store: StateFolder, deed: Deed): Promise<void> {
  const before = plain(sandbox);
  deed(fileOf(path, 'changes-1.log'));
  await expect(mark(sandbox, 'refused')).rejects.toThrow(StoreFailure);
  expect(plain(sandbox)).toEqual(before);
  expect(store.trouble()).toMatch(/^the state folder takes no writes: changes-1\.log was (?:changed|removed) by /);
  await eventually(() => store.trouble()).toBeUndefined();
  expect(readFileSync(fileOf(path, 'snapshot-2.json'), 'utf8')).toContain(`"version":${before.version},`);
  expect(plain(sandbox)).toEqual(before);
  await mark(sandbox, 'after');
}

describe.each(Object.entries(deeds))('a sandbox %s', (_, deed) => {
  test('refuses the next write, heals by itself, and has all that was acknowledged', async () => {
    const path = newPath();
    const last = await within(path, async (store) => {
      const sandbox = await stageOver(store);
      for (const id of ['one', 'two']) await mark(sandbox, id);
      await expectHealed(path, sandbox, store, deed);
      expect(await marks(sandbox)).toEqual(['one', 'two', 'after']);
      return plain(sandbox);
    });
    expect(await found(path)).toEqual(last);
  });
});

// The first write that a store is given is the first time that it is given the state whole.
for (const since of ['made', 'opened'] as const)
  test(`a sandbox that was not written to since it was ${since} heals as well`, async () => {
    const path = newPath();
    if (since === 'opened') await found(path);
    const last = await within(path, async (store) => {
      const sandbox = await stageOver(store);
      await expectHealed(path, sandbox, store, rmSync);
      return plain(sandbox);
    });
    expect(await found(path)).toEqual(last);
  });

test('a line that somebody else appends is cut off, and what is acknowledged after it stands', async () => {
  const path = newPath();
  const last = await within(path, async (store) => {
    const sandbox = await stageOver(store);
    await mark(sandbox, 'before');
    const { version } = sandbox.root;
    const changes = [{ table: 'spent_refresh_tokens', sequence: 7, row: { id: 'foreign' } }];
    appendFileSync(fileOf(path, 'changes-1.log'), lineOf(JSON.stringify({ version: version + 1, changes })));
    const first = await mark(sandbox, 'first').then(
      () => ['first'],
      () => [],
    );
    await mark(sandbox, 'second');
    expect(store.trouble()).toBeUndefined();
    expect(await marks(sandbox)).toEqual(['before', ...first, 'second']);
    return plain(sandbox);
  });
  expect(await found(path)).toEqual(last);
});

test('removing a sandbox whose folder somebody has removed is no error, and its name is free', async () => {
  const path = newPath();
  await within(path, async (store) => {
    await begin(store);
    rmSync(fileOf(path, ''), { recursive: true });
    await store.remove('stage');
    expect([store.names(), store.trouble()]).toEqual([[], undefined]);
    await begin(store);
  });
  expect(await stateOf(path)).toEqual({ stage: { version: 1, marks: [] } });
});

test('a sandbox that cannot heal keeps no other from healing', async () => {
  const path = newPath();
  await within(path, async (store) => {
    const [stuck, other] = [await goneOn(store, 'stuck'), await goneOn(store, 'other')];
    rmSync(fileOf(path, '', 'stuck'), { recursive: true });
    writeFileSync(join(path, 'sandboxes', 'stuck'), 'no folder');
    truncateSync(fileOf(path, 'changes-1.log', 'other'));
    await expect(stuck()).rejects.toThrow('somebody else');
    await expect(other()).rejects.toThrow('somebody else');
    await vi.advanceTimersByTimeAsync(1000);
    // By no poll of vitest's, which moves the store's time on: the first attempt is to do it.
    const late = Date.now() + deadline.timeout;
    const isTaken = () => other().catch(() => false);
    while (!(await isTaken()) && Date.now() < late) await sleep(10);
    expect(Date.now()).toBeLessThan(late);
    await expect(stuck()).rejects.toThrow('the disk has failed');
    expect(store.trouble()).toContain('the state folder takes no writes: ');
    rmSync(join(path, 'sandboxes', 'stuck'));
    await eventually(() => stuck().catch(String)).toBe('committed');
    // A snapshot that met what its own failed attempt left behind is made by the next one.
    await eventually(() => store.trouble()).toBe(undefined);
  });
  expect(await stateOf(path)).toMatchObject({ stuck: { version: 3 }, other: { version: 3 } });
});

/** A sandbox that was written to, and what writes to it again. */
async function goneOn(store: StateFolder, name: string): Promise<() => Promise<string>> {
  let root = await begin(store, name);
  const write = async () => {
    const next = { ...root, version: root.version + 1 };
    const answer = await store.append(name, root.version, [{ value: 'counters', to: next.values.counters }], {
      from: root,
      to: next,
    });
    root = next;
    return answer;
  };
  await write();
  return write;
}

describe('the disk of this machine', () => {
  test('writes at the end of a file that it made and cut, and leaves no hole', async () => {
    const path = join(folder(), 'file');
    const file = await machineDisk.create(path);
    await file.write(Buffer.from('kept, lost'));
    await file.truncate(4);
    await file.write(Buffer.from('!'));
    expect([file.size(), readFileSync(path, 'latin1')]).toEqual([5, 'kept!']);
    await file.close();
  });

  test('knows no size of a file that is removed', async () => {
    const path = join(folder(), 'file');
    const file = await machineDisk.create(path);
    await file.write(Buffer.from('kept'));
    expect(file.size()).toBe(4);
    rmSync(path);
    expect(file.size()).toBeUndefined();
    await file.close();
  });

  test.runIf(process.platform === 'linux')('says at once that no folder can be made where none can be', async () => {
    let outcome: unknown;
    machineDisk.makeFolder('/proc/sachet/one/two').catch((error: NodeJS.ErrnoException) => {
      outcome = error.code;
    });
    await expect.poll(() => outcome, { interval: 10 }).toBe('ENOENT');
  });
});

// Somebody else is at the files while they are in use: nothing is acknowledged that is not kept, and what was acknowledged is written anew.

import { appendFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreFailure } from '../../../src/state/store.ts';
import type { TransactionRunner } from '../../../src/state/transaction-runner.ts';
import { lineOf } from '../../../src/stores/folder/change-log.ts';
import { makeFolder } from '../../../src/stores/folder/file-system.ts';
import type { StateFolder } from '../../../src/stores/folder/state-folder.ts';
import { mark, marks, plain, stageOver } from '../../support/chaos-sandboxes.ts';
import { documentOf, logOf, newPath, within } from '../../support/stored-states.ts';

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
  'whose log is removed with all documents': (log) => {
    rmSync(log);
    rmSync(join(dirname(log), 'sandboxes'), { recursive: true });
  },
};

/** A write is refused and leaves no trace; the next one is kept, with all that was acknowledged before. */
async function expectHealed(path: string, sandbox: TransactionRunner, store: StateFolder, deed: Deed): Promise<void> {
  const before = plain(sandbox);
  deed(logOf(path));
  await expect(mark(sandbox, 'refused')).rejects.toThrow(StoreFailure);
  expect(plain(sandbox)).toEqual(before);
  expect(store.problem()).toMatch(
    /^cannot write changes to the state folder: changes\.log was (?:changed|cut|removed) by /,
  );
  await eventually(() => store.problem()).toBeUndefined();
  await mark(sandbox, 'after');
  expect(readFileSync(documentOf(path), 'utf8')).toContain(`"version": ${before.version},`);
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
    const changes = [{ table: 'spent_refresh_tokens', seq: 7, row: { id: 'foreign' } }];
    appendFileSync(logOf(path), lineOf({ sandbox: 'stage', version: sandbox.version + 1, changes }));
    await expect(mark(sandbox, 'first')).rejects.toThrow(StoreFailure);
    await eventually(() => store.problem()).toBeUndefined();
    await mark(sandbox, 'second');
    expect(await marks(sandbox)).toEqual(['before', 'second']);
    return plain(sandbox);
  });
  expect(await found(path)).toEqual(last);
});

test.runIf(process.platform === 'linux')(
  'it is said at once that no folder can be made where none can be',
  async () => {
    let outcome: unknown;
    makeFolder(promises, '/proc/sachet/one/two').catch((error: NodeJS.ErrnoException) => {
      outcome = error.code;
    });
    await expect.poll(() => outcome, { interval: 10 }).toBe('ENOENT');
  },
);

// A folder that is another one's by now: nothing more is written to it, whoever writes is told why, and what is there now stays as it is.
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { lockFolder, thisProcess } from '../../../src/stores/folder/lock.ts';
import { openState } from '../../../src/stores/folder/state-folder.ts';
import { mark, plain, stageOver } from '../../support/chaos-sandboxes.ts';
import { folder } from '../../support/command.ts';
import { untilSo } from '../../support/control.ts';
import { addMark } from '../../support/kept-books.ts';
import { filesOf, logOf, within } from '../../support/stored-states.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const heartbeat = 1000;
const refused = (why: string) => ({ cause: { message: expect.stringContaining(why) } });
const moved = 'the state folder was moved or replaced';
const taken = 'another process has taken over the state folder';

/** Writes a lock that is another one's. */
const lockAnew = (path: string): void => writeFileSync(join(path, 'lock'), JSON.stringify(thisProcess()));

const losses: Readonly<Record<string, { readonly why: string; readonly lose: (path: string) => void }>> = {
  'that is moved away and made anew': {
    why: moved,
    lose: (path) => {
      renameSync(path, `${path}.away`);
      mkdirSync(path);
    },
  },
  'that is moved away, and is another one with a lock of its own': {
    why: moved,
    lose: (path) => {
      renameSync(path, `${path}.away`);
      mkdirSync(path);
      lockAnew(path);
    },
  },
  'that is moved away': { why: moved, lose: (path) => renameSync(path, `${path}.away`) },
  'that is moved away and made anew with a folder of the sandbox': {
    why: moved,
    lose: (path) => {
      renameSync(path, `${path}.away`);
      mkdirSync(join(path, 'sandboxes', 'stage'), { recursive: true });
    },
  },
  "whose lock is another one's": { why: taken, lose: lockAnew },
};

/** A server's state in a folder within one that goes with the test. */
async function opened(sync: 'always' | 'interval') {
  const [around, told] = [folder(), [] as string[]];
  const path = join(around, 'state');
  const state = await openState(path, { sync, notify: (words) => told.push(words) });
  const sandbox = await stageOver(state.store);
  await mark(sandbox, 'before');
  return { around, path, state, sandbox, told };
}

/** After one heartbeat. */
async function expectLost({ store }: Awaited<ReturnType<typeof openState>>, why: string): Promise<void> {
  await vi.advanceTimersByTimeAsync(heartbeat);
  // By no poll of vitest's, which moves the store's time on.
  await untilSo(() => store.problem() === why);
}

describe.each(Object.entries(losses))('a folder %s', (_, { why, lose }) => {
  for (const sync of ['always', 'interval'] as const)
    test(`is written to no more, which is told once, with --sync ${sync}`, async () => {
      const { around, path, state, sandbox, told } = await opened(sync);
      lose(path);
      const [files, before] = [filesOf(around), plain(sandbox)];
      await expectLost(state, why);
      await expect(mark(sandbox, 'refused')).rejects.toMatchObject({ cause: { message: why } });
      expect(plain(sandbox)).toEqual(before);
      await expect(async () => state.store.remove('stage')).rejects.toThrow(why);
      await vi.advanceTimersByTimeAsync(3 * heartbeat);
      await state.close();
      expect(told).toEqual([`state: ${why}: this server no longer writes to it`]);
      expect(filesOf(around)).toEqual(files);
    });
});

test("a folder that another one has is not mended at the end: what is there is the other one's", async () => {
  const { path, state, sandbox } = await opened('always');
  appendFileSync(logOf(path), 'of the next one\n');
  await expect(mark(sandbox, 'refused')).rejects.toMatchObject(refused('another program'));
  lockAnew(path);
  const files = filesOf(path);
  await expectLost(state, taken);
  await state.close();
  expect(filesOf(path)).toEqual(files);
});

test('a server that has the folder made anew goes on, whatever the one before it does', async () => {
  const { path, state } = await opened('always');
  renameSync(path, `${path}.away`);
  const next = await openState(path, { sync: 'always', notify: () => undefined });
  onTestFinished(() => next.close());
  await expectLost(state, moved);
  await state.close();
  const sandbox = await stageOver(next.store);
  await vi.advanceTimersByTimeAsync(heartbeat);
  await mark(sandbox, 'after');
  expect(next.store.problem()).toBeUndefined();
});

/** A folder that is held with this patience, and is not looked at by itself. */
async function heldWith(staleMilliseconds: number) {
  const path = folder();
  const notify = vi.fn();
  const held = await lockFolder(path, { notify, heartbeatMilliseconds: 600_000, staleMilliseconds });
  onTestFinished(() => held.release());
  return { path, held, notify, setting: { loss: () => held.loss() } };
}

describe('a holder that may have been stopped', () => {
  test('finds before a write that another one has the folder', async () => {
    const { path, notify, setting } = await heldWith(20);
    await within(
      path,
      async (store) => {
        await addMark(store, 'stage', undefined, '');
        lockAnew(path);
        const files = filesOf(path);
        const since = performance.now();
        await expect.poll(() => performance.now() - since, { interval: 5 }).toBeGreaterThan(20);
        await expect(addMark(store, 'other', undefined, '')).rejects.toThrow(taken);
        expect(notify).toHaveBeenCalledExactlyOnceWith(`state: ${taken}: this server no longer writes to it`);
        expect(filesOf(path)).toEqual(files);
      },
      setting,
    );
  });

  test('finds it before what was refused is mended, too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { path, notify, setting } = await heldWith(20);
    await within(
      path,
      async (store) => {
        const sandbox = await stageOver(store);
        await mark(sandbox, 'before');
        appendFileSync(logOf(path), 'of the next one\n');
        await expect(mark(sandbox, 'refused')).rejects.toMatchObject(refused('another program'));
        lockAnew(path);
        const files = filesOf(path);
        await sleep(40);
        await vi.advanceTimersByTimeAsync(1000);
        await untilSo(() => notify.mock.calls.length === 1);
        expect(filesOf(path)).toEqual(files);
      },
      setting,
    );
  });

  test('does not look again while it has just seen that the folder is its own', async () => {
    const { path, held } = await heldWith(600_000);
    rmSync(join(path, 'lock'));
    lockAnew(path);
    expect(held.loss()).toBeUndefined();
  });
});

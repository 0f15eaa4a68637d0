// One process per state folder: a second one is rejected with the holder's pid; one process takes over from a holder that has ended.
import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type FolderLock, type LockHolder, lockFolder, thisProcess } from '../../../src/stores/folder/lock.ts';
import { folder, run, sachet, serving } from '../../support/command.ts';

const quick = { heartbeatMilliseconds: 20, staleMilliseconds: 300 };

/** Locks a folder until the end of the test. */
async function locked(
  path: string,
  options: Partial<Parameters<typeof lockFolder>[1]> = {},
): Promise<{ lock: FolderLock; notes: string[] }> {
  const notes: string[] = [];
  const lock = await lockFolder(path, { notify: (text) => notes.push(text), ...quick, ...options });
  onTestFinished(() => lock.release());
  return { lock, notes };
}

const takeover = (pid: number, host = thisProcess().host): string =>
  `state: took over the lock: process ${pid} on ${host}, which held it, has ended, or has stopped updating it`;
const heldError = { name: 'FolderHeld', exitStatus: 73 };
const holderOf = (path: string): LockHolder => JSON.parse(readFileSync(`${path}/lock`, 'utf8')) as LockHolder;

/** A folder whose holder is this process, except for these changes. */
const heldBy = (changes: Partial<LockHolder>): string =>
  folder({ lock: JSON.stringify({ ...thisProcess(), ...changes }) });

async function endedPid(): Promise<number> {
  const { child, ended } = run('true', []);
  await ended();
  return child.pid ?? 0;
}

/** A process that has ended, and whose parent does not ask for its exit code. */
async function zombie(): Promise<Partial<LockHolder>> {
  const parent = run('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
  await parent.until('pid', ({ stdout }) => stdout.includes('\n'));
  const pid = Number(parent.stdout);
  const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8');
  await expect.poll(stat, { interval: 10 }).toContain(') Z ');
  const started =
    stat()
      .replace(/^.*\) /, '')
      .split(' ')[19] ?? '';
  return { pid, started };
}

describe('a locked folder', () => {
  test('rejects a second process with the holder, and is free after the release', async () => {
    const path = folder();
    const { lock } = await locked(path);
    const { pid, host, since } = holderOf(path);
    await expect(locked(path)).rejects.toMatchObject({
      ...heldError,
      message: expect.stringContaining(`${path} is in use by process ${pid} on ${host} since ${since}`),
    });
    lock.release();
    expect(existsSync(`${path}/lock`)).toBe(false);
    expect((await locked(path)).notes).toEqual([]);
  });

  test('on another machine stays with its holder while that updates the lock, and is taken over when it stops', async () => {
    const path = heldBy({ place: 'another', host: 'elsewhere', pid: 7 });
    const touching = setInterval(() => utimesSync(`${path}/lock`, new Date(), new Date()), 20);
    onTestFinished(() => clearInterval(touching));
    await expect(locked(path)).rejects.toThrow('is in use by process 7 on elsewhere');
    clearInterval(touching);
    const begun = Date.now();
    const { notes } = await locked(path);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(quick.staleMilliseconds - 20);
    expect(notes).toEqual([takeover(7, 'elsewhere')]);
  });

  test('whose lock file was deleted gets it back from its holder, and stays locked', async () => {
    const path = folder();
    const { lock, notes } = await locked(path);
    rmSync(`${path}/lock`);
    await expect.poll(() => existsSync(`${path}/lock`)).toBe(true);
    await expect(locked(path)).rejects.toMatchObject(heldError);
    expect([lock.loss(), notes]).toEqual([undefined, []]);
  });
});

describe('a holder that is gone', () => {
  test.each<readonly [string, () => Promise<Partial<LockHolder>>]>([
    ['its process has ended', async () => ({ pid: await endedPid() })],
    ['its pid belongs to a later process', async () => ({ started: '1' })],
    ['its process is a zombie', zombie],
  ])('is replaced at once: %s', async (_, changes) => {
    const holder = await changes();
    const path = heldBy(holder);
    const { notes } = await locked(path, { staleMilliseconds: 600_000 });
    expect(holderOf(path).pid).toBe(process.pid);
    expect(notes).toEqual([takeover(holder.pid ?? process.pid)]);
  });

  test.each(['', '{"id":"x","pi', '{}'])('may leave a lock file that is not whole: %j', async (text) => {
    const path = folder({ lock: text });
    const { notes } = await locked(path);
    expect(holderOf(path).pid).toBe(process.pid);
    expect(notes).toEqual(['state: took over the lock: it names no process']);
  });

  test('is replaced by exactly one of eight that come at once', async () => {
    const pid = await endedPid();
    for (let round = 0; round < 40; round += 1) {
      const path = heldBy({ pid });
      const contenders = Array.from({ length: 8 }, async (_, index) => {
        for (let turns = (index * round) % 7; turns > 0; turns -= 1) await turn();
        return locked(path);
      });
      const outcomes = await Promise.allSettled(contenders);
      const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(
        winners.map(({ notes }) => notes),
        `round ${round}`,
      ).toEqual([[takeover(pid)]]);
      for (const error of errors) expect(error).toMatchObject(heldError);
      for (const { lock } of winners) lock.release();
    }
  });
});

test('the command ends with 73 over a locked folder; after a kill -9, one of several starts takes it over', async () => {
  const path = folder();
  const holder = await serving(['--state', path]);
  const second = sachet(['--port', '0', '--state', path]);
  expect(await second.ended()).toBe(73);
  expect(second.stderr).toContain(`is in use by process ${holder.ready.pid} on `);
  holder.child.kill('SIGKILL');
  await holder.ended();
  const next = Array.from({ length: 3 }, () => sachet(['--port', '0', '--json', '--state', path]));
  const results = next.map((one) =>
    one
      .until('ready record', ({ stdout }) => stdout.includes('\n'))
      .then(
        () => 'ready',
        () => one.ended(),
      ),
  );
  expect((await Promise.all(results)).sort()).toEqual([73, 73, 'ready']);
  expect(next.some(({ stderr }) => stderr.includes(takeover(holder.ready.pid)))).toBe(true);
});

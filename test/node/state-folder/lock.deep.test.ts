// One process per state folder: a second is turned away and told who has it; a holder that is gone is followed at once, and by one alone.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type FolderLock, type LockHolder, lockFolder, thisProcess } from '../../../src/stores/folder/lock.ts';
import { folder, run, sachet, serving } from '../../support/command.ts';

const path = (): string => folder();
const quick = { heartbeatMilliseconds: 20, staleMilliseconds: 300 };

/** Takes a folder until the test is over; what it is told. */
async function hold(
  at: string,
  options: Partial<Parameters<typeof lockFolder>[1]> = {},
): Promise<{ held: FolderLock; told: string[] }> {
  const told: string[] = [];
  const held = await lockFolder(at, { notify: (words) => told.push(words), ...quick, ...options });
  onTestFinished(() => held.release());
  return { held, told };
}

/** What is told of a lock that this process had. */
const takenFrom = (pid: number, host = thisProcess().host): string =>
  `state: took over the lock: process ${pid} on ${host}, which held it, has ended, or has stopped updating it`;

const lostWords = (why: string): string => `state: ${why}: this server no longer writes to it`;

const heldError = { name: 'FolderHeld', exitStatus: 73 };

const lockOf = (at: string): LockHolder => JSON.parse(readFileSync(`${at}/lock`, 'utf8')) as LockHolder;

/** A folder that somebody holds who is like this process, but for this. */
function heldBy(changes: Partial<LockHolder>): string {
  const at = path();
  writeFileSync(`${at}/lock`, JSON.stringify({ ...thisProcess(), ...changes }));
  return at;
}

/** When a process began, as the kernel counts. */
const startOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')[19] ?? '';

/** A process that has ended, and is never asked for. */
async function zombie(): Promise<number> {
  const parent = run('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60']);
  await parent.until('pid', ({ stdout }) => stdout.includes('\n'));
  const pid = Number(parent.stdout);
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
  return pid;
}

async function endedPid(): Promise<number> {
  const { child, ended } = run('true', []);
  await ended();
  return child.pid ?? 0;
}

describe('a folder that is held', () => {
  test('turns a second one away, and says who has it', async () => {
    const at = path();
    await hold(at);
    const refusal = await hold(at).catch((error: unknown) => error);
    const { pid, host, since } = lockOf(at);
    expect(refusal).toMatchObject({
      ...heldError,
      message: expect.stringContaining(`${at} is in use by process ${pid} on ${host} since ${since}`),
    });
  });

  test('is free once it is released, and no lock stays', async () => {
    const at = path();
    (await hold(at)).held.release();
    expect(existsSync(`${at}/lock`)).toBe(false);
    expect((await hold(at)).told).toEqual([]);
  });

  test('stays free, though it was just to be said that it is held', async () => {
    const at = path();
    for (let round = 0; round < 60; round += 1) {
      const { held } = await hold(at, { heartbeatMilliseconds: 1 });
      const until = Date.now() + (round % 4);
      while (Date.now() < until) await turn();
      held.release();
      for (let turns = 0; turns < 20; turns += 1) await turn();
      expect(existsSync(`${at}/lock`), `round ${round}`).toBe(false);
    }
  });

  test('of whose holder nothing can be known is left to it while it says that it is there', async () => {
    for (const changes of [{ place: 'another boot' }, { place: 'another' }]) {
      const at = heldBy({ ...changes, pid: 1 });
      const touching = setInterval(() => utimesSync(`${at}/lock`, new Date(), new Date()), 20);
      onTestFinished(() => clearInterval(touching));
      await expect(hold(at)).rejects.toThrow('is in use by process 1 on');
    }
  });

  test('is lost to whoever has taken it over, which the holder is told once', async () => {
    const at = path();
    const { held, told } = await hold(at);
    const other = JSON.stringify({ ...thisProcess(), pid: process.pid });
    writeFileSync(`${at}/lock`, other);
    await expect.poll(() => told.length).toBe(1);
    held.release();
    expect(readFileSync(`${at}/lock`, 'utf8')).toBe(other);
    expect(told).toEqual([lostWords('another process has taken over the state folder')]);
    expect(held.loss()).toBe('another process has taken over the state folder');
  });

  test('is lost where it is not at its place any more, which the holder is told once, and writes no lock', async () => {
    const at = path();
    const { told } = await hold(at);
    renameSync(at, `${at}.moved`);
    onTestFinished(() => rmSync(`${at}.moved`, { recursive: true }));
    mkdirSync(at);
    await expect.poll(() => told).toEqual([lostWords('the state folder was moved or replaced')]);
    expect(existsSync(`${at}/lock`)).toBe(false);
  });

  test('whose lock somebody took away is held again', async () => {
    const at = path();
    await hold(at);
    const { id } = lockOf(at);
    rmSync(`${at}/lock`);
    await expect.poll(() => existsSync(`${at}/lock`) && lockOf(at).id).toBe(id);
  });
});

describe('a holder that is gone', () => {
  /** Taken over far sooner than the patience, which is not needed. */
  async function expectTaken(changes: Partial<LockHolder>): Promise<void> {
    const at = heldBy(changes);
    const { told } = await hold(at, { staleMilliseconds: 600_000 });
    expect(lockOf(at).pid).toBe(process.pid);
    expect(told).toEqual([takenFrom(changes.pid ?? process.pid)]);
  }

  test('is followed at once where its process has ended', async () => expectTaken({ pid: await endedPid() }));
  test('is followed at once where its pid is of a process that began later', async () => expectTaken({ started: '1' }));
  test('is followed at once where nobody asks for its ended process', async () => {
    const pid = await zombie();
    await expectTaken({ pid, started: startOf(pid) });
  });

  test('on another machine is followed when it has not said for a while that it is there', async () => {
    const at = heldBy({ place: 'another', host: 'elsewhere', pid: 7 });
    const begun = Date.now();
    const { told } = await hold(at);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(quick.staleMilliseconds);
    expect(told).toEqual([takenFrom(7, 'elsewhere')]);
  });

  for (const text of ['', '{"id":"x","pi', '{}'])
    test(`leaves a lock that was never written whole, which keeps nobody out: ${JSON.stringify(text)}`, async () => {
      const at = path();
      writeFileSync(`${at}/lock`, text);
      const { told } = await hold(at);
      expect(lockOf(at).pid).toBe(process.pid);
      expect(told).toEqual(['state: took over the lock: it names no process']);
    });

  test('is followed by one alone of all who come at once, over many rounds', async () => {
    const pid = await endedPid();
    for (let round = 0; round < 60; round += 1) {
      const at = heldBy({ pid });
      const contenders = Array.from({ length: 8 }, async (_, index) => {
        for (let turns = (index * round) % 7; turns > 0; turns -= 1) await turn();
        return hold(at);
      });
      const outcomes = await Promise.allSettled(contenders);
      const winners = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(winners.length, `round ${round}`).toBe(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(heldError);
      for (const winner of winners) {
        const { held, told } = (winner as PromiseFulfilledResult<Awaited<ReturnType<typeof hold>>>).value;
        held.release();
        expect(told).toEqual([takenFrom(pid)]);
      }
    }
  });
});

describe('the command', () => {
  test('ends with 73 over a folder that another one has, and says which', async () => {
    const at = path();
    const { ready } = await serving(['--state', at]);
    const second = sachet(['--port', '0', '--state', at]);
    expect(await second.ended()).toBe(73);
    expect(second.stderr).toContain(`is in use by process ${ready.pid} on `);
  });

  test('follows one that was killed at once; of several, one does', async () => {
    const at = path();
    const killed = await serving(['--state', at]);
    killed.child.kill('SIGKILL');
    await killed.ended();
    const next = Array.from({ length: 3 }, () => sachet(['--port', '0', '--json', '--state', at]));
    const ends = next.map((one) =>
      Promise.race([
        one.ended(),
        one
          .until('ready record', ({ stdout }) => stdout.includes('\n'))
          .then(
            () => 'ready',
            () => one.ended(),
          ),
      ]),
    );
    expect((await Promise.all(ends)).sort()).toEqual([73, 73, 'ready']);
    expect(next.some(({ stderr }) => stderr.includes(takenFrom(Number(killed.ready.pid))))).toBe(true);
  });
});

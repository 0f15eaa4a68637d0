// How `sachet matrix` runs the command: what fails it at once, how many at a time, how long; and what it leaves behind: nothing.
import { describe, expect, test } from 'vitest';
import { timeoutFor } from '../../src/node/matrix/matrix.ts';
import { sachetHere } from '../support/command-here.ts';
import { inMachineTime } from '../support/machine-time.ts';
import { document, matrix, matrixProcess } from '../support/matrix.ts';
import { gone } from '../support/processes.ts';
import { client } from '../support/written-clients.ts';

const nextCursor = ['--all', '--only', 'next_cursor'];

describe('a first run that fails', () => {
  test('is told with what it printed, and nothing else is run', async () => {
    const started = matrix(
      client("note('run');\nawait logIn();\nconsole.log('\\u001b[31mred\\u001b[0m\\u0007');\nfail('no good');"),
    );
    const { code, stdout, stderr } = await started.told();
    expect([code, stdout, started.notes()]).toEqual([1, '', ['run']]);
    expect(stderr).toBe(
      'red\\u{7}\nno good\nsachet: the command fails in the first run, before any assumption is changed: it exited with code 1\n',
    );
  });

  test('is told with the signal that ended it', async () => {
    const { code, stderr } = await matrix(client("process.kill(process.pid, 'SIGKILL');")).told();
    expect([code, stderr]).toEqual([
      1,
      'sachet: the command fails in the first run, before any assumption is changed: it was killed by SIGKILL\n',
    ]);
  });

  test('is told when it takes too long', inMachineTime, async () => {
    const { code, stderr } = await matrix(client('setInterval(() => {}, 1000);'), ['--timeout', '0.5']).told();
    expect([code, stderr]).toEqual([
      1,
      'sachet: the command fails in the first run, before any assumption is changed: it was stopped because it took longer than 0.5 s\n',
    ]);
  });

  test('as the command cannot be started is a usage error', async () => {
    const command = sachetHere(['matrix', '--', 'no-such-command-here']);
    expect([await command.ended(), command.stdout]).toEqual([2, '']);
    expect(command.stderr).toMatch(/^sachet: the command "no-such-command-here" cannot be started: [^\n]+\n$/);
  });
});

/** Notes its pid and that of its child, when both are up, and never ends. */
const neverEnds = (child = '') => `
const { spawn } = await import('node:child_process');
const child = spawn(process.execPath, ['-e', "${child} setInterval(() => {}, 1000); console.log('up');"], { stdio: ['ignore', 'pipe', 'ignore'] });
child.stdout.once('data', () => note(process.pid + ' ' + child.pid));
setInterval(() => {}, 1000);
`;
/** Nobody else has to ask for its child then; one that is not asked to end is waited for. */
const waitsForChild = "process.on('SIGTERM', () => child.once('exit', () => process.exit(143)));";
const pidsOf = (notes: readonly string[]): number[] => notes.flatMap((line) => line.split(' ').map(Number));

describe('a run that never ends', inMachineTime, () => {
  test('is ended with all that it started, and has failed', async () => {
    const does = `await logIn();\nif (assume) {\n${neverEnds("process.on('SIGTERM', () => {});")}\n}`;
    const { code, notes, results } = await document(client(does), ['--timeout', '2', '--only', 'rate_limit']);
    expect(code).toBe(1);
    expect(results).toMatchObject([
      {
        passed: false,
        timed_out: true,
        exit_code: null,
        signal: 'SIGTERM',
        request: { operation: 'authentication.token' },
      },
    ]);
    expect(notes).toHaveLength(1);
    await gone(pidsOf(notes));
  });

  test('is told as such', async () => {
    const does = 'await logIn();\nif (assume) setInterval(() => {}, 1000);';
    const { stdout } = await matrix(client(does), ['--timeout', '2', '--only', 'rate_limit']).told();
    expect(stdout).toMatch(
      /\n {4}it was stopped because it took longer than 2 s; POST \/v2\/authentication\/token answered 200\. /,
    );
  });

  test('may take ten times as long as the first run, and twenty seconds at least', () => {
    expect(timeoutFor(undefined, 1500)).toBe(20_000);
    expect(timeoutFor(undefined, 2500)).toBe(25_000);
    expect(timeoutFor(3, 2500)).toBe(3000);
  });
});

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s', (signal, code) => {
  test('ends all runs, and nothing is left or told', async () => {
    const started = matrixProcess(client(`await logIn();\nif (assume) {\n${waitsForChild}\n${neverEnds()}\n}`), [
      '--parallel',
      '2',
      ...nextCursor,
    ]);
    await expect.poll(() => started.notes().length, { interval: 10 }).toBe(2);
    started.running.child.kill(signal);
    expect(await started.told()).toEqual({ code, stdout: '', stderr: '' });
    await gone(pidsOf(started.notes()));
    expect(started.notes()).toHaveLength(2);
  });
});

test('no further run is begun while one of them does not end', async () => {
  const ignores = "if (assume === 'next_cursor=meta') process.on('SIGTERM', () => {});";
  const does = `await logIn();\nif (assume) {\n${ignores}\n${neverEnds()}\n}`;
  const started = matrixProcess(client(does), ['--parallel', '2', ...nextCursor]);
  await expect.poll(() => started.notes().length, { interval: 10 }).toBe(2);
  started.running.child.kill('SIGINT');
  expect(await started.told()).toEqual({ code: 130, stdout: '', stderr: '' });
  expect(started.notes()).toHaveLength(2);
  await gone(pidsOf(started.notes()));
});

test('a second signal does not wait for those who ignore the first', inMachineTime, async () => {
  const ignores =
    "process.on('SIGTERM', () => note('asked'));\nnote(String(process.pid));\nsetInterval(() => {}, 1000);";
  const started = matrixProcess(client(ignores));
  await expect.poll(() => started.notes().length, { interval: 10 }).toBe(1);
  started.running.child.kill('SIGINT');
  await expect.poll(() => started.notes().at(-1), { interval: 10 }).toBe('asked');
  // One that comes at once is the same one. To wait for the client takes two seconds.
  const { child } = started.running;
  await expect.poll(() => child.kill('SIGINT') && child.exitCode, { timeout: 1900, interval: 50 }).toBe(false);
  expect(child.exitCode).toBe(130);
  await gone([Number(started.notes()[0])]);
});

test('what a run leaves behind is ended with it', async () => {
  const leaves = `
await logIn();
const { spawn } = await import('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000);'], { stdio: 'inherit' });
note(String(child.pid));
child.unref();
process.exit(0);`;
  const { code, notes } = await document(client(leaves), ['--only', 'rate_limit']);
  expect([code, notes.length]).toEqual([0, 2]);
  await gone(pidsOf(notes));
});

describe('runs at a time', () => {
  /** Each waits until so many have begun, if it is not the first; then notes its end. */
  const meeting = (count: number): string =>
    client(
      `note('begin');\nwhile (assume && noted().filter((line) => line === 'begin').length < ${count + 1}) await pause(5);\nawait logIn();\nnote('end');`,
    );
  const most = (notes: readonly string[]): number => {
    let [now, highest] = [0, 0];
    for (const note of notes) {
      now += note === 'begin' ? 1 : -1;
      highest = Math.max(highest, now);
    }
    return highest;
  };

  test.each([1, 2, 3])('are %i by --parallel, and never more', async (count) => {
    const { code, notes } = await document(meeting(count), ['--parallel', String(count), ...nextCursor]);
    expect([code, notes.length, most(notes)]).toEqual([0, 8, count]);
    expect(notes.slice(0, 2)).toEqual(['begin', 'end']);
  });
});

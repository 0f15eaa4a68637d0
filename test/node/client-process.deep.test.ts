// The processes of clients: their output and lines, how `sachet matrix` runs them, one after the other or in parallel, and that no process remains.
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ClientProcess } from '../../src/node/client-process.ts';
import { timeoutFor } from '../../src/node/matrix/matrix.ts';
import { UsageError } from '../../src/system/exit-errors.ts';
import { thrownBy } from '../library/starts.ts';
import { folder, gone, inMachineTime, resultOf, root, sachet } from '../support/command.ts';
import { client, document, matrix, prepared } from './matrix.ts';
import { readXml } from './xml.ts';

async function started(code: string, stdin?: 'pipe'): Promise<ClientProcess> {
  const client = await ClientProcess.start([process.execPath, '-e', code], process.env, stdin);
  onTestFinished(() => client.end());
  return client;
}

/** Runs a client to its end. */
async function run(code: string) {
  const client = await started(code);
  const result = await client.ended;
  await client.end();
  return { ...result, output: client.output };
}

test('a client reports the exit code or the signal, and the last 65,536 characters of both outputs', async () => {
  const first = await run("console.log('out'); console.error('err'); process.exitCode = 3;");
  expect(first).toMatchObject({ exitCode: 3, signal: null });
  expect(first.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  const killed = await run(
    "process.stdout.write('a'.repeat(99_999) + 'b'.repeat(70_000) + 'z', () => process.kill(process.pid, 'SIGKILL'));",
  );
  expect(killed).toEqual({ exitCode: null, signal: 'SIGKILL', output: `${'b'.repeat(65_535)}z` });
});

test('a client exchanges lines, if it has an input; writing to an ended client is no error', async () => {
  const echo =
    "require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => console.log('heard ' + line));";
  const client = await started(echo, 'pipe');
  const line = new Promise((resolve) => client.onLine(resolve));
  client.write('hello');
  expect(await line).toBe('heard hello');
  await client.end();
  client.write('hello');
  const withoutInput = "process.stdin.on('data', () => {}).on('end', () => console.log('no input'));";
  expect(await run(withoutInput)).toMatchObject({ exitCode: 0, output: 'no input\n' });
});

test('a command that cannot be started is a usage error', async () => {
  const script = join(folder({ script: '#!/no/such/interpreter\n' }), 'script');
  chmodSync(script, 0o700);
  for (const [command, message] of [
    [['no-such-command-here', 'x'], 'the command "no-such-command-here" cannot be started: no such command'],
    [[join(root, 'package.json')], 'package.json" cannot be started: no permission to execute it'],
    [['a\u001b[2Jb'], 'the command "a\\u{1b}[2Jb" cannot be started: '],
    [[script], `the command "${script}" cannot be started: its interpreter is missing`],
  ] as const) {
    const error = await thrownBy(() => ClientProcess.start(command, process.env));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain(message);
  }
});

const nextCursor = ['--all', '--only', 'next_cursor'];
const pidsIn = (notes: readonly string[]): number[] => notes.flatMap((line) => line.split(' ').map(Number));

// Real time: a busy machine may start a client more slowly than the timeout.
test('a first run that fails ends the command with its output and the reason', inMachineTime, async () => {
  const failure = 'sachet: the command fails in the first run, before any assumption is changed: ';
  for (const [source, output, reason, timeout] of [
    ["console.log('\\u001b[31mred\\u001b[0m\\u0007');\nfail('no');", 'red\\u{7}\nno\n', 'exited with code 1', '60'],
    ["process.kill(process.pid, 'SIGKILL');", '', 'was killed by SIGKILL', '60'],
    ['setInterval(() => {}, 1000);', '', 'was stopped because it took longer than 0.5 s', '0.5'],
  ] as const) {
    const file = join(folder(), 'matrix.xml');
    const { notes, ...result } = await matrix(client(`note('run');\n${source}`), [
      ...['--timeout', timeout, '--junit', file],
    ]);
    const message = `${failure}it ${reason}; the command sent no request to the server; point it at SACHET_BASE_URL`;
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(output + message) });
    const [testCase] = readXml(readFileSync(file, 'utf8')).children[0]?.children ?? [];
    expect(testCase?.attributes).toMatchObject({ classname: 'sachet.matrix', name: 'first run' });
    expect(testCase?.children[0]).toMatchObject({ name: 'failure', text: expect.stringContaining(`it ${reason}`) });
    if (timeout === '60') expect(notes).toEqual(['run']);
  }
  const { stderr } = await matrix(client("await logIn();\nfail('no');"));
  expect(stderr).toBe(
    `no\n${failure}it exited with code 1; no choice was tried; fix the run, then start the matrix again\n`,
  );
});

/** Starts it as a process, which gets signals. */
function matrixProcess(source: string, args: readonly string[] = []) {
  const { start, notes } = prepared(source, args);
  const running = sachet(...start);
  const { child } = running;
  const ended = () => resultOf(running, 100_000);
  // A signal also ends its runs, which have process groups of their own.
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await ended();
  });
  return { child, notes, ended };
}

/** Notes its pid and that of its child, and never ends. */
const neverEnds = (childSource = '') => `
const { spawn } = await import('node:child_process');
const child = spawn(process.execPath, ['-e', "${childSource} setInterval(() => {}, 1000); console.log('up');"], { stdio: ['ignore', 'pipe', 'ignore'] });
child.stdout.once('data', () => note(process.pid + ' ' + child.pid));
setInterval(() => {}, 1000);
`;
const ignoresSignal = "process.on('SIGTERM', () => {});";

// Real time: the client has to start before the timeout.
test('a run that takes too long is ended with all its processes, and has failed', inMachineTime, async () => {
  const source = client(`await logIn();\nif (assume) {\n${neverEnds(ignoresSignal)}\n}`);
  const { code, notes, results } = await document(source, ['--timeout', '2', '--only', 'rate_limit']);
  expect(code).toBe(1);
  const request = { operation: 'authentication.token' };
  expect(results).toMatchObject([{ passed: false, timed_out: true, exit_code: null, signal: 'SIGTERM', request }]);
  expect(notes).toHaveLength(1);
  await gone(pidsIn(notes));
  const exitsWithZero = "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000);";
  const waiting = client(`await logIn();\nif (assume) {\n${exitsWithZero}\n}`);
  const { stdout } = await matrix(waiting, ['--timeout', '2', '--only', 'rate_limit']);
  expect(stdout).toContain(
    '\n    it was stopped because it took longer than 2 s; POST /v2/authentication/token answered 200. ',
  );
});

test('the default timeout is ten times the first run, and at least twenty seconds', () => {
  const timeouts = [timeoutFor(undefined, 1500), timeoutFor(undefined, 2500), timeoutFor(3, 2500)];
  expect(timeouts).toEqual([20_000, 25_000, 3000]);
});

describe('a signal', () => {
  /** Two runs that never end, at the same time. */
  async function twoRuns(beginning: string) {
    const source = client(`await logIn();\nif (assume) {\n${beginning}\n${neverEnds()}\n}`);
    const started = matrixProcess(source, ['--parallel', '2', ...nextCursor]);
    await expect.poll(() => started.notes().length, { interval: 10 }).toBe(2);
    return started;
  }

  test.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends all runs with their processes, and starts no further run', async (signal, code) => {
    // The first run ignores the signal, and the second one waits for its child.
    const ignores = `if (assume === 'next_cursor=meta') ${ignoresSignal}`;
    const waits = "else process.on('SIGTERM', () => child.once('exit', () => process.exit(143)));";
    const { child, ended, notes } = await twoRuns(`${ignores}\n${waits}`);
    child.kill(signal);
    expect(await ended()).toEqual({ code, stdout: '', stderr: '' });
    await gone(pidsIn(notes()));
    expect(notes()).toHaveLength(2);
  });

  // Real time: the second signal ends the command before the two seconds that the first one leaves.
  test('that comes again later does not wait for runs that ignore the first one', inMachineTime, async () => {
    const source =
      "process.on('SIGTERM', () => note('asked'));\nnote(String(process.pid));\nsetInterval(() => {}, 1000);";
    const { child, notes } = matrixProcess(client(source));
    await expect.poll(() => notes().length, { interval: 10 }).toBe(1);
    child.kill('SIGINT');
    await expect.poll(() => notes().at(-1), { interval: 10 }).toBe('asked');
    // A signal at once counts as the same one.
    await expect.poll(() => child.kill('SIGINT') && child.exitCode, { timeout: 1900, interval: 50 }).toBe(false);
    expect(child.exitCode).toBe(130);
    await gone([Number(notes()[0])]);
  });
});

test('processes that a run leaves behind are ended', async () => {
  const source = `
await logIn();
const { spawn } = await import('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000);'], { stdio: 'inherit' });
note(String(child.pid));
child.unref();
process.exit(0);`;
  const { code, notes } = await document(client(source), ['--only', 'rate_limit']);
  expect([code, notes.length]).toEqual([0, 2]);
  await gone(pidsIn(notes));
});

test.each([1, 3])('--parallel %i runs that many at a time, after the first run', async (count) => {
  // Each run waits for the others.
  const source = client(
    `note('begin');\nwhile (assume && noted().filter((line) => line === 'begin').length < ${count + 1}) await pause(5);\nawait logIn();\nnote('end');`,
  );
  const { code, notes } = await document(source, ['--parallel', String(count), ...nextCursor]);
  let [now, most] = [0, 0];
  for (const note of notes) {
    now += note === 'begin' ? 1 : -1;
    most = Math.max(most, now);
  }
  expect([code, notes.length, most]).toEqual([0, 8, count]);
  expect(notes.slice(0, 2)).toEqual(['begin', 'end']);
});

// A client as a process: it is started as it was given, heard, and ended with all that it started.
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ClientProcess } from '../../src/node/client-process.ts';
import { UsageError } from '../../src/system/exit-errors.ts';
import { folder, root } from '../support/command.ts';
import { inMachineTime } from '../support/machine-time.ts';
import { gone, isThere } from '../support/processes.ts';

async function started(code: string, stdin?: 'pipe'): Promise<ClientProcess> {
  const client = await ClientProcess.start([process.execPath, '-e', code], process.env, stdin);
  onTestFinished(() => client.end());
  return client;
}

/** Its end, and all that it printed. */
async function run(code: string) {
  const client = await started(code);
  const ending = await client.ended;
  await client.end();
  return { ...ending, output: client.output };
}

/** The pids that a client prints, one a line, when there are so many. */
function pids(client: ClientProcess, count: number): Promise<number[]> {
  const found: number[] = [];
  return new Promise((resolve) => {
    client.onLine((line) => {
      found.push(Number(line));
      if (found.length === count) resolve(found);
    });
  });
}

const endless = 'setInterval(() => {}, 1000);';
/** Prints its own pid and that of a child, which ignores what asks it to end where it is said to. */
const withChild = (then: string, child = endless): string =>
  `const { spawn } = require('node:child_process');
   const child = spawn(process.execPath, ['-e', ${JSON.stringify(`${child}console.log('up');`)}], { stdio: ['ignore', 'pipe', 'inherit'] });
   child.stdout.once('data', () => { ${then} console.log(process.pid + '\\n' + child.pid); });`;
const ignores = `process.on('SIGTERM', () => {});${endless}`;

describe('what a client did', () => {
  test('its exit code, and what it printed to both outputs', async () => {
    const told = await run("console.log('out'); console.error('err'); process.exitCode = 3;");
    expect(told).toMatchObject({ exitCode: 3, signal: null });
    expect(told.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  test('the signal that ended it', async () => {
    expect(await run("process.kill(process.pid, 'SIGKILL');")).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  test('the last 65,536 characters', async () => {
    const { output } = await run("process.stdout.write('a'.repeat(99_999) + 'b'.repeat(70_000) + 'z');");
    expect(output).toBe(`${'b'.repeat(65_535)}z`);
  });
});

describe('a conversation', () => {
  test('by lines: what is written is read, what it prints is heard', async () => {
    const echo =
      "require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => console.log('heard ' + line));";
    const client = await started(echo, 'pipe');
    const line = new Promise((resolve) => client.onLine(resolve));
    client.write('hello');
    expect(await line).toBe('heard hello');
  });

  test('with one that has gone is lost, and no error', async () => {
    const client = await started('', 'pipe');
    await client.ended;
    client.write('hello');
    await client.end();
    client.write('hello');
  });

  test('without input finds none', async () => {
    expect(await run("process.stdin.on('data', () => {}).on('end', () => console.log('no input'));")).toMatchObject({
      exitCode: 0,
      output: 'no input\n',
    });
  });
});

describe('its end', inMachineTime, () => {
  test('is that of all that it started', async () => {
    const client = await started(withChild(endless));
    const group = await pids(client, 2);
    await client.end();
    expect(group.filter(isThere)).toEqual([]);
    expect(await client.ended).toEqual({ exitCode: null, signal: 'SIGTERM' });
  });

  test('is made where it is not taken', async () => {
    const client = await started(withChild(ignores, ignores));
    const group = await pids(client, 2);
    const began = performance.now();
    await client.end();
    expect(performance.now() - began).toBeGreaterThan(1900);
    await gone(group);
    expect(await client.ended).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  test.runIf(process.platform === 'linux')('waits not long for what is dead, and is reaped by nobody', async () => {
    // The child of a shell that left the group and became a program that does not look after it.
    const leaves = "sleep 0.05 & echo $!; exec setsid sleep 1000 > '/dev/null' 2>&1";
    const code = `const { spawn } = require('node:child_process');
      const shell = spawn('sh', ['-c', ${JSON.stringify(leaves)}], { stdio: ['ignore', 'pipe', 'ignore'] });
      shell.stdout.once('data', (pid) => { console.log(shell.pid + '\\n' + String(pid).trim()); setImmediate(() => process.exit(0)); });`;
    const client = await started(code);
    const [shell = 0, child = 0] = await pids(client, 2);
    onTestFinished(() => {
      process.kill(shell, 'SIGKILL');
    });
    await client.ended;
    const state = () => readFileSync(`/proc/${child}/stat`, 'utf8').split(') ')[1]?.charAt(0);
    await expect.poll(state, { interval: 10 }).toBe('Z');
    const began = performance.now();
    await client.end();
    expect(performance.now() - began).toBeLessThan(3500);
    expect(state()).toBe('Z');
  });

  test('takes with it what it has left behind', async () => {
    const client = await started(withChild('child.unref(); setImmediate(() => process.exit(0));'));
    const group = await pids(client, 2);
    expect(await client.ended).toEqual({ exitCode: 0, signal: null });
    expect(group.map(isThere)).toEqual([false, true]);
    await client.end();
    await gone(group);
  });

  test('is the same to whoever asks for it', async () => {
    const client = await started(endless);
    expect(client.end()).toBe(client.end());
    await client.end();
    await client.end();
  });
});

describe('a command that cannot be started is told', () => {
  test.each([
    [
      'one that there is none of',
      ['no-such-command-here', 'x'],
      /^the command "no-such-command-here" cannot be started: no such command/,
    ],
    [
      'one that may not be executed',
      [join(root, 'package.json')],
      /package\.json" cannot be started: no permission to execute it$/,
    ],
    ['a folder', ['/'], /^the command "\/" cannot be started: no permission to execute it$/],
    ['a name that would move the cursor', ['a\u001b[2Jb'], /^the command "a\\u\{1b\}\[2Jb" cannot be started: /],
    ['an empty word', [''], /^the command "" cannot be started: /],
    ['a word with a NUL', [process.execPath, 'a\0b'], /cannot be started: /],
  ])('%s', async (_, command, words) => {
    const failure = await ClientProcess.start(command, process.env).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toMatch(words);
  });

  test('a script that nothing is there to run', async () => {
    const script = join(folder({ script: '#!/no/such/interpreter\n' }), 'script');
    chmodSync(script, 0o700);
    await expect(ClientProcess.start([script], process.env)).rejects.toThrow(
      `the command "${script}" cannot be started: its interpreter is missing`,
    );
  });
});

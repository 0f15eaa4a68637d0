// The process of a client: its output, its lines, and its end with all processes that it started.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ClientProcess } from '../../src/node/client-process.ts';
import { UsageError } from '../../src/system/exit-errors.ts';
import { thrownBy } from '../library/starts.ts';
import { folder, root } from '../support/command.ts';

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

test('it reports the exit code or the signal, and the last 65,536 characters of both outputs', async () => {
  const first = await run("console.log('out'); console.error('err'); process.exitCode = 3;");
  expect(first).toMatchObject({ exitCode: 3, signal: null });
  expect(first.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  const killed = await run(
    "process.stdout.write('a'.repeat(99_999) + 'b'.repeat(70_000) + 'z', () => process.kill(process.pid, 'SIGKILL'));",
  );
  expect(killed).toEqual({ exitCode: null, signal: 'SIGKILL', output: `${'b'.repeat(65_535)}z` });
});

test('it exchanges lines, if it has an input; writing to an ended client is no error', async () => {
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

// The built command as a process. Each process ends after its test at the latest.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import type { Fetch } from '../../src/client/control-client.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli.js');

type Environment = Readonly<Record<string, string>>;

/** The output of a command so far. */
export interface Output {
  stdout: string;
  stderr: string;
}

export interface Command extends Readonly<Output> {
  /** Waits until the output meets a condition; fails after 30 seconds, or if the command ends without. */
  until(what: string, isMet: (output: Readonly<Output>) => boolean): Promise<void>;
  /** Waits for the exit code, or the signal that ended it; fails after this time. */
  ended(deadlineMilliseconds?: number): Promise<number | string>;
}

export interface Running extends Command {
  readonly child: ChildProcess;
}

/** The environment without the settings of the developer, npm and the test runner. */
export function cleanEnvironment(): Environment {
  const foreign = /^(?:SACHET_|OTEL_|npm_|NODE_|VITEST|TEST_|.*_proxy$)/i;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return Object.fromEntries(kept) as Environment;
}

/** Starts any command in the root of the repository, with this standard input. */
export function run(command: string, args: readonly string[], env: Environment = {}, input = ''): Running {
  // It leads a process group, so that its children end with it.
  const child = spawn(command, args, { cwd: root, env: { ...cleanEnvironment(), ...env }, detached: true });
  const output: Output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const listener of listeners) listener();
    });
  child.stdin.on('error', () => undefined).end(input);
  const ending = once(child, 'close').then(([code, signal]): number | string => code ?? signal);
  onTestFinished(async () => {
    const { pid, exitCode, signalCode } = child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    process.kill(-pid, 'SIGKILL');
    await ending;
  });
  return Object.assign(commandOf(output, ending, listeners), { child });
}

/** @param listeners called after each change of the output */
export function commandOf(output: Output, ending: Promise<number | string>, listeners: Set<() => void>): Command {
  const shown = () => `stdout: ${output.stdout}\nstderr: ${output.stderr}`;
  ending.catch(() => undefined);
  return Object.assign(output, {
    until: (what: string, isMet: (output: Readonly<Output>) => boolean) => {
      const met = new Promise<void>((resolve, reject) => {
        const look = () => isMet(output) && resolve();
        const end = () => (isMet(output) ? resolve() : reject(new Error(`it ended without ${what}; ${shown()}`)));
        listeners.add(look);
        ending.then(end, end);
        look();
      });
      return withDeadline(met, 30_000, () => `there is no ${what}; ${shown()}`);
    },
    ended: (deadline = 30_000) => withDeadline(ending, deadline, () => `it has not ended; ${shown()}`),
  });
}

export async function withDeadline<T>(promise: Promise<T>, milliseconds: number, reason: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`after ${milliseconds} ms ${reason()}`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The path of the built command. */
export function built(): string {
  if (existsSync(cli)) return cli;
  throw new Error(`${cli} is missing: run \`npm run build\` before the tests of the command`);
}

/** Starts the built command. */
export const sachet = (args: readonly string[], env: Environment = {}): Running =>
  run(process.execPath, [built(), ...args], env);

/** Waits until a command has ended. */
export async function resultOf(command: Command, deadlineMilliseconds?: number) {
  const code = await command.ended(deadlineMilliseconds);
  return { code, stdout: command.stdout, stderr: command.stderr };
}

/** The ready record of --json. */
export interface Ready {
  readonly url: string;
  readonly admin_key: string;
  readonly username: string;
  readonly password: string;
  readonly pid: number;
}

export type Login = Pick<Ready, 'url' | 'username' | 'password'>;

/** Waits for the ready record. */
export async function readyOf(running: Running): Promise<Ready> {
  await running.until('line on standard output', ({ stdout }) => stdout.includes('\n'));
  return JSON.parse(running.stdout.split('\n', 1)[0] ?? '') as Ready;
}

/** Starts a server on a free port, and waits until it is ready. */
export async function serving(
  args: readonly string[] = [],
  env: Environment = {},
): Promise<Running & { readonly ready: Ready }> {
  const running = sachet(['--port', '0', '--json', ...args], env);
  return Object.assign(running, { ready: await readyOf(running) });
}

/** A folder with these files, removed after the test. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'sachet-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

/** Sends a request on a new connection, or through another fetch. */
export async function call(
  method: string,
  url: string,
  { token = '', body, fetch = globalThis.fetch }: { token?: string; body?: unknown; fetch?: Fetch } = {},
) {
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  const headers = { connection: 'close', 'content-type': 'application/json', ...authorization };
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  // biome-ignore lint/suspicious/noExplicitAny: a test reads a response field by field, as a client does
  return { status: response.status, text, body: (isJson && text ? JSON.parse(text) : undefined) as any };
}

/** Logs in with the login of the ready record, or as another user; returns the access token. */
export async function logIn({ url, username, password }: Login, as = username): Promise<string> {
  const { body, text } = await call('POST', `${url}/v2/authentication/token`, { body: { username: as, password } });
  if (!body?.access_token) throw new Error(`the login of ${as} was rejected: ${text}`);
  return body.access_token;
}

/** Whether it has ::1. */
export const hasV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

/** Opens a server until the end of the test; returns its port. */
export async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  onTestFinished(() => void server.close());
  await once(server.listen(0, host), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Below the ports that the system assigns, so that no other program gets it while the server is down. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
    return port;
  } catch {
    return freePort();
  } finally {
    probe.close();
  }
}

/** A zombie does not count. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Without /proc, the signal is the only evidence.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || process.platform !== 'linux';
  }
}

/** Waits until none of them exists. */
export const gone = (pids: readonly number[]): Promise<void> =>
  expect.poll(() => pids.filter(isThere), { interval: 10 }).toEqual([]);

/**
 * For a test that must act within some milliseconds: a machine that pauses for seconds makes it fail, so it is retried, and the end of the run names
 * it. Never for a test of something that may only be lost, or come in the wrong order, now and then: a retry would hide it.
 */
export const inMachineTime = { retry: 2 };

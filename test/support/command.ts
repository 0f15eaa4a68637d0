// The built command as a process of its own. Each is ended by its own pid when its test is over, however that went.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli.js');

type Environment = Readonly<Record<string, string>>;

/** What a command has said so far. */
export interface Said {
  stdout: string;
  stderr: string;
}

/** A command that was started, and how it ended. */
export interface Command extends Readonly<Said> {
  /** Waits until what it said meets this; fails at the deadline, or when it ends without. */
  until(what: string, met: (said: Readonly<Said>) => boolean): Promise<void>;
  /** Its exit code, or the signal that ended it; fails when it goes on for longer than this. */
  ended(deadlineMilliseconds?: number): Promise<number | string>;
}

export interface Running extends Command {
  readonly child: ChildProcess;
}

/** Nothing of the developer's own settings, of npm or of the test runner reaches a child. */
export function cleanEnvironment(): Environment {
  const foreign = /^(?:SACHET_|npm_|NODE_|VITEST|TEST_|.*_proxy$)/i;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return Object.fromEntries(kept) as Environment;
}

/** Starts any command in the repository's root; `input` is written to it. */
export function run(command: string, args: readonly string[], env: Environment = {}, input = ''): Running {
  const child = spawn(command, args, { cwd: root, env: { ...cleanEnvironment(), ...env }, detached: true });
  const said: Said = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const listener of listeners) listener();
    });
  child.stdin.on('error', () => undefined).end(input);
  const over = once(child, 'close').then(([code, signal]): number | string => code ?? signal);
  onTestFinished(() => endGroup(child, over));
  return Object.assign(commandOf(said, over, listeners), { child });
}

/** @param listeners called whenever it says something */
export function commandOf(said: Said, over: Promise<number | string>, listeners: Set<() => void>): Command {
  const words = () => `stdout: ${said.stdout}\nstderr: ${said.stderr}`;
  over.catch(() => undefined);
  return {
    get stdout() {
      return said.stdout;
    },
    get stderr() {
      return said.stderr;
    },
    until: (what, met) => {
      const settled = new Promise<void>((resolve, reject) => {
        const look = () => met(said) && resolve();
        const end = () => (met(said) ? resolve() : reject(new Error(`it ended without ${what}; ${words()}`)));
        listeners.add(look);
        over.then(end, end);
        look();
      });
      return withDeadline(settled, 30_000, () => `there is no ${what}; ${words()}`);
    },
    ended: (deadline = 30_000) => withDeadline(over, deadline, () => `it goes on; ${words()}`),
  };
}

/** The child leads a process group of its own, so that what it started ends with it. */
async function endGroup({ pid, exitCode, signalCode }: ChildProcess, over: Promise<unknown>): Promise<void> {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(-pid, 'SIGKILL');
  await over;
}

async function withDeadline<T>(promise: Promise<T>, milliseconds: number, words: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`after ${milliseconds} ms ${words()}`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The path of the built command. */
export function built(): string {
  if (existsSync(cli)) return cli;
  throw new Error(`${cli} is missing: run \`npm run build\` before the tests of the command`);
}

/** The built command with these arguments. */
export const sachet = (args: readonly string[], env: Environment = {}): Running =>
  run(process.execPath, [built(), ...args], env);

/** The ready record of --json. */
export interface Ready {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly pid: number;
}

/** Waits for the ready record, the first line of its standard output. */
export async function readyOf(running: Running): Promise<Ready> {
  await running.until('line on standard output', ({ stdout }) => stdout.includes('\n'));
  return JSON.parse(running.stdout.split('\n', 1)[0] ?? '') as Ready;
}

/** A server on a free port, ready. */
export async function serving(
  args: readonly string[] = [],
  env: Environment = {},
): Promise<Running & { readonly ready: Ready }> {
  const running = sachet(['--port', '0', '--json', ...args], env);
  const ready = await readyOf(running);
  return Object.defineProperty(running as Running & { ready: Ready }, 'ready', { value: ready });
}

/** A folder with these files, removed when the test is over. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'sachet-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

/** One call to a server, on a connection of its own. */
export async function call(method: string, url: string, { token = '', body }: { token?: string; body?: unknown } = {}) {
  const headers = {
    connection: 'close',
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json');
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as a client does, field by field
  return { status: response.status, text, body: (json && text ? JSON.parse(text) : undefined) as any };
}

/** Logs in with the ready login, or as somebody else. */
export async function logIn({ url, username, password }: Ready, as = username): Promise<string> {
  const { body, text } = await call('POST', `${url}/v2/authentication/token`, { body: { username: as, password } });
  if (!body?.access_token) throw new Error(`the login of ${as} was refused: ${text}`);
  return body.access_token;
}

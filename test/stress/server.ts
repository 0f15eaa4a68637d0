// The built command under stress: a process of its own, and what can be seen of it from outside.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ControlClient, controlClient, type Fetch } from '../../src/client/control-client.ts';
import { built, logIn, type Ready, type Running, run } from '../support/command.ts';

const adminKey = 'the-key-of-the-stressed-server';
const probeFile = fileURLToPath(new URL('probe.cjs', import.meta.url));

export interface Probed {
  /** The kinds of handles that keep the event loop busy, one entry each. */
  readonly resources: readonly string[];
  /** After a collection of garbage. */
  readonly heapBytes: number;
}

export interface StressedServer extends Running {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly adminKey: string;
  readonly ready: Ready;
  readonly control: ControlClient;
  /** Of the ready login. */
  readonly token: string;
  openFiles(): number;
  residentBytes(): number;
  /** Since it was started. */
  ageMilliseconds(): number;
  /** Collects garbage, and tells what is in use then. */
  probe(): Promise<Probed>;
  /** Ends it as its user would. */
  stop(): Promise<void>;
  /** Ends it as a machine that runs out of memory does. */
  kill(): Promise<void>;
}

interface Starting {
  /** Of Node, before the program. */
  readonly nodeFlags?: readonly string[];
  /** A command that the server runs under, such as strace. */
  readonly under?: readonly string[];
  /** Of the program, such as `--state` and its folder. */
  readonly flags?: readonly string[];
}

/** A server on a free port, with everything on. */
export async function startStressed({
  nodeFlags = [],
  under = [],
  flags = [],
}: Starting = {}): Promise<StressedServer> {
  const node = [process.execPath, '--expose-gc', '--require', probeFile, ...nodeFlags];
  const [command = '', ...args] = [...under, ...node, built(), ...flags];
  const began = Date.now();
  const running = run(command, [...args, '--port', '0', '--json', '--admin-key', adminKey]);
  await running.until('ready record', ({ stdout }) => readyLine.test(stdout));
  const ready = JSON.parse(readyLine.exec(running.stdout)?.[0] ?? '') as Ready;
  const { url, pid } = ready;
  return Object.assign(Object.create(running) as Running, {
    url,
    pid,
    ready,
    adminKey,
    port: Number(new URL(url).port),
    // A connection that the control client kept open would count.
    control: controlClient({ url, adminKey, fetch: closingFetch }),
    token: await logIn(ready),
    openFiles: () => readdirSync(`/proc/${pid}/fd`).length,
    residentBytes: () => residentBytes(pid),
    ageMilliseconds: () => Date.now() - began,
    probe: () => probed(running, pid),
    stop: () => end(running, pid, 'SIGTERM'),
    kill: () => end(running, pid, 'SIGKILL'),
  });
}

async function end(running: Running, pid: number, signal: NodeJS.Signals): Promise<void> {
  process.kill(pid, signal);
  await running.ended();
}

const closingFetch: Fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), connection: 'close' } });

/** Lines of V8's own may come before it. */
const readyLine = /^\{"url":.*\}$/m;
const probeLine = /^\{"probe":(.*)\}$/gm;

function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

async function probed(running: Running, pid: number): Promise<Probed> {
  const probes = (text: string): string[] => Array.from(text.matchAll(probeLine), ([, json = '']) => json);
  const before = probes(running.stdout).length;
  process.kill(pid, 'SIGUSR2');
  await running.until('probe', ({ stdout }) => probes(stdout).length > before);
  return JSON.parse(probes(running.stdout)[before] ?? '') as Probed;
}

/** What is in use when no connection is open any more, and no more handles than `most`; at the deadline what is in use then. */
export async function quiet(
  server: StressedServer,
  most = Number.POSITIVE_INFINITY,
): Promise<Probed & { files: number }> {
  const deadline = Date.now() + 60_000;
  const isBusy = ({ resources }: Probed) => resources.includes('TCPSocketWrap') || resources.length > most;
  let now = await server.probe();
  while (isBusy(now) && Date.now() < deadline) {
    await sleep(100);
    now = await server.probe();
  }
  return { ...now, files: server.openFiles() };
}

const logLine = /^\d\d:\d\d:\d\d\.\d{3} \S+ \S+ \d{3} [\d.]+ ms(?: \S+)?$/;

/** What the server said on standard error beside the lines of its log. */
export const wordsBesideLog = ({ stderr }: Pick<Running, 'stderr'>): string[] =>
  stderr.split('\n').filter((line) => line !== '' && !logLine.test(line));

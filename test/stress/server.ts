// The built command as a process under stress, measured from outside.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { controlClient } from '../../src/client/control-client.ts';
import { built, logIn, type Ready, run } from '../support/command.ts';

export const adminKey = 'stress-admin-key';
const probeFile = fileURLToPath(new URL('probe.cjs', import.meta.url));
/** V8 may print lines before it. */
const readyLine = /^\{"url":.*\}$/m;
const probeLine = /^\{"probe":(.*)\}$/gm;
const logLine = /^\d\d:\d\d:\d\d\.\d{3} \S+ \S+ \d{3} (?:[\w,-]+ \S.* )?[\d.]+ ms(?: \S+)?$/;

export type StressServer = Awaited<ReturnType<typeof startServer>>;
export type Client = Pick<StressServer, 'url' | 'token'>;

type Words = readonly string[];

/** A server on a free port. `under` is a command that it runs under, such as strace. */
export async function startServer({ nodeFlags = [] as Words, under = [] as Words, flags = [] as Words } = {}) {
  const node = [process.execPath, '--expose-gc', '--require', probeFile, ...nodeFlags];
  const [command = '', ...args] = [...under, ...node, built(), ...flags];
  const running = run(command, [...args, '--port', '0', '--json', '--admin-key', adminKey]);
  await running.until('ready record', ({ stdout }) => readyLine.test(stdout));
  const ready = JSON.parse(readyLine.exec(running.stdout)?.[0] ?? '') as Ready;
  const { url, pid } = ready;
  // A connection that the control client keeps open would count.
  const fetchAndClose: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), connection: 'close' } });
  const probes = (): string[] => Array.from(running.stdout.matchAll(probeLine), ([, json = '']) => json);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    process.kill(pid, signal);
    await running.ended();
  };
  return {
    url,
    fetch: globalThis.fetch,
    ready,
    port: Number(new URL(url).port),
    control: controlClient({ url, adminKey, fetch: fetchAndClose }),
    token: await logIn(ready),
    stderr: () => running.stderr,
    hasExited: () => running.child.exitCode !== null,
    /** The lines on standard error that are not of the request log, and not expected. */
    unexpectedLines: (expected = /^$/): string[] =>
      running.stderr.split('\n').filter((line) => !logLine.test(line) && !expected.test(line) && line !== ''),
    openFiles: () => readdirSync(`/proc/${pid}/fd`).length,
    residentBytes: () => 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    health: async () => (await (await fetch(`${url}/health`)).json()) as { status: string; why?: string },
    /** The kinds of handles that keep the event loop alive, one entry each, and the heap after a garbage collection. */
    async probe(): Promise<{ readonly resources: readonly string[]; readonly heapBytes: number }> {
      const { length } = probes();
      process.kill(pid, 'SIGUSR2');
      await running.until('probe', () => probes().length > length);
      return JSON.parse(probes()[length] ?? '');
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** What is in use once no connection is open and at most `mostHandles` handles remain, or after a minute. */
export async function whenQuiet(server: StressServer, mostHandles = Number.POSITIVE_INFINITY) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const probe = await server.probe();
    const isBusy = probe.resources.includes('TCPSocketWrap') || probe.resources.length > mostHandles;
    if (!isBusy || Date.now() > deadline) return { ...probe, files: server.openFiles() };
    await sleep(100);
  }
}

/** Files of a state folder that a server must remove when it stops. */
export const unfinishedFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tmp$|^lock/.test(basename(path)));

/** The version up to which the log was compacted into the document of `stage`. */
export function compactedVersion(folder: string): number {
  const file = join(folder, 'sandboxes', 'stage.json');
  return existsSync(file) ? Number(/"version": (\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) : 0;
}

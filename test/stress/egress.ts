// Whether a process opens connections, by the kernel's own account: strace.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { folder, run } from '../support/command.ts';

interface Trace {
  /** What the process is started under. */
  readonly command: readonly string[];
  /** What was seen so far. */
  text(): string;
}

const strace = (file: string) => [
  ...['strace', '-f', '--seccomp-bpf', '-qq', '-e', 'signal=none', '-o', file],
  ...['-e', 'trace=connect,sendto,sendmsg,sendmmsg'],
];

/** undefined where there is no strace, or where it may not trace. */
export function traced(): Trace | undefined {
  const file = join(folder(), 'strace');
  const [command = '', ...args] = strace(file);
  if (spawnSync(command, [...args, 'true']).status !== 0) return undefined;
  return { command: [command, ...args], text: () => readFileSync(file, 'utf8') };
}

/** The lines of calls that name an address, or that send without one; the kernel's own sockets (netlink) lead nowhere. */
export const connectionsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /\b(?:connect|sendto|sendmsg|sendmmsg)\(/.test(line) && !line.includes('AF_NETLINK'));

/** The families of the addresses that a process was seen to connect to which connects to a port and to a Unix socket. */
export async function positiveControl(): Promise<string[]> {
  const server = createServer((_, response) => void response.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const trace = traced();
  const code = `const { connect } = require('node:net');
    connect(${port}, '127.0.0.1').on('connect', function () { this.destroy(); });
    connect('/nonexistent/socket').on('error', () => undefined);`;
  const [command = '', ...args] = [...(trace?.command ?? []), process.execPath, '-e', code];
  await run(command, args).ended();
  const families = connectionsIn(trace?.text() ?? '').map((line) => /sa_family=(\w+)/.exec(line)?.[1] ?? line);
  return [...new Set(families)].sort();
}

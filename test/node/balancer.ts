// The balancer of deploy/haproxy.cfg as a process before the servers of a test.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { healthPath } from '../../src/contract/addresses.ts';
import { call, folder, freePort, root, run } from '../support/command.ts';

export const configuration = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8');

/** Debian installs it where the PATH of a user does not lead. */
const haproxy = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((place) => join(place, 'haproxy'))
  .find((program) => existsSync(program));

/** Why no balancer can be started here. */
export const haproxyMissing = (): string | undefined =>
  haproxy ? undefined : 'no HAProxy found; install it (Debian: apt install haproxy)';

/** Starts HAProxy. */
export const runHaproxy = (...args: readonly string[]) => run(haproxy ?? '', args);

/** The configuration with another port and other replicas. */
function at(port: number, replicas: readonly string[]): string {
  const servers = replicas.map((url, index) => `server replica${index + 1} 127.0.0.1:${new URL(url).port}`);
  return configuration
    .replaceAll(/^ *bind :\d+$/gm, `  bind 127.0.0.1:${port}`)
    .replaceAll(/^ *server-template replica .*$/gm, servers.map((line) => `  ${line}`).join('\n'));
}

/** Starts a balancer before these servers; returns its URL. */
export async function balancing(replicas: readonly string[]): Promise<string> {
  const port = await freePort();
  runHaproxy('-db', '-f', join(folder({ 'haproxy.cfg': at(port, replicas) }), 'haproxy.cfg'));
  const url = `http://127.0.0.1:${port}`;
  const health = () => call('GET', url + healthPath).then(({ status }) => status, String);
  await expect.poll(health, { interval: 10 }).toBe(200);
  return url;
}

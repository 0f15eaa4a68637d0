// The balancer of deploy/haproxy.cfg, as a process of its own before servers of a test.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { healthPath } from '../../src/contract/addresses.ts';
import { call, folder, root, run } from './command.ts';
import { freePort } from './free-port.ts';

export const configuration = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8');

/** Debian has it where the PATH of a user does not look. */
const haproxy = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((place) => join(place, 'haproxy'))
  .find((program) => existsSync(program));

/** Why no balancer can be started here, if so. */
export const haproxyMissing = (): string | undefined =>
  haproxy ? undefined : 'no HAProxy found; install it (Debian: apt install haproxy)';

/** What HAProxy finds wrong with the file as it stands; empty where nothing is. */
export function complaints(): string {
  const { status, stderr } = spawnSync(haproxy ?? '', ['-c', '-f', join(root, 'deploy/haproxy.cfg')], {
    encoding: 'utf8',
  });
  return status === 0 ? '' : stderr;
}

/** The same configuration, but for where it listens and where the replicas are. */
function at(port: number, replicas: readonly string[]): string {
  const servers = replicas.map((url, index) => `server replica${index + 1} 127.0.0.1:${new URL(url).port}`);
  return configuration
    .replaceAll(/^ *bind :\d+$/gm, `  bind 127.0.0.1:${port}`)
    .replaceAll(/^ *server-template replica .*$/gm, servers.map((line) => `  ${line}`).join('\n'));
}

/** The URL of a balancer over these servers, which answers; it ends with the test. */
export async function balancing(replicas: readonly string[]): Promise<string> {
  const port = await freePort();
  run(haproxy ?? '', ['-db', '-f', join(folder({ 'haproxy.cfg': at(port, replicas) }), 'haproxy.cfg')]);
  const url = `http://127.0.0.1:${port}`;
  const health = () => call('GET', url + healthPath).then(({ status }) => status, String);
  await expect.poll(health, { interval: 10 }).toBe(200);
  return url;
}

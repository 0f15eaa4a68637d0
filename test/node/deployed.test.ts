// What is shipped to run several replicas, held to the server that it runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { healthPath } from '../../src/contract/addresses.ts';
import { bounds } from '../../src/contract/control/bounds.ts';
import { failureResponse } from '../../src/http/response.ts';
import { portFlag } from '../../src/node/cli/flags.ts';
import { serveFlags } from '../../src/node/cli/serve-flags.ts';
import { complaints, configuration, haproxyMissing } from '../support/balancer.ts';
import { root } from '../support/command.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const usualPort = portFlag().defaultValue;

test.each(['compose.yaml', 'compose.replicas.yaml', 'deploy/kubernetes.yaml', 'deploy/haproxy.cfg', 'Dockerfile'])(
  'every variable in %s is one that the server has',
  (path) => {
    const known = serveFlags().map(({ envVar }) => envVar);
    expect(known).toEqual(expect.arrayContaining(read(path).match(/SACHET_[A-Z_]+/g) ?? []));
  },
);

describe('compose.replicas.yaml', () => {
  const text = read('compose.replicas.yaml');
  const { services, volumes } = parse(text);
  const { sachet, replica, database } = services;

  test('has two replicas of the image, with one key and one database', () => {
    expect(replica).toMatchObject({ build: '.', deploy: { replicas: 2 } });
    expect(replica.environment.SACHET_STORE).toMatch(/^postgres:\/\/sachet:\S.*@database:5432\/sachet$/);
    expect(database.environment).toMatchObject({ POSTGRES_USER: 'sachet', POSTGRES_DB: 'sachet' });
    expect(database.volumes).toEqual([`${Object.keys(volumes)[0]}:/var/lib/postgresql/data`]);
  });

  test('takes every secret from the environment, and begins without none of them', () => {
    const secrets = [replica.environment.SACHET_ADMIN_KEY, database.environment.POSTGRES_PASSWORD];
    for (const secret of secrets) expect(secret).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/);
    expect(replica.environment.SACHET_STORE).toContain(database.environment.POSTGRES_PASSWORD);
    expect(text.match(/\$\{[A-Z_]+(?!:\?|[A-Z_])/g)).toBeNull();
  });

  test('has the balancer alone reached from outside, under a name that the control API knows', () => {
    expect(sachet.ports).toEqual([`127.0.0.1:${usualPort}:${usualPort}`]);
    expect([replica.ports, database.ports]).toEqual([undefined, undefined]);
    expect(Object.keys(services)).toContain(replica.environment.SACHET_ALLOWED_HOSTS);
    expect(sachet.volumes[0]).toMatch(/^\.\/deploy\/haproxy\.cfg:.*:ro$/);
    expect(configuration).toContain(`bind :${usualPort}\n`);
  });

  test('names the replicas as the balancer looks for them', () => {
    const places = Array.from(configuration.matchAll(/^ *server-template \S+ (\d+) (.*)$/gm), ([, , place]) => place);
    expect(places).toEqual([`replica:${usualPort}`, `replica:${usualPort}`]);
  });
});

describe('deploy/haproxy.cfg', () => {
  const section = (name: string): string =>
    configuration.split(/^(?=\S)/m).find((part) => part.startsWith(`${name}\n`)) ?? '';

  test.skipIf(haproxyMissing())('is what HAProxy reads, without a container', () => {
    expect(complaints()).toBe('');
  });

  test('asks for the health of the server', () => {
    expect(configuration).toContain(`http-check send meth GET uri ${healthPath} `);
  });

  test.each([502, 503, 504])('has for its own %i over the service the 500 of the server, byte by byte', (status) => {
    const { headers, body } = failureResponse();
    const type = Object.entries(headers).map(([name, value]) => `${name.toLowerCase()} "${value}"`);
    const line = `http-error status ${status} ${type} string '${body}' hdr X-Content-Type-Options nosniff`;
    expect(section('backend service')).toContain(`${line}\n`);
  });

  test('waits longer than whatever the server means to wait', () => {
    const minutes = (name: string) => Number(/timeout server (\d+)m/.exec(section(name))?.[1]);
    expect(minutes('backend service') * 60_000).toBeGreaterThan(bounds.delayMilliseconds);
    expect(minutes('backend control') * 60_000).toBeGreaterThan(bounds.waitMilliseconds);
  });
});

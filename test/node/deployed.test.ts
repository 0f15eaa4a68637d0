// The files for several replicas fit the server: compose.replicas.yaml, deploy/haproxy.cfg, deploy/kubernetes.yaml.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { healthPath } from '../../src/contract/addresses.ts';
import { bounds } from '../../src/contract/control/bounds.ts';
import { failureResponse } from '../../src/http/response.ts';
import { portFlag } from '../../src/node/cli/flags.ts';
import { serveFlags } from '../../src/node/cli/serve-flags.ts';
import { root } from '../support/command.ts';
import { configuration, haproxyMissing, runHaproxy } from './balancer.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const port = portFlag().defaultValue;

test('the files set only variables that the server has', () => {
  const files = ['compose.yaml', 'compose.replicas.yaml', 'deploy/kubernetes.yaml', 'deploy/haproxy.cfg', 'Dockerfile'];
  const known = serveFlags().map(({ envVar }) => envVar);
  const names = files.flatMap((path) => read(path).match(/SACHET_[A-Z_]+/g) ?? []);
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

describe('compose.replicas.yaml', () => {
  const text = read('compose.replicas.yaml');
  const { services, volumes } = parse(text);
  const { sachet, replica, database } = services;

  test('has two replicas with one key and one database, and takes secrets from the environment', () => {
    expect(replica).toMatchObject({ build: '.', deploy: { replicas: 2 } });
    expect(replica.environment.SACHET_STORE).toMatch(/^postgres:\/\/sachet:\S.*@database:5432\/sachet$/);
    expect(database.environment).toMatchObject({ POSTGRES_USER: 'sachet', POSTGRES_DB: 'sachet' });
    expect(database.volumes).toEqual([`${Object.keys(volumes)[0]}:/var/lib/postgresql/data`]);
    for (const secret of [replica.environment.SACHET_ADMIN_KEY, database.environment.POSTGRES_PASSWORD])
      expect(secret).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/);
    expect(replica.environment.SACHET_STORE).toContain(database.environment.POSTGRES_PASSWORD);
    expect(text.match(/\$\{[A-Z_]+(?!:\?|[A-Z_])/g)).toBeNull();
  });

  test('exposes the balancer only, under an allowed host; the balancer finds the replicas', () => {
    expect(sachet.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect([replica.ports, database.ports]).toEqual([undefined, undefined]);
    expect(Object.keys(services)).toContain(replica.environment.SACHET_ALLOWED_HOSTS);
    expect(sachet.volumes[0]).toMatch(/^\.\/deploy\/haproxy\.cfg:.*:ro$/);
    expect(configuration).toContain(`bind :${port}\n`);
    const places = Array.from(configuration.matchAll(/^ *server-template \S+ \d+ (.*)$/gm), ([, place]) => place);
    expect(places).toEqual([`replica:${port}`, `replica:${port}`]);
  });
});

describe('deploy/haproxy.cfg', () => {
  const section = (name: string): string =>
    configuration.split(/^(?=\S)/m).find((part) => part.startsWith(`${name}\n`)) ?? '';

  test.skipIf(haproxyMissing())('is valid for HAProxy', async () => {
    const check = runHaproxy('-c', '-f', 'deploy/haproxy.cfg');
    expect(await check.ended(), check.stderr).toBe(0);
  });

  test('checks /health, has the contract’s 500, and waits longer than the server', () => {
    expect(configuration).toContain(`http-check send meth GET uri ${healthPath} `);
    const { headers, body } = failureResponse();
    const type = Object.entries(headers).map(([name, value]) => `${name.toLowerCase()} "${value}"`);
    for (const status of [502, 503, 504])
      expect(section('backend service')).toContain(
        `http-error status ${status} ${type} string '${body}' hdr X-Content-Type-Options nosniff\n`,
      );
    const milliseconds = (name: string) => Number(/timeout server (\d+)m/.exec(section(name))?.[1]) * 60_000;
    expect(milliseconds('backend service')).toBeGreaterThan(bounds.delayMilliseconds);
    expect(milliseconds('backend control')).toBeGreaterThan(bounds.waitMilliseconds);
  });
});

describe('deploy/kubernetes.yaml', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads a document field by field
  const documents: any[] = parseAllDocuments(read('deploy/kubernetes.yaml')).map((each) => each.toJS());
  const kind = (name: string) => documents.find((each) => each.kind === name);
  const pod = kind('Deployment').spec.template.spec;
  const [server] = pod.containers;
  const [migrate] = pod.initContainers;

  test('has no secret in the file, and no right that the containers do not need', () => {
    const secret = (key: string) => ({ secretKeyRef: { name: 'sachet', key } });
    const [key, store] = server.env;
    expect(key).toEqual({ name: 'SACHET_ADMIN_KEY', valueFrom: secret('admin-key') });
    expect(store).toEqual({ name: 'SACHET_STORE', valueFrom: secret('store') });
    expect(migrate).toMatchObject({ args: ['store', 'migrate'], env: [store], image: server.image });
    expect(documents.map((each) => each.kind)).not.toContain('Secret');
    const [user] = /\d+/.exec(/^USER .*$/m.exec(read('Dockerfile'))?.[0] ?? '') ?? [];
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user) });
    const capabilities = { drop: ['ALL'] };
    const rights = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities };
    for (const { securityContext, resources } of [server, migrate])
      expect([securityContext, resources.limits.memory]).toEqual([rights, expect.any(String)]);
  });
});

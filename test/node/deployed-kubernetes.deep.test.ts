// deploy/kubernetes.yaml, held to the server that it runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { healthPath } from '../../src/contract/addresses.ts';
import { portFlag } from '../../src/node/cli/flags.ts';
import { timeouts } from '../../src/stores/postgres/database.ts';
import { root } from '../support/command.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads a document field by field
const documents: any[] = parseAllDocuments(readFileSync(join(root, 'deploy/kubernetes.yaml'), 'utf8')).map((each) =>
  each.toJS(),
);
const kind = (name: string) => documents.find((each) => each.kind === name);
const { template, replicas, selector } = kind('Deployment').spec;
const pod = template.spec;
const [server] = pod.containers;
const [migrate] = pod.initContainers;

test('three replicas are probed where the server tells of its health', () => {
  expect(replicas).toBe(3);
  expect(server.ports).toEqual([{ name: 'http', containerPort: portFlag().defaultValue }]);
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
    expect(server[probe].httpGet).toEqual({ path: healthPath, port: 'http' });
});

test('the Service and the budget are those of the pods, and leave the pods’ variables alone', () => {
  for (const name of ['Service', 'PodDisruptionBudget']) {
    const own = kind(name).spec.selector;
    expect(own.matchLabels ?? own).toEqual(template.metadata.labels);
  }
  expect(selector.matchLabels).toEqual(template.metadata.labels);
  expect(kind('Service').spec.ports).toEqual([{ name: 'http', port: portFlag().defaultValue, targetPort: 'http' }]);
  expect(kind('PodDisruptionBudget').spec.minAvailable).toBeLessThan(replicas);
  expect(pod.enableServiceLinks).toBe(false);
});

test('secrets are the cluster’s, and none stands in the file', () => {
  const secret = (key: string) => ({ secretKeyRef: { name: 'sachet', key } });
  const [key, store] = server.env;
  expect(key).toEqual({ name: 'SACHET_ADMIN_KEY', valueFrom: secret('admin-key') });
  expect(store).toEqual({ name: 'SACHET_STORE', valueFrom: secret('store') });
  expect(migrate).toMatchObject({ args: ['store', 'migrate'], env: [store], image: server.image });
  expect(documents.map((each) => each.kind)).not.toContain('Secret');
});

test('there is time for the end: for being forgotten, for the calls under way, and for the database', () => {
  const [command, seconds] = server.lifecycle.preStop.exec.command;
  expect(command).toBe('sleep');
  const callsMilliseconds = 1000;
  const end = Number(seconds) * 1000 + callsMilliseconds + timeouts.connectMilliseconds + timeouts.answerMilliseconds;
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(end);
});

test('nothing is left to the containers that they do not need', () => {
  const [user] = /\d+/.exec(/^USER .*$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[0] ?? '') ?? [];
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user) });
  for (const { securityContext, resources } of [server, migrate]) {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(resources.limits.memory).toBeDefined();
  }
});

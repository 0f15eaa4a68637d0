// /health of a server that cannot do everything: degraded, with the reason; and which responses count as ready.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { isReady } from '../../src/contract/health.ts';
import { version } from '../../src/version.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { sachetHere } from '../support/command-here.ts';
import { fixtures, noon } from '../support/sachet.ts';

const why = 'writes are refused: the disk is full';

test('the problem of the store is reported as long as it lasts, and draining before it', async () => {
  let problem: string | undefined = why;
  const store = { ...createChaosStore(), problem: () => problem };
  const sachet = createEngine({ fixtures, clock: noon, store });
  const health = async () => {
    const response = await sachet.fetch('http://localhost/health');
    return [response.status, await response.json()];
  };
  expect(await health()).toEqual([200, { status: 'degraded', version, why }]);
  expect((await sachet.fetch('http://localhost/v2/products')).status).toBe(401);
  problem = undefined;
  expect(await health()).toEqual([200, { status: 'ok', version }]);
  problem = 'another';
  expect(await health()).toEqual([200, { status: 'degraded', version, why: 'another' }]);
  sachet.close();
  expect(await health()).toEqual([503, { status: 'draining', version }]);
});

test('a server is ready if it is ok or degraded, and is one of Sachet', () => {
  const ready = [
    { status: 'ok', version },
    { status: 'degraded', version, why },
  ];
  const others = [
    { status: 'draining', version },
    { status: 'degraded' },
    { status: 'well', version },
    { status: 'toString', version },
    { status: ['ok'], version },
    { status: 'ok', version: 1 },
    null,
    [],
    'ok',
  ];
  const texts = ['', 'ok', '<h1>It works</h1>', '{"status":"ok","version":"1"'];
  const all = [...[...ready, ...others].map((body) => JSON.stringify(body)), ...texts];
  expect(all.filter(isReady)).toEqual(ready.map((body) => JSON.stringify(body)));
});

test('the health check succeeds for a degraded server, and shows why', async () => {
  const body = JSON.stringify({ status: 'degraded', version, why });
  const server = createServer((_, response) => void response.end(body));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const command = sachetHere(['healthcheck', '--port', String(port)]);
  expect([await command.ended(), command.stderr]).toEqual([0, '']);
  expect(command.stdout).toBe(`http://127.0.0.1:${port}/health answered 200: ${body}\n`);
});

// /health of a server that cannot do everything: degraded, with the reason; and which responses count as ready.
import { expect, test } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { isReady } from '../../src/contract/health.ts';
import { version } from '../../src/version.ts';
import { createChaosStore } from '../support/chaos-store.ts';
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
  const ready = [JSON.stringify({ status: 'ok', version }), JSON.stringify({ status: 'degraded', version, why })];
  const others = ['draining', 'well', 'toString', ['ok']].map((status) => ({ status, version }));
  const bodies = [...others, { status: 'degraded' }, { status: 'ok', version: 1 }, null, [], 'ok'];
  const texts = ['', 'ok', '<h1>It works</h1>', '{"status":"ok","version":"1"'];
  expect([...ready, ...bodies.map((body) => JSON.stringify(body)), ...texts].filter(isReady)).toEqual(ready);
});

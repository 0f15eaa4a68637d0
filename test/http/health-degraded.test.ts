// /health of a server that answers, but does not do all: degraded, and why; and who takes that for ready.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { isReady } from '../../src/contract/health.ts';
import { version } from '../../src/version.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { sachetHere } from '../support/command-here.ts';
import { fixtures, noon } from '../support/sachet.ts';

const why = 'writes are refused: the disk is full';

/** A server whose store has this trouble, until it is told another. */
function troubled(trouble: string | undefined) {
  const state = { trouble };
  const store = { ...createChaosStore(), problem: () => state.trouble };
  const sachet = createEngine({ fixtures, clock: noon, store });
  const health = async () => {
    const response = await sachet.fetch('http://localhost/health');
    return [response.status, await response.json()];
  };
  return { state, sachet, health };
}

test('what the store does not do is told, with why, and only for as long', async () => {
  const { state, sachet, health } = troubled(why);
  expect(await health()).toEqual([200, { status: 'degraded', version, why }]);
  expect((await sachet.fetch('http://localhost/v2/products')).status).toBe(401);
  state.trouble = undefined;
  expect(await health()).toEqual([200, { status: 'ok', version }]);
  state.trouble = 'another';
  expect(await health()).toEqual([200, { status: 'degraded', version, why: 'another' }]);
});

test('a server that ends says so before all else', async () => {
  const { sachet, health } = troubled(why);
  sachet.close();
  expect(await health()).toEqual([503, { status: 'draining', version }]);
});

describe('ready is', () => {
  test.each([
    [true, { status: 'ok', version }],
    [true, { status: 'degraded', version, why }],
    [false, { status: 'draining', version }],
    [false, { status: 'degraded' }],
    [false, { status: 'well', version }],
    [false, { status: 'toString', version }],
    [false, { status: ['ok'], version }],
    [false, { status: 'ok', version: 1 }],
    [false, null],
    [false, []],
    [false, 'ok'],
  ])('%s of %j', (expected, body) => {
    expect(isReady(JSON.stringify(body))).toBe(expected);
  });

  test.each(['', 'ok', '<h1>It works</h1>', '{"status":"ok","version":"1"'])('not the text %j', (text) => {
    expect(isReady(text)).toBe(false);
  });
});

test('the health check takes a degraded server for one that is ready, and shows why', async () => {
  const body = JSON.stringify({ status: 'degraded', version, why });
  const server = createServer((_, response) => void response.end(body));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const command = sachetHere(['healthcheck', '--port', String(port)]);
  expect([await command.ended(), command.stderr]).toEqual([0, '']);
  expect(command.stdout).toBe(`http://127.0.0.1:${port}/health answered 200: ${body}\n`);
});

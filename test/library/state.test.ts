// A server in this process that keeps its state in a folder: there again with the next one, one at a time, free after a start that failed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ServeOptions, serve } from '../../src/node/serve.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { folder } from '../support/command.ts';
import { served, thrownBy } from './starts.ts';

const ordersOf = async (sachet: Awaited<ReturnType<typeof serve>>) =>
  (await sachet.sandbox('stage').records.orders.list()).orders;

/** The orders that a server left, one more than it began with. */
async function filled(options: ServeOptions) {
  await using sachet = await serve(options);
  const client = sachet.sandbox('stage').client({ username: 'demo', password: 'sachet-demo' });
  expect((await client.post('/v2/orders', sampleOrder())).status).toBe(201);
  return await ordersOf(sachet);
}

test.each(['always', 'interval', undefined] as const)('state is there for the next one, sync %s', async (sync) => {
  const state = join(folder(), 'state');
  const orders = await filled({ state, sync });
  expect(existsSync(join(state, 'lock'))).toBe(false);
  expect(await ordersOf(await served({ state, sync }))).toEqual(orders);
});

test('without a folder nothing is there for the next one', async () => {
  const orders = await filled({});
  expect(await ordersOf(await served())).toEqual(orders.slice(0, -1));
});

test('a second one over the same folder is turned away, and the first goes on', async () => {
  const state = folder();
  const first = await served({ state });
  const error = await thrownBy(() => serve({ state }));
  expect(error.name).toBe('FolderHeld');
  expect(error.message).toContain(`${state} is in use by process ${process.pid} on `);
  expect((await first.fetch('/health')).status).toBe(200);
  await first.close();
  expect((await (await served({ state })).fetch('/health')).status).toBe(200);
});

test.each([
  [{ state: '' }, 'the path of the state folder is empty'],
  [{ sync: 'interval' }, 'sync "interval"'],
  [{ sync: 'never' }, 'sync "never"'],
  [{ state: '/nowhere', sync: 'never' }, 'unknown sync "never"; use always or interval'],
  [{ state: '/nowhere', sync: '' }, 'unknown sync ""; use always or interval'],
])('%j is refused in words that name the value', async (options, words) => {
  expect((await thrownBy(() => served(options as ServeOptions))).message).toContain(words);
});

test('after a start that was refused the folder is free', async () => {
  const state = folder();
  const port = Number(new URL((await served()).baseUrl).port);
  await expect(serve({ state, port })).rejects.toThrow(`port ${port} on 127.0.0.1 is in use`);
  await expect(serve({ state, scenario: 'nope' })).rejects.toThrow('nope');
  expect(existsSync(join(state, 'lock'))).toBe(false);
  expect((await (await served({ state })).fetch('/health')).status).toBe(200);
});

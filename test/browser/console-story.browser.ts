// From order to doorstep by clicks alone: a reader sends an order, plays the operator, and sees the package delivered.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consoleServer, expectOwn, useConsole } from '../support/console-page.ts';

const open = useConsole();

const press = (page: Page, name: string): Promise<void> =>
  page.locator('#content').getByRole('button', { name: name }).click();
const badge = (page: Page, words: string): Promise<void> =>
  page.locator('#content .head .badge', { hasText: words }).waitFor();

test('an order is sent, accepted, produced, shipped and delivered', { timeout: 90_000 }, async () => {
  const server = await consoleServer();
  const seen = await open(server, 'stage/start');
  const { page } = seen;
  await press(page, 'Send a sample order');
  await page.locator('#sample-answer').getByRole('link', { name: /order/i }).first().click();
  await badge(page, 'Pending');
  for (const [action, status] of [
    ['Accept', 'Accepted'],
    ['Start production', 'In Production'],
  ] as const) {
    await press(page, action);
    await badge(page, status);
  }
  await press(page, 'Ship');
  await page.locator('#content a[href*="/fulfillments/"]').first().click();
  await page.getByRole('img', { name: /label/i }).waitFor();
  await press(page, 'Pick up');
  await badge(page, 'Picked up');
  await press(page, 'Deliver');
  await badge(page, 'Delivered');
  const { fulfillments } = await (await server.client.get('/v2/fulfillments?limit=1')).json();
  expect(fulfillments[0]).toMatchObject({ delivery_date: '2026-11-20T12:00:00.000Z' });
  await page.getByRole('link', { name: 'Live requests' }).click();
  await page.locator('#rows tr', { hasText: '/v2/orders' }).waitFor();
  expectOwn(seen, server);
});

test('time that is moved on in the page moves what hangs on it', async () => {
  const server = await consoleServer(['--assume', 'fulfillment_timeline=automatic']);
  await server.client.get('/v2/products');
  const { page } = await open(server, 'stage/clock');
  await press(page, '+24 h');
  await page.locator('#content .clock', { hasText: 'Nov 21, 2026, 12:00:00 UTC' }).waitFor();
  expect((await server.stage.clock.get()).now).toBe('2026-11-21T12:00:00.000Z');
  expect((await server.client.get('/v2/products')).status).toBe(200);
  const { requests } = await server.stage.requests.list();
  expect(requests.map(({ operation, status }) => [operation, status]).slice(-3)).toEqual([
    ['products.list', 401],
    ['authentication.refresh', 200],
    ['products.list', 200],
  ]);
});

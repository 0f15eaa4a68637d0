// The built server's API reference in a real Chromium: its operations, calls with the token and with the admin key, nothing from elsewhere.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { controlOperationList } from '../../src/contract/control/operations.ts';
import { expectOwn, sidewaysOf, startServer, visit } from './browser.ts';

const server = await startServer();
afterAll(() => server.close());
const docs = `${server.baseUrl}/_docs`;

/** Serves a server under the prefix /some/prefix; returns the URL with the prefix. */
async function proxied(to: string): Promise<string> {
  const proxy = createServer(({ method, url = '', headers }, response) => {
    const path = url.replace(/^\/some\/prefix/, '');
    const forwarded = request(to + path, { method, headers }, (answer) => {
      response.writeHead(path === url ? 502 : (answer.statusCode ?? 502), answer.headers);
      answer.pipe(response);
    });
    forwarded.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  await once(proxy, 'listening');
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/some/prefix`;
}

const operationAt = (page: Page, method: string, path: string): Locator =>
  page.locator(`.opblock-${method.toLowerCase()}`, { has: page.locator(`[data-path="${path}"]`) });

/** Opens an operation and executes it as it is. */
async function execute(page: Page, path: string): Promise<{ status: string; text: string; url: string }> {
  const operation = operationAt(page, 'GET', path);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const response = operation.locator('.live-responses-table');
  const status = await response.locator('tbody .response-col_status').innerText();
  return {
    status: status.trim(),
    text: await response.locator('.highlight-code').first().innerText(),
    url: await operation.locator('.request-url pre').innerText(),
  };
}

async function countOperations(page: Page): Promise<number> {
  await page.locator('.opblock').first().waitFor();
  return page.locator('.opblock').count();
}

test('shows the operations, opens the one in the link, and loads only its own files', async () => {
  const document = await (await fetch(`${docs}/openapi.json`)).json();
  const { tags, operationId } = document.paths['/v2/fulfillments'].get;
  const seen = await visit(`${docs}#/${tags[0]}/${operationId}`);
  await operationAt(seen.page, 'GET', '/v2/fulfillments').getByRole('button', { name: 'Execute' }).waitFor();
  expect(await seen.page.locator('.opblock.is-open').count()).toBe(1);
  const isMethod = (key: string) => ['get', 'post', 'put', 'patch', 'delete'].includes(key);
  const operations = Object.values<object>(document.paths).flatMap((path) => Object.keys(path).filter(isMethod));
  expect(await countOperations(seen.page)).toBe(operations.length);
  expect(await seen.page.getByRole('heading', { level: 1 }).innerText()).toContain(document.info.title);
  for (const landmark of ['main', 'navigation'] as const) expect(await seen.page.getByRole(landmark).count()).toBe(1);
  const files = ['', '/swagger-ui.css', '/page.css', '/swagger-ui-bundle.js', '/start.js', '/openapi.json'];
  expect(seen.requests.map((url) => url.replace(/#.*/, '')).sort()).toEqual(files.map((file) => docs + file).sort());
  expectOwn(seen, docs);
});

test('calls its sandbox with a token, also behind a prefix', async () => {
  const prefixed = await proxied(server.baseUrl);
  for (const [base, name] of [
    [server.baseUrl, 'stage'],
    [`${prefixed}/sandboxes/production`, 'production'],
  ] as const) {
    await server.sandbox(name).requests.clear();
    const seen = await visit(`${base}/_docs`);
    await countOperations(seen.page);
    expect(await seen.page.getByRole('banner').innerText()).toContain(`Calls go to the sandbox ${name} as demo,`);
    const { status, url, text } = await execute(seen.page, '/v2/products');
    expect([status, url]).toEqual(['200', `${base}/v2/products`]);
    expect(text).toContain('"client_products"');
    const { requests } = await server.sandbox(name).requests.list();
    expect(requests.map((one) => [one.path, one.status])).toEqual([['/v2/products', 200]]);
    expectOwn(seen, base);
  }
});

test('calls the control API with the key, which stays in the tab', async () => {
  const url = `${docs}?document=control`;
  const seen = await visit(url);
  const { page } = seen;
  expect(await countOperations(page)).toBe(controlOperationList.length);
  await page.locator('.auth-wrapper').getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.modal-ux');
  await dialog.locator('input').fill(server.adminKey);
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.reload();
  const response = await execute(page, '/_admin/sandboxes');
  expect([response.status, response.url]).toEqual(['200', `${server.baseUrl}/_admin/sandboxes`]);
  expect(response.text).toContain('"production"');
  expectOwn(seen, docs);
  const other = await page.context().newPage();
  await other.goto(url);
  expect((await execute(other, '/_admin/sandboxes')).status).toBe('401');
});

test('fills in the sandbox of its page, scrolls nothing sideways on a phone, and turns dark', async () => {
  const { page } = await visit(`${server.baseUrl}/sandboxes/production/_docs?document=control`, {
    viewport: { width: 390, height: 844 },
  });
  const { url } = await execute(page, '/_admin/sandboxes/{sandbox}/switches');
  expect(url).toBe(`${server.baseUrl}/_admin/sandboxes/production/switches`);
  await operationAt(page, 'POST', '/_admin/sandboxes').locator('.opblock-summary-control').click();
  expect(await sidewaysOf(page)).toBe(0);
  await page.getByRole('link', { name: 'Service' }).click();
  await execute(page, '/v2/fulfillments');
  await operationAt(page, 'POST', '/v2/orders').locator('.opblock-summary-control').click();
  await page.getByRole('button', { name: 'Schemas' }).click();
  expect(await sidewaysOf(page)).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  const brightness = () =>
    page.evaluate(() => {
      const styleOf = (name: string) => getComputedStyle(document.querySelector(name) ?? document.body);
      const colors = [styleOf('html').backgroundColor, styleOf('header p').color, styleOf('h1').color];
      return colors.map((color) => Number(/\d+/.exec(color)?.[0]) > 127);
    });
  await expect.poll(brightness).toEqual([false, true, true]);
});

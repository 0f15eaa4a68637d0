// The built server's API reference and tracking page in a real Chromium: operations, calls with the token and with the admin key, nothing from elsewhere;
// the tracking page's style in light and dark, and long values.
import { request } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { controlOperationList } from '../../src/contract/control/operations.ts';
import type { Page as ServedPage } from '../../src/http/markup.ts';
import { noSuchPackagePage, trackingPage } from '../../src/http/tracking.ts';
import { tracked } from '../support/tracked-package.ts';
import { expectOwn, listening, sidewaysOf, startServer, visit } from './browser.ts';

const server = await startServer();
afterAll(() => server.close());
const docs = `${server.baseUrl}/_docs`;
/** The sandbox production on a phone, behind a prefix that the server does not know. */
const prefix = '/some/prefix';
const proxy = await listening(({ method, url = '', headers }, response) => {
  const path = url.replace(prefix, '');
  const forwarded = request(server.baseUrl + path, { method, headers }, (answer) => {
    response.writeHead(path === url ? 502 : (answer.statusCode ?? 502), answer.headers);
    answer.pipe(response);
  });
  forwarded.end();
}, afterAll);
const production = `${proxy}${prefix}/sandboxes/production`;
const phone = { viewport: { width: 390, height: 844 } };

const operationAt = (page: Page, method: string, path: string): Locator =>
  page.locator(`.opblock-${method.toLowerCase()}`, { has: page.locator(`[data-path="${path}"]`) });
const open = (page: Page, method: string, path: string): Promise<void> =>
  operationAt(page, method, path).locator('.opblock-summary-control').click();

/** Executes an open operation as it is. */
async function execute(page: Page, path: string): Promise<{ status: string; text: string; url: string }> {
  const operation = operationAt(page, 'GET', path);
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

test('the reference shows the operations, opens and calls the one in the link, and loads only its own files', async () => {
  const document = await (await fetch(`${docs}/openapi.json`)).json();
  const { tags, operationId } = document.paths['/v2/fulfillments'].get;
  const seen = await visit(`${docs}#/${tags[0]}/${operationId}`);
  const { page } = seen;
  const operations = Object.values<object>(document.paths).flatMap((path) =>
    Object.keys(path).filter((key) => ['get', 'post', 'put', 'patch', 'delete'].includes(key)),
  );
  expect(await countOperations(page)).toBe(operations.length);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain(document.info.title);
  for (const landmark of ['main', 'navigation'] as const) expect(await page.getByRole(landmark).count()).toBe(1);
  const files = ['', '/swagger-ui.css', '/page.css', '/swagger-ui-bundle.js', '/start.js', '/openapi.json'];
  expect(seen.requests.map((url) => url.replace(/#.*/, '')).sort()).toEqual(files.map((file) => docs + file).sort());
  const { status, url } = await execute(page, '/v2/fulfillments');
  expect([status, url]).toEqual(['200', `${server.baseUrl}/v2/fulfillments?limit=2`]);
  expect(await page.locator('.opblock.is-open').count()).toBe(1);
  expectOwn(seen, docs);
});

test('the reference calls its sandbox with a token behind a prefix; on a phone it does not scroll sideways; it turns dark', async () => {
  await server.sandbox('production').requests.clear();
  const seen = await visit(`${production}/_docs`, phone);
  const { page } = seen;
  expect(await page.getByRole('banner').innerText()).toContain('the sandbox production as demo,');
  await open(page, 'GET', '/v2/products');
  const { status, url, text } = await execute(page, '/v2/products');
  expect([status, url]).toEqual(['200', `${production}/v2/products`]);
  expect(text).toContain('"client_products"');
  const { requests } = await server.sandbox('production').requests.list();
  expect(requests.map((one) => [one.path, one.status])).toEqual([['/v2/products', 200]]);
  await open(page, 'POST', '/v2/orders');
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
  expectOwn(seen, production);
});

test('the reference calls the control API for its sandbox with the key, which stays in the tab', async () => {
  const seen = await visit(`${production}/_docs?document=control`, phone);
  const { page } = seen;
  expect(await countOperations(page)).toBe(controlOperationList.length);
  await page.locator('.auth-wrapper').getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.modal-ux');
  await dialog.locator('input').fill(server.adminKey);
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.reload();
  const path = '/_admin/sandboxes/{sandbox}/switches';
  await open(page, 'GET', path);
  const { status, url, text } = await execute(page, path);
  expect([status, url]).toEqual(['200', `${proxy}${prefix}/_admin/sandboxes/production/switches`]);
  expect(text).toContain('"rate_limit"');
  expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
  await open(page, 'POST', '/_admin/sandboxes');
  expect(await sidewaysOf(page)).toBe(0);
  await page.getByRole('link', { name: 'Service' }).click();
  await operationAt(page, 'GET', '/v2/fulfillments').waitFor();
  expectOwn(seen, production);
});

/** Serves a page and opens it. */
async function openServed({ status, headers, body }: ServedPage) {
  const url = await listening((_, response) => response.writeHead(status, headers).end(body), onTestFinished);
  return visit(`${url}/_tracking/1Z`);
}

async function expectSound({ page, requests, complaints }: Awaited<ReturnType<typeof visit>>, heading: string) {
  expect(await page.getByRole('main', { name: heading, exact: true }).count()).toBe(1);
  expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([heading]);
  expect(await page.locator('body').evaluate((body) => getComputedStyle(body).maxWidth)).toBe('640px');
  expect(requests).toEqual([page.url()]);
  expect(complaints.filter((text) => !text.includes('404 (Not Found)'))).toEqual([]);
}

test('the tracking page is served at the URL that a client gets, and styled in light and dark', async () => {
  const client = server.sandbox('stage').client({ username: 'demo', password: 'sachet-demo' });
  const [{ tracking_info }] = (await (await client.get('/v2/fulfillments?limit=1')).json()).fulfillments;
  expect(tracking_info.tracking_url).toContain(`${server.baseUrl}/`);
  const seen = await visit(tracking_info.tracking_url);
  expect(seen.status).toBe(200);
  const heading = seen.page.locator('h1');
  await expectSound(seen, (await heading.textContent()) ?? '');
  expect(await seen.page.getByRole('definition').allTextContents()).toContain(tracking_info.tracking_number);
  const colors: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await seen.page.emulateMedia({ colorScheme });
    colors.push(await heading.evaluate((element) => getComputedStyle(element).color));
  }
  expect(colors).toEqual(['rgb(26, 31, 41)', 'rgb(230, 233, 238)']);
});

test('the page at the base URL is styled, loads nothing, and links to pages that exist', async () => {
  const seen = await visit(`${server.baseUrl}/`);
  await expectSound(seen, 'Sachet');
  await seen.page.setViewportSize({ width: 320, height: 640 });
  expect(await sidewaysOf(seen.page)).toBe(0);
  const urls = await seen.page
    .locator('a')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  expect(await Promise.all(urls.map(async (url) => (await fetch(url)).status))).toEqual([200, 200, 200, 200]);
});

test('the tracking page shows long values without scrolling sideways on a phone, and a page without a package', async () => {
  const long = '9'.repeat(10_000);
  const seen = await openServed(
    trackingPage({ ...tracked, trackingNumber: long, events: [{ at: tracked.now, name: long }] }),
  );
  await expectSound(seen, tracked.status);
  await seen.page.setViewportSize({ width: 320, height: 640 });
  expect(await sidewaysOf(seen.page)).toBe(0);
  await expectSound(await openServed(noSuchPackagePage('1Z')), 'Package not found');
});

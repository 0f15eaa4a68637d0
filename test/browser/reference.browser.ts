// The built server's reference in a real Chromium: its operations, calls with the ready token and with the admin key, and nothing from elsewhere.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { docsPath, openApiPath } from '../../src/contract/addresses.ts';
import { controlOperationList } from '../../src/contract/control/operations.ts';
import { useBrowser, type Visit } from '../support/browser.ts';
import { call, serving } from '../support/command.ts';

const visit = useBrowser();
const adminKey = 'key-of-the-reference';

/** The URL of a server of its own. */
const served = async (): Promise<string> => (await serving(['--admin-key', adminKey])).ready.url;

/** A proxy that serves all of a server under a prefix; its URL with that. */
async function proxied(to: string): Promise<string> {
  const server = createServer(({ method, url = '', headers }, response) => {
    const path = url.replace(/^\/some\/prefix/, '');
    const passed = request(to + path, { method, headers }, (answer) => {
      response.writeHead(path === url ? 502 : (answer.statusCode ?? 502), answer.headers);
      answer.pipe(response);
    });
    passed.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/prefix`;
}

const isMethod = (key: string): boolean => ['get', 'post', 'put', 'patch', 'delete'].includes(key);

const operationAt = (page: Page, method: string, path: string): Locator =>
  page.locator(`.opblock-${method.toLowerCase()}`, { has: page.locator(`[data-path="${path}"]`) });

/** What an operation is answered when it is opened and tried as it stands. */
async function tried(page: Page, method: string, path: string): Promise<{ status: string; text: string; url: string }> {
  const operation = operationAt(page, method, path);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  const status = await answer.locator('tbody .response-col_status').innerText();
  return {
    status: status.trim(),
    text: await answer.locator('.highlight-code').first().innerText(),
    url: await operation.locator('.request-url pre').innerText(),
  };
}

/** Waits until the operations are there, and says how many. */
async function operationsOn(page: Page): Promise<number> {
  await page.locator('.opblock').first().waitFor();
  return page.locator('.opblock').count();
}

const sidewaysOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

function expectOwn({ requests, complaints }: Visit, origin: string): void {
  expect(requests.filter((url) => new URL(url).origin !== new URL(origin).origin)).toEqual([]);
  expect(complaints).toEqual([]);
}

describe('the service', () => {
  test('is shown with its operations, from files of its own alone', async () => {
    const url = await served();
    const seen = await visit(url + docsPath);
    const { body } = await call('GET', url + openApiPath);
    const operations = Object.values<object>(body.paths).flatMap((path) => Object.keys(path).filter(isMethod));
    expect(operations.length).toBeGreaterThan(10);
    expect(await operationsOn(seen.page)).toBe(operations.length);
    expect(await seen.page.getByRole('heading', { level: 1 }).innerText()).toContain(body.info.title);
    expect([await seen.page.getByRole('main').count(), await seen.page.getByRole('navigation').count()]).toEqual([
      1, 1,
    ]);
    const files = ['', '/swagger-ui.css', '/page.css', '/swagger-ui-bundle.js', '/start.js', '/openapi.json'];
    expect(seen.requests.toSorted()).toEqual(files.map((file) => url + docsPath + file).sort());
    expectOwn(seen, url);
  });

  test('is called with the token that is ready, in the sandbox that the page is of', async () => {
    const url = await served();
    for (const [base, name] of [
      ['', 'stage'],
      ['/sandboxes/production', 'production'],
    ]) {
      const seen = await visit(url + base + docsPath);
      await operationsOn(seen.page);
      expect(await seen.page.getByRole('banner').innerText()).toContain(`Calls go to the sandbox ${name} as demo,`);
      const answer = await tried(seen.page, 'GET', '/v2/products');
      expect(answer).toMatchObject({ status: '200', url: `${url}${base}/v2/products` });
      expect(answer.text).toContain('"client_products"');
      expectOwn(seen, url);
      const { body } = await call('GET', `${url}/_admin/sandboxes/${name}/requests`, { token: adminKey });
      expect(body.requests.map(({ path, status }: { path: string; status: number }) => [path, status])).toEqual([
        ['/v2/products', 200],
      ]);
    }
  });

  test('opens at the operation that a link names', async () => {
    const url = await served();
    const { body } = await call('GET', url + openApiPath);
    const { tags, operationId } = body.paths['/v2/fulfillments'].get;
    const { page } = await visit(`${url}${docsPath}#/${tags[0]}/${operationId}`);
    await operationAt(page, 'GET', '/v2/fulfillments').getByRole('button', { name: 'Execute' }).waitFor();
    expect(await page.locator('.opblock.is-open').count()).toBe(1);
  });

  test('is as good behind a proxy’s prefix', async () => {
    const url = await proxied(await served());
    const seen = await visit(`${url}/sandboxes/production${docsPath}`);
    await operationsOn(seen.page);
    expect(await tried(seen.page, 'GET', '/v2/products')).toMatchObject({
      status: '200',
      url: `${url}/sandboxes/production/v2/products`,
    });
    await seen.page.getByRole('link', { name: 'Control API' }).click();
    expect(await operationsOn(seen.page)).toBe(controlOperationList.length);
    expectOwn(seen, url);
  });
});

test('the control API is shown with its operations, and called with the key that one enters', {
  timeout: 120_000,
}, async () => {
  const url = await served();
  const seen = await visit(url + docsPath);
  const { page } = seen;
  // Who leaves while the first document is made aborts its request.
  await page.locator('.opblock').first().waitFor();
  await page.getByRole('link', { name: 'Control API' }).click();
  await page.getByRole('link', { name: 'Control API' }).and(page.locator('[aria-current=page]')).waitFor();
  expect(await operationsOn(page)).toBe(controlOperationList.length);
  await page.locator('.auth-wrapper').getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.modal-ux');
  await dialog.locator('input').fill(adminKey);
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const answer = await tried(page, 'GET', '/_admin/sandboxes');
  expect(answer).toMatchObject({ status: '200', url: `${url}/_admin/sandboxes` });
  expect(answer.text).toContain('"production"');
  expectOwn(seen, url);
  // The key is kept while the tab is open, and in no other.
  for (const name of ['Service', 'Control API']) await page.getByRole('link', { name }).click();
  expect((await tried(page, 'GET', '/_admin/sandboxes')).status).toBe('200');
  const other = await page.context().newPage();
  await other.goto(`${url}${docsPath}?document=control`);
  expect((await tried(other, 'GET', '/_admin/sandboxes')).status).toBe('401');
  await page.locator('.auth-wrapper').getByRole('button', { name: 'Authorize' }).click();
  await dialog.getByRole('button', { name: 'Remove authorization' }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  for (const name of ['Service', 'Control API']) await page.getByRole('link', { name }).click();
  expect((await tried(page, 'GET', '/_admin/sandboxes')).status).toBe('401');
});

test('from a sandbox’s own page the control API is tried on that sandbox', async () => {
  const url = await served();
  const { page } = await visit(`${url}/sandboxes/production${docsPath}?document=control`);
  expect((await tried(page, 'GET', '/_admin/sandboxes/{sandbox}/switches')).url).toBe(
    `${url}/_admin/sandboxes/production/switches`,
  );
});

test('on a telephone nothing scrolls sideways', async () => {
  const url = await served();
  const { page } = await visit(url + docsPath);
  await page.setViewportSize({ width: 390, height: 844 });
  await operationsOn(page);
  expect(await sidewaysOf(page)).toBeLessThanOrEqual(0);
  for (const path of ['/v2/products', '/v2/fulfillments']) await tried(page, 'GET', path);
  await operationAt(page, 'POST', '/v2/orders').locator('.opblock-summary-control').click();
  await page.getByRole('button', { name: 'Schemas' }).click();
  expect(await sidewaysOf(page)).toBeLessThanOrEqual(0);
  await page.getByRole('link', { name: 'Control API' }).click();
  await operationAt(page, 'POST', '/_admin/sandboxes').locator('.opblock-summary-control').click();
  expect(await sidewaysOf(page)).toBeLessThanOrEqual(0);
});

test('it turns dark where the reader has it dark', async () => {
  const { page } = await visit((await served()) + docsPath);
  await operationsOn(page);
  const colors = () =>
    page.evaluate(() => {
      const styleOf = (name: string) => getComputedStyle(document.querySelector(name) ?? document.body);
      return [styleOf('html').backgroundColor, styleOf('header p').color, styleOf('h1').color];
    });
  const brightness = async () => (await colors()).map((color) => Number(/\d+/.exec(color)?.[0]) > 127);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(brightness).toEqual([false, true, true]);
});

test('of a sandbox that is not there a person is told so', async () => {
  const url = await served();
  const seen = await visit(`${url}/sandboxes/%3Cscript%3Ealert(1)%3C%2Fscript%3E${docsPath}`);
  expect([seen.response.status(), await seen.page.getByRole('main').innerText()]).toEqual([
    404,
    'Sandbox not found\n\nNo sandbox has this name:\n\n<script>alert(1)</script>',
  ]);
  expectOwn({ ...seen, complaints: seen.complaints.filter((text) => !text.includes('404')) }, url);
});

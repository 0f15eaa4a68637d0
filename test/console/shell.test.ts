// The frame of the console's pages: public, without data of the sandbox, strict about what it loads; and the head with the sandbox's state.
import { expect, test } from 'vitest';
import { pageIds, pages } from '../../src/console/page-addresses.ts';
import { testSachet } from '../support/sachet.ts';
import { testStage } from '../support/stage.ts';
import { allOf, consoleOf } from './console.ts';

const reader = consoleOf(testSachet(), 'stage', '');

test.each(pageIds)('the page %s is the same for everybody, and loads nothing from elsewhere', async (id) => {
  const { status, headers, html } = await reader.get(`stage/${id}`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(html).toContain(`<title>${pages[id].title} – stage – Sachet</title>`);
  expect(html).toContain(`href="stage/${id}" aria-current="page"`);
  expect(html).not.toMatch(/demo|2026/);
  const missing = await reader.get(`nowhere/${id}`);
  expect([missing.status, missing.html.replaceAll('nowhere', 'stage')]).toEqual([200, html]);
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  );
  expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store']);
  expect(html).not.toMatch(/<script(?![^>]* src="_assets\/)|<style|style="|https?:|\son[a-z]+=/);
});

test('the URLs in a page are relative to the console; its content is requested with its query', async () => {
  const parts = {
    'stage/orders': '<base href="../"/>',
    'stage/orders/1b2c': '<base href="../../"/>',
    'stage/requests?q="><b>&method=GET': 'hx-get="_content/stage/requests?q=%22%3E%3Cb%3E&amp;method=GET"',
    // Encoded, a record's id cannot lead out of the console.
    'stage/orders/x%5C..%5C..%5C_admin%5Csandboxes%3Fa=1':
      'hx-get="_content/stage/orders/x%5C..%5C..%5C_admin%5Csandboxes%3Fa%3D1"',
  };
  for (const [path, part] of Object.entries(parts)) expect((await reader.get(path)).html).toContain(part);
});

test('the links and buttons of a page are of its own sandbox', async () => {
  const sachet = testSachet();
  await sachet.login('demo', { base: '/sandboxes/production' });
  for (const page of pageIds) {
    const { html } = await consoleOf(sachet, 'production').see(page);
    const addresses = allOf(html, / (?:href|hx-get|hx-post)="((?!https?:|[/#])[^"]*)"/g);
    expect(addresses, page).not.toEqual([]);
    expect(
      addresses.filter((address) => !/^(?:_[a-z]+\/|\.\.\/sandboxes\/)?production(?:\/|$)/.test(address)),
      page,
    ).toEqual([]);
  }
});

test('an address without a page redirects to the live requests, never to another origin', async () => {
  const redirects = {
    '': [302, '_console/stage/requests'],
    '/': [302, 'stage/requests'],
    '/w7': [302, 'w7/requests'],
    '/w7/': [302, 'requests'],
    '/https:elsewhere.example': [404, null],
    '/%2F%2Felsewhere.example': [404, null],
    '/%5Celsewhere.example': [404, null],
  };
  for (const [path, expected] of Object.entries(redirects)) {
    const { status, headers } = await testSachet().call('GET', `/_console${path}`);
    expect([status, headers.get('location')], path).toEqual(expected);
  }
});

test('unknown pages and invalid names of sandboxes get 404, with the name as text', async () => {
  for (const page of ['nothing', 'orders/1/2', 'clock/1', 'orders/', 'constructor']) {
    const { status, text } = await reader.get(`stage/${page}`);
    expect([status, text]).toEqual([404, expect.stringContaining(`“${page}”`)]);
  }
  const { status, text, html } = await reader.get('%3Cscript%3E/orders');
  expect([status, text]).toEqual([404, expect.stringContaining('“<script>” is not a valid sandbox name')]);
  expect(html).not.toContain('<script>');
});

test('scripts and styles load nothing else, and are cached', async () => {
  for (const name of ['htmx.js', 'key.js', 'live.js', 'page.js', 'pico.css', 'console.css']) {
    const { status, headers, html } = await reader.get(`_assets/${name}`);
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/css';
    expect([status, headers.get('content-type')], name).toEqual([200, `${type}; charset=utf-8`]);
    expect(html.length).toBeGreaterThan(500);
    expect(html).not.toMatch(/sourceMappingURL|url\(["']?https?:|@import/);
    const again = await reader.get(`_assets/${name}`, { 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status, name).toBe(304);
  }
  for (const name of ['nothing.js', '..%2fkey.js', 'toString'])
    expect((await reader.get(`_assets/${name}`)).status, name).toBe(404);
});

test('the head shows the time, names one override, and counts several', async () => {
  const { sachet, stage, client } = await testStage();
  const head = async () => (await consoleOf(sachet).get('_top/stage')).text;
  expect(await head()).toMatch(/Nov 20, 2026, 12:00:00 UTC frozen No overrides$/);
  await stage.switches.set({ rate_limit: { burst: 1 } });
  expect(await head()).toMatch(/ rate_limit$/);
  await stage.assumptions.set({ next_cursor: 'meta' });
  expect(await head()).toMatch(/2 overrides active$/);
  // A switch that is used up is no override.
  expect((await client.get('/v2/products')).status).toBe(429);
  expect(await head()).toMatch(/: meta next_cursor$/);
  await stage.assumptions.set({ next_cursor: null });
  await stage.faults.create({ id: 'slow', delay: { milliseconds: 1 } });
  expect(await head()).toMatch(/Fault slow$/);
  await stage.faults.delete('slow');
  await stage.scenarios.apply('rate-limit-burst');
  expect(await head()).toMatch(/Scenario: Rate limit burst rate-limit-burst$/);
  const missing = await consoleOf(sachet, 'nowhere').get('_top/nowhere');
  expect([missing.status, missing.html]).toEqual([204, '']);
});

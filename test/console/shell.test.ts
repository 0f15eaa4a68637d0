// The frame of the console's pages: public, without data, and strict about what it loads.
import { describe, expect, test } from 'vitest';
import { pageIds, pages } from '../../src/console/page-addresses.ts';
import { consoleOf } from '../support/console.ts';
import { testSachet } from '../support/sachet.ts';

const reader = () => consoleOf(testSachet(), 'stage', '');

describe.each(pageIds)('the page %s', (id) => {
  test('is a shell that whoever asks gets, with its title and nothing of the sandbox', async () => {
    const seen = await reader().get(`stage/${id}`);
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(seen.html).toContain(`<title>${pages[id].title} – stage – Sachet</title>`);
    expect(seen.html).toContain(`href="stage/${id}" aria-current="page"`);
    for (const secret of ['demo', 'sachet-demo', '2026']) expect(seen.html).not.toContain(secret);
  });

  test('is the same for a sandbox that there is none of', async () => {
    const [here, nowhere] = [await reader().get(`stage/${id}`), await reader().get(`nowhere/${id}`)];
    expect(nowhere.status).toBe(200);
    expect(nowhere.html.replaceAll('nowhere', 'stage')).toBe(here.html);
  });

  test('loads scripts and styles of its own origin alone, and none that stand in it', async () => {
    const { headers, html } = await reader().get(`stage/${id}`);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(html).not.toMatch(/<script(?![^>]* src="_assets\/)|<style|style="|https?:|\son[a-z]+=/);
  });
});

test('a page’s URLs are relative to the console, however deep it stands', async () => {
  for (const [path, base] of [
    ['stage/orders', '../'],
    ['stage/orders/1b2c', '../../'],
  ])
    expect((await reader().get(path ?? '')).html).toContain(`<base href="${base}"/>`);
});

test('the query of an address is asked for with the content', async () => {
  const { html } = await reader().get('stage/requests?q="><b>&method=GET');
  expect(html).toContain('hx-get="_content/stage/requests?q=%22%3E%3Cb%3E&amp;method=GET"');
});

test.each([
  ['', '_console/stage/requests'],
  ['/', 'stage/requests'],
  ['/w7', 'w7/requests'],
  ['/w7/', 'requests'],
])('/_console%s leads to live requests', async (path, location) => {
  const { status, headers } = await testSachet().call('GET', `/_console${path}`);
  expect([status, headers.get('location')]).toEqual([302, location]);
});

test.each(['stage/nothing', 'stage/orders/1/2', 'stage/clock/1', 'stage/orders/', 'stage/constructor'])(
  '%s is no page',
  async (path) => {
    const { status, text } = await reader().get(path);
    expect(status).toBe(404);
    expect(text).toContain(`The console has no page “${path.slice('stage/'.length)}”. Live requests of stage`);
  },
);

test('what is no name of a sandbox is told as text', async () => {
  const { status, text, html } = await reader().get('%3Cscript%3E/orders');
  expect([status, text]).toEqual([404, expect.stringContaining('“<script>” is not a valid sandbox name.')]);
  expect(html).not.toContain('<script>');
});

describe('files', () => {
  test.each([
    ['htmx.js', 'text/javascript'],
    ['key.js', 'text/javascript'],
    ['live.js', 'text/javascript'],
    ['page.js', 'text/javascript'],
    ['pico.css', 'text/css'],
    ['console.css', 'text/css'],
  ])('%s is served as it stands, and not sent again', async (name, type) => {
    const first = await reader().get(`_assets/${name}`);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(first.html.length).toBeGreaterThan(500);
    expect(first.html).not.toMatch(/sourceMappingURL|url\(["']?https?:|@import/);
    const etag = first.headers.get('etag') ?? '';
    expect((await reader().get(`_assets/${name}`, { 'if-none-match': etag })).status).toBe(304);
  });

  test.each(['nothing.js', '..%2fkey.js', 'toString'])('%s is none', async (name) => {
    expect((await reader().get(`_assets/${name}`)).status).toBe(404);
  });
});

test.each(['https:elsewhere.example', 'javascript:alert(1)', '%2F%2Felsewhere.example', '%5Celsewhere.example'])(
  'what is no name of a sandbox leads nowhere: %s',
  async (name) => {
    const { status, headers } = await testSachet().call('GET', `/_console/${name}`);
    expect([status, headers.get('location')]).toEqual([404, null]);
  },
);

test('a path that would lead out of the console is one name in what is asked for', async () => {
  const { html } = await reader().get('stage/orders/x%5C..%5C..%5C_admin%5Csandboxes%3Fa=1');
  expect(html).toContain('hx-get="_content/stage/orders/x%5C..%5C..%5C_admin%5Csandboxes%3Fa%3D1"');
});

// The page of the API reference: where it is, what it loads and links to, its protections, and that it changes nothing in the sandbox.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { controlOpenApiPath, docsPath, openApiPath } from '../../src/contract/addresses.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { controlled, everything } from '../support/control.ts';
import { fixtures, testSachet } from '../support/sachet.ts';
import { openReference } from './reference.ts';

const origin = 'http://localhost:4010';
const bases = ['', '/sandboxes/stage', '/sandboxes/production'];
const assets = ['swagger-ui-bundle.js', 'swagger-ui.css', 'start.js', 'page.css'];
const notFound = { statusCode: 404, error: 'Not Found', message: 'Not Found' };

test('the page loads and links to what is below it, and sends calls to its base URL, behind a prefix, too', async () => {
  for (const base of bases) {
    const address = `https://proxy.example/some/prefix${base}`;
    const { data, text } = await openReference(testSachet(), base);
    const found = Array.from(text.matchAll(/ (?:href|src|data-document)="([^"]*)"/g), ([, url = '']) => url);
    const urls = found.filter((url) => !url.startsWith('data:')).map((url) => new URL(url, address + docsPath).href);
    const own = [docsPath, `${docsPath}?document=control`, openApiPath, ...assets.map((name) => `${docsPath}/${name}`)];
    expect(new Set(urls)).toEqual(new Set(own.map((path) => address + path)));
    expect(new URL(data.server ?? '', address + docsPath).href).toBe(`${address}/`);

    // The calls of the control API go to the root of the server.
    const control = await openReference(testSachet(), base, { search: '?document=control' });
    const at = (url = '') => new URL(url, `${origin}/prefix${base}${docsPath}`).href;
    const { document, server } = control.data;
    expect([at(document), at(server)]).toEqual([`${origin}/prefix${controlOpenApiPath}`, `${origin}/prefix/`]);
    expect(control.text).toContain('<a href="_docs?document=control" aria-current="page">');

    const { status, headers } = await testSachet().call('GET', `${base}${docsPath}/?document=control`);
    const location = new URL(headers.get('location') ?? '', `${origin}/prefix${base}${docsPath}/`).href;
    expect([status, location]).toEqual([308, at('_docs?document=control')]);
  }
});

test('HEAD has the headers of the page, with its length', async () => {
  const sachet = testSachet();
  const { headers, text } = await openReference(sachet);
  const head = await sachet.call('HEAD', docsPath);
  const length = String(Buffer.byteLength(text));
  expect([head.status, head.text]).toEqual([200, '']);
  expect(Object.fromEntries(head.headers)).toEqual({ ...Object.fromEntries(headers), 'content-length': length });
});

test('the page is protected by its headers, and has only scripts and styles of its own files', async () => {
  const { headers, text } = await openReference(testSachet());
  expect(Object.fromEntries(headers)).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  });
  expect(text.match(/<script[^>]*>[^<]*/g)).toEqual([
    '<script src="_docs/swagger-ui-bundle.js" defer>',
    '<script src="_docs/start.js" type="module">',
  ]);
  expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|https?:/i);
});

test.each(assets)('%s is a file of the package, cached by its ETag', async (name) => {
  const path = `${docsPath}/${name}`;
  const folder = name.startsWith('swagger-ui') ? '../../node_modules/swagger-ui-dist/' : '../../src/http/docs/';
  const file = readFileSync(fileURLToPath(new URL(folder + name, import.meta.url)), 'utf8');
  const sachet = testSachet();
  for (const base of ['', '/sandboxes/nobody']) {
    const { status, text } = await sachet.call('GET', base + path);
    expect([status, file.startsWith(text)]).toEqual([200, true]);
    expect(file.slice(text.length)).toMatch(/^(?:\/[/*]# sourceMappingURL=\S+\s*)?$/);
  }
  const { status, text, headers } = await sachet.call('HEAD', path);
  expect([status, text]).toEqual([200, '']);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
  const etag = headers.get('etag') ?? '';
  const sent = async (tags: string) => {
    const answer = await sachet.call('GET', path, { headers: { 'if-none-match': tags } });
    return [answer.status, answer.text.length > 0, answer.headers.get('etag')];
  };
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`]) expect(await sent(tags)).toEqual([304, false, etag]);
  for (const tags of ['"other"', etag.slice(1, -1)]) expect(await sent(tags)).toEqual([200, true, etag]);
});

test('each asset has its own ETag, and none loads from another server', async () => {
  const sachet = testSachet();
  const answers = await Promise.all(assets.map((name) => sachet.call('GET', `${docsPath}/${name}`)));
  expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(assets.length);
  const [, style, ...own] = answers.map(({ text }) => text);
  expect(style).not.toMatch(/@import|url\(["']?(?!["']?data:)/);
  for (const text of own) expect(text).not.toContain('//www');
});

describe('there is no page', () => {
  test('of an unknown sandbox, whose name is shown as text', async () => {
    for (const name of ['nobody', '%3Cscript%3Ealert(1)%3C%2Fscript%3E', '%22%3E%3Cimg%20src=x%3E', '%zz']) {
      const { status, headers, text, data } = await openReference(testSachet(), `/sandboxes/${name}`);
      expect([status, headers.get('content-type'), data]).toEqual([404, 'text/html; charset=utf-8', {}]);
      expect(text).toContain('<h1>Sandbox not found</h1>');
      expect(text).not.toMatch(/<script|<img/);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test('to other methods, nor at other paths below it', async () => {
    const sachet = testSachet();
    for (const method of ['POST', 'DELETE', 'OPTIONS'])
      for (const path of [docsPath, `${docsPath}/start.js`])
        expect((await sachet.call(method, path)).body, method + path).toEqual(notFound);
    for (const path of ['/nothing.js', '/swagger-ui-bundle.js.map', '/page', '/x/y'])
      expect((await sachet.call('GET', docsPath + path)).body?.statusCode, path).toBe(404);
  });
});

describe('a visit', () => {
  test('changes neither the state nor the journal, nor the ids and tokens that follow', async () => {
    const server = controlled();
    await server.sachet.sandbox('production');
    const { sandboxes: _, ...before } = await everything(server);
    for (const base of bases)
      for (const search of ['', '?document=control']) await openReference(server.sachet, base, { search });
    const { sandboxes: __, ...after } = await everything(server);
    expect(after.versions.map((root, index) => root === before.versions[index])).toEqual([true, true]);
    expect(after.journals).toEqual(before.journals);
    const [visited, other] = [await server.sachet.login(), await testSachet().login()];
    expect([visited.token, visited.refreshToken]).toEqual([other.token, other.refreshToken]);
  });

  test('is logged, the assets are not', async () => {
    const lines: unknown[] = [];
    const sachet = testSachet({
      log: ({ method, path, status, sandbox }) => void lines.push([method, path, status, sandbox]),
    });
    await openReference(sachet, '', { search: '?document=control' });
    await sachet.call('GET', `${docsPath}/start.js`);
    await openReference(sachet, '/sandboxes/nobody');
    expect(lines).toEqual([
      ['GET', docsPath, 200, 'stage'],
      ['GET', `/sandboxes/nobody${docsPath}`, 404, undefined],
    ]);
  });
});

test('a failing store is reported, and the page says that something went wrong', async () => {
  const failures: unknown[] = [];
  const store = { ...createChaosStore(), load: () => Promise.reject(new Error('no connection')) };
  const sachet = createEngine({ fixtures, store, onFailure: (error) => void failures.push(error) });
  const response = await sachet.fetch(origin + docsPath);
  expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('Something went wrong')]);
  expect(failures).toHaveLength(1);
});

// The reference's page: where it stands, what it leads to, how it is guarded, and that looking at it leaves no trace in the sandbox.
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { controlOpenApiPath, docsPath, openApiPath } from '../../src/contract/addresses.ts';
import type { Answered } from '../../src/http/dependencies.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { controlled, everything } from '../support/control.ts';
import { openReference } from '../support/reference.ts';
import { fixtures, testSachet } from '../support/sachet.ts';

const origin = 'http://localhost:4010';
const bases = ['', '/sandboxes/stage', '/sandboxes/production'];

/** The URLs that a page links to and loads, as a browser at its address reads them. */
const urlsIn = (text: string, address: string): string[] =>
  Array.from(
    text.matchAll(/ (?:href|src|data-document)="([^"]*)"/g),
    ([, url = '']) => new URL(url, address).href,
  ).filter((url) => !url.startsWith('data:'));

describe.each(bases)('the page under "%s"', (base) => {
  test('is one of HTML, and the same to HEAD, with its length', async () => {
    const sachet = testSachet();
    const { status, headers, text } = await openReference(sachet, base);
    const head = await sachet.call('HEAD', base + docsPath);
    expect([status, head.status, head.text]).toEqual([200, 200, '']);
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">\n/);
    const length = String(Buffer.byteLength(text));
    expect(Object.fromEntries(head.headers)).toEqual({ ...Object.fromEntries(headers), 'content-length': length });
  });

  test('loads and leads to what stands below it, behind a proxy’s prefix, too', async () => {
    const { text } = await openReference(testSachet(), base);
    const prefix = 'https://proxy.example/some/prefix';
    const urls = new Set(urlsIn(text, prefix + base + docsPath));
    const own = ['swagger-ui.css', 'page.css', 'swagger-ui-bundle.js', 'start.js'].map((name) => `${docsPath}/${name}`);
    const expected = [docsPath, `${docsPath}?document=control`, openApiPath, ...own].map(
      (path) => prefix + base + path,
    );
    expect([...urls].sort()).toEqual(expected.sort());
  });

  test('has calls sent to the base URL that it stands under', async () => {
    const { data } = await openReference(testSachet(), base);
    expect(new URL(data.server ?? '', origin + base + docsPath).href).toBe(`${origin}${base}/`);
  });

  test('shows the control API’s document at the server’s root, and sends its calls there', async () => {
    const { data, text } = await openReference(testSachet(), base, { search: '?document=control' });
    const at = (url = '') => new URL(url, `${origin}/prefix${base}${docsPath}`).href;
    expect([at(data.document), at(data.server)]).toEqual([
      `${origin}/prefix${controlOpenApiPath}`,
      `${origin}/prefix/`,
    ]);
    expect(text).toContain('<a href="_docs?document=control" aria-current="page">Control API</a>');
    expect(text.match(/aria-current/g)).toHaveLength(1);
  });
});

test('a document that is none is the service’s', async () => {
  const sachet = testSachet();
  for (const search of ['?document=none', '?document=', '?url=https://evil.example/x.json'])
    expect((await openReference(sachet, '', { search })).data.document).toBe(openApiPath.slice(1));
});

test.each(bases)('with a slash behind its address under "%s" it is found by the right one', async (base) => {
  const address = `/prefix${base}${docsPath}/?document=control`;
  const { status, headers } = await testSachet().call('GET', address.replace('/prefix', ''));
  const location = new URL(headers.get('location') ?? '', origin + address).href;
  expect([status, location]).toEqual([308, `${origin}/prefix${base}${docsPath}?document=control`]);
});

describe('the page is guarded', () => {
  test('by its headers', async () => {
    const { headers } = await openReference(testSachet());
    const { 'content-security-policy': policy = '', ...others } = Object.fromEntries(headers);
    expect(others).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  test('by having no script and no style but files of its own', async () => {
    const { text } = await openReference(testSachet());
    expect(text.match(/<script[^>]*>[^<]*/g)).toEqual([
      '<script src="_docs/swagger-ui-bundle.js" defer>',
      '<script src="_docs/start.js" type="module">',
    ]);
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|https?:/i);
  });
});

describe('there is no reference', () => {
  test.each([
    'nobody',
    '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
    '%22%3E%3Cimg%20src=x%3E',
    '..%2f..',
    '%zz',
    'UPPER',
    `${'a'.repeat(10_000)}`,
  ])('of a sandbox %s, and a person is told so', async (name) => {
    const { status, headers, text, data } = await openReference(testSachet(), `/sandboxes/${name}`);
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1>Sandbox not found</h1>');
    expect(text).not.toMatch(/<script|<img/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(data).toEqual({});
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('to %s', async (method) => {
    const sachet = testSachet();
    for (const path of [docsPath, `${docsPath}/start.js`, `/sandboxes/stage${docsPath}`]) {
      const { status, body } = await sachet.call(method, path);
      expect([status, body]).toEqual([404, { statusCode: 404, error: 'Not Found', message: 'Not Found' }]);
    }
  });

  test.each(['/nothing.js', '/swagger-ui-bundle.js.map', '/page', '/x/y'])('at %s below it', async (path) => {
    expect((await testSachet().call('GET', docsPath + path)).body?.statusCode).toBe(404);
  });
});

describe('a look', () => {
  test('leaves no trace in state and journal', async () => {
    const server = controlled();
    await server.sachet.sandbox('production');
    const { sandboxes: _, ...before } = await everything(server);
    for (const base of bases)
      for (const search of ['', '?document=control']) await openReference(server.sachet, base, { search });
    const { sandboxes: __, ...after } = await everything(server);
    expect(after.versions.map((root, index) => root === before.versions[index])).toEqual([true, true]);
    expect(after.journals).toEqual(before.journals);
  });

  test('moves nothing that follows: the same ids and tokens come as without it', async () => {
    const story = async (look: boolean) => {
      const sachet = testSachet();
      if (look) await openReference(sachet);
      const client = await sachet.login();
      if (look) await openReference(sachet);
      const again = await sachet.login();
      return [client.token, client.refreshToken, again.token, again.refreshToken];
    };
    expect(await story(true)).toEqual(await story(false));
  });

  test('is met by no fault, and uses none up', async () => {
    const { sachet } = controlled();
    const client = await sachet.login();
    await sachet.control
      .sandbox('stage')
      .switches.set({ rate_limit: { burst: 1 }, latency: { milliseconds: 60_000, match: { method: 'HEAD' } } });
    const { status, headers } = await openReference(sachet);
    expect([status, headers.get('sandbox-fault')]).toEqual([200, null]);
    expect([(await client.get('/v2/products')).status, (await client.get('/v2/products')).status]).toEqual([429, 200]);
  });

  test('uses the sandbox: it is not the longest unused one', async () => {
    const { sachet } = controlled({ maxSandboxes: 4 });
    for (const name of ['a', 'b']) await sachet.login(`demo+${name}`);
    await openReference(sachet, '/sandboxes/a');
    await sachet.login('demo+c');
    const { sandboxes } = await sachet.control.list();
    expect(sandboxes.map(({ name }) => name)).toEqual(['a', 'c', 'production', 'stage']);
  });

  test('has its line in the log, what the page loads has none', async () => {
    const lines: Answered[] = [];
    const sachet = testSachet({ log: (answered) => void lines.push(answered) });
    await openReference(sachet, '', { search: '?document=control' });
    await sachet.call('GET', `${docsPath}/start.js`);
    await openReference(sachet, '/sandboxes/nobody');
    const told = lines.map(({ method, path, status, sandbox }) => [method, path, status, sandbox]);
    expect(told).toEqual([
      ['GET', docsPath, 200, 'stage'],
      ['GET', `/sandboxes/nobody${docsPath}`, 404, undefined],
    ]);
  });
});

test('a store that fails is told, and a person is told to try again', async () => {
  const told: unknown[] = [];
  const store = { ...createChaosStore(), load: () => Promise.reject(new Error('no connection')) };
  const sachet = createEngine({ fixtures, store, onFailure: (error) => void told.push(error) });
  const response = await sachet.fetch(`${origin}${docsPath}`);
  expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('Something went wrong')]);
  expect(told).toHaveLength(1);
});

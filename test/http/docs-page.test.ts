// The page of the API reference: where it is, what it loads and links to, its protections, its token, and that it changes nothing in the sandbox.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodeJwt } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { controlOpenApiPath, docsPath, openApiPath } from '../../src/contract/addresses.ts';
import type { EngineOptions } from '../../src/engine.ts';
import { assetsOf } from '../../src/http/markup.ts';
import { nodeHashes } from '../../src/node/platform.ts';
import { controlled, everything } from '../support/control.ts';
import { type CallInit, day, fixtures, origin, type TestSachet, testSachet } from '../support/sachet.ts';
import { present, secondsAtNoon } from '../support/tokens.ts';

const bases = ['', '/sandboxes/stage', '/sandboxes/production'];
const assets = ['swagger-ui-bundle.js', 'swagger-ui.css', 'start.js', 'page.css'];
const notFound = { statusCode: 404, error: 'Not Found', message: 'Not Found' };

/** The page of a sandbox, with the `data-…` attributes that its script starts with, and the text of its header without tags. */
async function open(
  sachet: Pick<TestSachet, 'call'>,
  base = '',
  { search = '', ...init }: CallInit & { readonly search?: string } = {},
) {
  const answer = await sachet.call('GET', base + docsPath + search, init);
  const [, place = ''] = /<div id="reference"([^>]*)>/.exec(answer.text) ?? [];
  const attributes = Array.from(place.matchAll(/ data-(\w+)="([^"]*)"/g), ([, name, value]) => [name, value]);
  const [, header = ''] = /<header>([\s\S]*)<\/header>/.exec(answer.text) ?? [];
  const data: Readonly<Record<string, string>> = Object.fromEntries(attributes);
  return { ...answer, data, header: header.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ') };
}
const control = { search: '?document=control' };

test('the page loads and links to what is below it, and sends calls to its base URL, behind a prefix, too', async () => {
  const prefix = 'https://proxy.example/some/prefix';
  for (const base of bases) {
    const at = (url = '') => new URL(url, prefix + base + docsPath).href;
    const { data, text } = await open(testSachet(), base);
    const found = Array.from(text.matchAll(/ (?:href|src|data-document)="([^"]*)"/g), ([, url = '']) => url);
    const urls = found.filter((url) => !url.startsWith('data:')).map(at);
    const own = [docsPath, `${docsPath}?document=control`, openApiPath, ...assets.map((name) => `${docsPath}/${name}`)];
    const console = `${prefix}/_console/${base.split('/').at(-1) || 'stage'}/start`;
    expect(new Set(urls)).toEqual(new Set([...own.map((path) => prefix + base + path), console]));
    expect(at(data.server)).toBe(`${prefix}${base}/`);

    // The calls of the control API go to the root of the server.
    const other = await open(testSachet(), base, control);
    expect([at(other.data.document), at(other.data.server)]).toEqual([prefix + controlOpenApiPath, `${prefix}/`]);
    expect(other.text).toContain('<a href="_docs?document=control" aria-current="page">');

    const { status, headers } = await testSachet().call('GET', `${base}${docsPath}/?document=control`);
    const location = new URL(headers.get('location') ?? '', `${prefix}${base}${docsPath}/`).href;
    expect([status, location]).toEqual([308, at('_docs?document=control')]);
  }
});

test('the page is protected by its headers, and has only scripts and styles of its own files', async () => {
  const sachet = testSachet();
  const { headers, text } = await open(sachet);
  const expected = {
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  };
  expect(Object.fromEntries(headers)).toEqual(expected);
  expect(text.match(/<script[^>]*>[^<]*/g)).toEqual([
    '<script src="_docs/swagger-ui-bundle.js" defer>',
    '<script src="_docs/start.js" type="module">',
  ]);
  expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|https?:/i);
});

test.each(assets)('%s is a file of the package, cached by its ETag', async (name) => {
  const path = `${docsPath}/${name}`;
  const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
  const folder = name.startsWith('swagger-ui') ? 'node_modules/swagger-ui-dist/' : 'src/http/docs/';
  const file = (name === 'page.css' ? read('src/http/style/tokens.css') : '') + read(folder + name);
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

test('concurrent first requests load an asset once, and a failed load is tried again', async () => {
  const load = vi.fn(async () => ({ 'a.js': async () => 'text' }));
  load.mockRejectedValueOnce(new Error('too many open files'));
  const serve = assetsOf('data', load);
  const requests = () => Promise.all([1, 2, 3].map(() => serve(nodeHashes, 'a.js', new Request(origin))));
  await expect(requests()).rejects.toThrow('too many open files');
  expect(await requests()).toMatchObject([{ body: 'text' }, { body: 'text' }, { body: 'text' }]);
  expect(load).toHaveBeenCalledTimes(2);
});

describe('there is no page', () => {
  test('of an unknown sandbox, whose name is shown as text', async () => {
    for (const name of ['nobody', '%3Cscript%3Ealert(1)%3C%2Fscript%3E', '%22%3E%3Cimg%20src=x%3E', '%zz']) {
      const { status, headers, text, data } = await open(testSachet(), `/sandboxes/${name}`);
      expect([status, headers.get('content-type'), data]).toEqual([404, 'text/html; charset=utf-8', {}]);
      expect(text).toContain('<h1 id="heading">Sandbox not found</h1>');
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

test('a visit changes neither the state nor the journal, nor the ids and tokens that follow, and is logged', async () => {
  const lines: unknown[] = [];
  const server = controlled({
    log: ({ method, path, status, sandbox }) => void lines.push([method, path, status, sandbox]),
  });
  await server.sachet.sandbox('production');
  const { sandboxes: _, ...before } = await everything(server);
  lines.length = 0;
  for (const search of ['', control.search]) for (const base of bases) await open(server.sachet, base, { search });
  // Assets are not logged.
  await server.sachet.call('GET', `${docsPath}/start.js`);
  await open(server.sachet, '/sandboxes/nobody');
  const pages = bases.map((base) => ['GET', base + docsPath, 200, base.split('/').at(-1) || 'stage']);
  expect(lines).toEqual([...pages, ...pages, ['GET', `/sandboxes/nobody${docsPath}`, 404, undefined]]);
  const { sandboxes: __, ...after } = await everything(server);
  expect(after).toEqual(before);
  const [visited, other] = [await server.sachet.login(), await testSachet().login()];
  expect([visited.token, visited.refreshToken]).toEqual([other.token, other.refreshToken]);
});

const tokenAt = async (sachet: TestSachet): Promise<string> => (await open(sachet)).data.token ?? '';
const [first, ...others] = fixtures.users;
const withFirst = (changes: Partial<NonNullable<typeof first>>) => ({
  fixtures: { ...fixtures, users: [{ ...first, ...changes } as NonNullable<typeof first>, ...others] },
});
const withoutToken = ['document', 'sandbox', 'scheme', 'server'];

describe('the token', () => {
  test('is like that of a login, with an id that cannot be guessed', async () => {
    const sachet = testSachet();
    const { jti: _, session, uses, ...login } = decodeJwt((await sachet.login()).token);
    const { jti: one, ...page } = decodeJwt(await tokenAt(sachet));
    const { jti: other } = decodeJwt(await tokenAt(sachet));
    // No refresh ends it.
    expect([session, uses, page]).toEqual([expect.any(String), 0, login]);
    expect([one, other]).toEqual([expect.stringMatching(/^[0-9a-z]{21}$/), expect.not.stringMatching(one ?? '')]);
  });

  test('expires by the clock of the sandbox and by a switch; a page loaded then has a good one', async () => {
    const sachet = testSachet();
    const { data, text } = await open(sachet);
    expect(text).toContain('<time datetime="2026-11-21T12:00:00.000Z" title="2026-11-21T12:00:00.000Z">');
    const expectExpired = async (token = '') => {
      expect((await present(sachet, token)).body.message).toBe('Token expired');
      expect((await present(sachet, await tokenAt(sachet))).status).toBe(200);
    };
    await sachet.advance(day);
    await expectExpired(data.token);
    const issued = await tokenAt(sachet);
    await sachet.control.sandbox('stage').switches.set({ token_expiry: { expire_issued: true } });
    await expectExpired(issued);
  });

  test.each([
    ['authentication.token', 60],
    ['authentication.refresh', 86_400],
  ] as const)('has the lifetime that the switch gives to logins, by a match of %s', async (operation, lifetime) => {
    const sachet = testSachet();
    const token_expiry = { lifetime_seconds: 60, match: { operation } };
    await sachet.control.sandbox('stage').switches.set({ token_expiry });
    expect(Number(decodeJwt(await tokenAt(sachet)).exp) - secondsAtNoon).toBe(lifetime);
  });

  test('is of the first user of the sandbox who may log in', async () => {
    const sachet = testSachet(withFirst({ active: false }));
    const { header, data } = await open(sachet);
    expect(header).not.toContain(`as ${first?.username}, with a token`);
    expect((await present(sachet, data.token ?? '')).status).toBe(200);
  });

  test('stands beside the username as text, not as markup', async () => {
    const { text, data } = await open(testSachet(withFirst({ username: `<script>alert('1')</script>" data-x="` })));
    expect(text).toContain('<b>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; data-x=&quot;</b>');
    expect(Object.keys(data).sort()).toEqual([...withoutToken, 'token']);
  });

  test.each<[host: string, options: Partial<EngineOptions>]>([
    ['127.0.0.1:4010', {}],
    ['sachet.localhost', {}],
    ['demo.example', { allowedHosts: ['demo.example'] }],
    ['demo.example:8080', { publicUrl: 'https://demo.example' }],
  ])('is on the page under the known host %s', async (host, options) => {
    expect((await open(testSachet(options), '', { headers: { host } })).data.token).toMatch(/^eyJ/);
  });
});

describe('there is no token', () => {
  /** The page has no token, and says so. */
  async function expectNoToken(sachet: TestSachet, base = '', headers: Record<string, string> = {}): Promise<void> {
    const { status, data, text, header } = await open(sachet, base, { headers });
    expect([status, Object.keys(data).sort()]).toEqual([200, withoutToken]);
    expect(header).toContain('This page has no token');
    expect(text).not.toContain('eyJ');
  }

  test('under an unknown host', async () => {
    for (const host of ['evil.example', 'localhost.evil.com', 'localhost, localhost'])
      await expectNoToken(testSachet(), '', { host });
  });

  test('without login sandboxes, with hidden fixtures, without an active user, and in a sandbox with its own key', async () => {
    const users = fixtures.users.map((user) => ({ ...user, active: false }));
    for (const options of [{ loginSandboxes: false }, { showFixtures: false }, { fixtures: { ...fixtures, users } }])
      await expectNoToken(testSachet(options));
    const sachet = testSachet();
    for (const own_key of [true, 'a-key-of-one-sandbox'] as const)
      await expectNoToken(sachet, `/sandboxes/${(await sachet.control.create({ own_key })).name}`);
  });

  test.each([{ password: 'changed-secret' }, { username: 'somebody' }])(
    'for a user whose login is another one than in the fixtures: %j',
    async (changes) => {
      const sachet = testSachet();
      await sachet.control.sandbox('stage').records.users.update(first?.id ?? '', changes);
      await expectNoToken(sachet);
    },
  );

  test('for the control API, and the admin key is on no page', async () => {
    const sachet = testSachet();
    const { data, text, header } = await open(sachet, '', control);
    expect(Object.keys(data).sort()).toEqual(withoutToken);
    expect(header).toContain('need the admin key');
    expect(text).not.toContain('eyJ');
    for (const page of [text, (await open(sachet)).text]) expect(page).not.toContain(sachet.adminKey);
  });
});

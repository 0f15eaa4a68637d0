// The answer at a base URL itself: a page for browsers, JSON for programs, and whether it shows a login.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { controlled } from '../support/control.ts';
import { fixtures, origin, testSachet } from '../support/sachet.ts';

const html = { headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } };
const prefix = 'https://proxy.example/some/prefix';

test.each([
  ['/', '', 'stage'],
  ['/sandboxes/stage', '/sandboxes/stage', 'stage'],
  ['/sandboxes/production/', '/sandboxes/production', 'production'],
])('at %s, programs get the addresses as JSON and browsers a page with links to them', async (path, base, sandbox) => {
  const sachet = testSachet();
  const addresses = (url: string) => ({
    ...{ name: 'sachet', version, sandbox, base_url: url + base, console_url: `${url}/_console/${sandbox}/start` },
    ...{ docs_url: `${url}${base}/_docs`, openapi_url: `${url}${base}/_docs/openapi.json` },
    health_url: `${url}/health`,
    mcp_url: `${url}/_mcp`,
  });
  for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
    const { status, body, headers } = await sachet.call('GET', path, { headers: { accept } });
    expect([status, body, headers.get('vary')]).toEqual([200, addresses(origin), 'Accept']);
  }
  const publicUrl = 'https://demo.example/partners';
  expect((await testSachet({ publicUrl }).call('GET', path)).body).toEqual(addresses(publicUrl));

  const { status, text, headers } = await sachet.call('GET', path, html);
  expect([status, headers.get('vary'), text.includes(`<code>${origin}${base}</code>`)]).toEqual([200, 'Accept', true]);
  const urls = Array.from(text.matchAll(/<a href="([^"]*)"/g), ([, url = '']) => new URL(url, prefix + path).href);
  const { console_url, docs_url, openapi_url } = addresses(prefix);
  expect(urls).toEqual([console_url, docs_url, openapi_url, `${docs_url}?document=control`]);
  expect(text).not.toMatch(/<script|<form|\sstyle=|\son\w+=/);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
  expect(headers.get('content-security-policy')).toContain(createHash('sha256').update(style).digest('base64'));
  const head = await sachet.call('HEAD', path, html);
  expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'text/html; charset=utf-8']);
});

test('the page has a login that works, unless passwords are secret or the caller may be another site', async () => {
  const { sachet } = controlled();
  const { text } = await sachet.call('GET', '/', html);
  expect(text).toContain('<code>demo</code> / <code>sachet-demo</code>');
  const [, command = ''] = /<pre[^>]*>([^<]*)<\/pre>/.exec(text) ?? [];
  const [, login = ''] = /-d &#39;(.*)&#39;$/.exec(command) ?? [];
  const body = JSON.parse(login.replaceAll('&quot;', '"'));
  expect((await sachet.call('POST', '/v2/authentication/token', { body })).status).toBe(200);

  const demo = testSachet({ loginSandboxes: false });
  const changed = controlled();
  const { id } = fixtures.users[0] ?? {};
  await changed.admin('PATCH', `/sandboxes/stage/users/${id}`, { password: 'changed-secret' });
  const rebound = { headers: { ...html.headers, host: 'evil.example' } };
  for (const [one, path, init] of [
    [demo, '/', html],
    [testSachet({ showFixtures: false }), '/', html],
    [sachet, '/', rebound],
    [changed.sachet, '/', html],
  ] as const) {
    const page = await one.call('GET', path, init);
    expect(page.text).toContain('The operator of this server hands out the logins');
    expect(page.text).not.toMatch(/sachet-demo|changed-secret/);
  }
});

test('an unknown sandbox and other methods are 404', async () => {
  const sachet = testSachet();
  const page = await sachet.call('GET', '/sandboxes/%3Cscript%3E', html);
  expect([page.status, page.text.includes('<p class="number">&lt;script&gt;</p>')]).toEqual([404, true]);
  const { body } = await sachet.call('GET', '/sandboxes/nobody/');
  expect(body).toMatchObject({ statusCode: 404, message: 'There is no sandbox "nobody"' });
  for (const [method, path] of [
    ['POST', '/'],
    ['DELETE', '/sandboxes/stage'],
    ['GET', '/sandboxes'],
  ] as const)
    expect((await sachet.call(method, path, html)).body?.message, method + path).toBe('Not Found');
});

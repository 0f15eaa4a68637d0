// The token that the reference comes with: what it is good for, and where there is none.
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { EngineOptions } from '../../src/engine.ts';
import { controlled } from '../support/control.ts';
import { openReference } from '../support/reference.ts';
import { fixtures, type TestSachet, testSachet } from '../support/sachet.ts';
import { dayInMilliseconds, present, secondsAtNoon } from '../support/tokens.ts';

const tokenAt = async (sachet: TestSachet, base = ''): Promise<string> =>
  (await openReference(sachet, base)).data.token ?? '';

describe('the token', () => {
  test.each(['', '/sandboxes/stage', '/sandboxes/production'])('under "%s" is good for calls there', async (base) => {
    const sachet = testSachet();
    const { data, told } = await openReference(sachet, base);
    expect((await present(sachet, data.token ?? '', base)).status).toBe(200);
    expect(data.scheme).toBe('bearerAuth');
    expect(told).toContain(`Calls go to the sandbox ${base.split('/').at(-1) || 'stage'} as demo, with a token`);
  });

  test('is that of a login now, but for an id that nobody can guess', async () => {
    const sachet = testSachet();
    const { jti: _, session, uses, ...login } = decodeJwt((await sachet.login()).token);
    const { jti: one, ...page } = decodeJwt(await tokenAt(sachet));
    const { jti: other } = decodeJwt(await tokenAt(sachet));
    // No refresh ends it.
    expect([session, uses, page]).toEqual([expect.any(String), 0, login]);
    expect([one, other]).toEqual([expect.stringMatching(/^[0-9a-z]{21}$/), expect.not.stringMatching(one ?? '')]);
  });

  test('ends by the sandbox’s clock, as the page says, and a page loaded then has a good one', async () => {
    const sachet = testSachet();
    const { data, text, told } = await openReference(sachet);
    expect(text).toContain('<time datetime="2026-11-21T12:00:00.000Z" title="2026-11-21T12:00:00.000Z">');
    expect(told).toContain(
      'valid until Nov 21, 2026, 12:00:00 UTC on the sandbox’s clock. Reload the page for a new one.',
    );
    await sachet.advance(dayInMilliseconds);
    expect((await present(sachet, data.token ?? '')).body.message).toBe('Token expired');
    expect((await present(sachet, await tokenAt(sachet))).status).toBe(200);
  });

  test('is expired with all that were issued so far, and a page loaded then has a good one', async () => {
    const sachet = testSachet();
    const before = await tokenAt(sachet);
    await sachet.control.sandbox('stage').switches.set({ token_expiry: { expire_issued: true } });
    expect((await present(sachet, before)).body.message).toBe('Token expired');
    expect((await present(sachet, await tokenAt(sachet))).status).toBe(200);
  });

  test.each([
    ['of all tokens', {}, 60],
    ['of those of logins', { match: { operation: 'authentication.token' as const } }, 60],
    ['of those of demo’s logins', { match: { body: { username: 'demo' } } }, 60],
    ['of those of refreshes', { match: { operation: 'authentication.refresh' as const } }, 86_400],
  ])('lives as long as the switch makes the lifetime %s', async (_, match, seconds) => {
    const sachet = testSachet();
    await sachet.control.sandbox('stage').switches.set({ token_expiry: { lifetime_seconds: 60, ...match } });
    expect(decodeJwt(await tokenAt(sachet)).exp).toBe(secondsAtNoon + seconds);
  });

  test('is of the first user who may log in', async () => {
    const [first, ...others] = fixtures.users;
    const users = [{ ...fixtures.users[0], active: false } as (typeof fixtures.users)[number], ...others];
    const sachet = testSachet({ fixtures: { ...fixtures, users } });
    const { told } = await openReference(sachet);
    const named = /as (\S+), with a token/.exec(told)?.[1];
    expect(named).not.toBe(first?.username);
    expect((await present(sachet, await tokenAt(sachet))).status).toBe(200);
  });

  test('is one of the sandbox’s own users as it has them now', async () => {
    const sachet = testSachet();
    const { users } = await sachet.control.sandbox('stage').records.users.list();
    await sachet.control.sandbox('stage').records.users.update(users[0]?.id ?? '', { username: 'somebody' });
    expect((await openReference(sachet)).told).toContain('as somebody,');
  });
});

test('a name of a user becomes no markup', async () => {
  const [first, ...others] = fixtures.users;
  const username = `<script>alert('1')</script>" data-x="`;
  const users = [{ ...first, username } as (typeof fixtures.users)[number], ...others];
  const { text, data } = await openReference(testSachet({ fixtures: { ...fixtures, users } }));
  expect(text).toContain('as <b>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; data-x=&quot;</b>,');
  expect(Object.keys(data).sort()).toEqual(['document', 'sandbox', 'scheme', 'server', 'token']);
});

/** That a page has no token, and says so in a sentence. */
async function expectNone(sachet: TestSachet, base = '', headers: Record<string, string> = {}): Promise<void> {
  const { status, data, text, told } = await openReference(sachet, base, { headers });
  expect([status, Object.keys(data).sort()]).toEqual([200, ['document', 'sandbox', 'scheme', 'server']]);
  expect(told).toContain(
    'This page has no token: send “Log in”, click “Authorize”, and enter the access_token of the response.',
  );
  expect(text).not.toContain('eyJ');
}

describe('there is no token', () => {
  const foreign = [
    'evil.example',
    'localhost.evil.com',
    '192.168.0.1:4010',
    'localhost, localhost',
    '127.0.0.1.evil.com',
  ];
  test.each(foreign)('under the host %j', async (host) => {
    await expectNone(testSachet(), '', { host });
  });

  test.each<[string, Partial<EngineOptions>]>([
    ['127.0.0.1:4010', {}],
    ['sachet.localhost', {}],
    ['demo.example', { allowedHosts: ['demo.example'] }],
    ['demo.example:8080', { publicUrl: 'https://demo.example' }],
  ])('but there is one under the known host %s', async (host, options) => {
    const { data } = await openReference(testSachet(options), '', { headers: { host } });
    expect(data.token).toMatch(/^eyJ/);
  });

  test('where logins make no sandboxes', async () => {
    await expectNone(testSachet({ loginSandboxes: false }));
    await expectNone(testSachet({ showFixtures: false }));
  });

  test('in a sandbox with a key of its own', async () => {
    const { sachet, admin } = controlled();
    for (const own_key of [true, 'a-key-of-one-sandbox']) {
      const { body } = await admin('POST', '/sandboxes', { own_key });
      await expectNone(sachet, `/sandboxes/${body.name}`);
    }
  });

  test('where nobody may log in', async () => {
    const users = fixtures.users.map((user) => ({ ...user, active: false }));
    await expectNone(testSachet({ fixtures: { ...fixtures, users } }));
  });

  test('for the control API: the admin key stands nowhere', async () => {
    const { sachet } = controlled();
    const { data, text, told } = await openReference(sachet, '', { search: '?document=control' });
    expect(Object.keys(data).sort()).toEqual(['document', 'sandbox', 'scheme', 'server']);
    expect(told).toContain('need the admin key or the sandbox’s own key. Click “Authorize” to enter it.');
    expect(text).not.toContain('eyJ');
    for (const page of [text, (await openReference(sachet)).text]) expect(page).not.toContain(sachet.adminKey);
  });
});

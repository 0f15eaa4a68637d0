// The token on the page of the API reference: what it is good for, and where there is no token.
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { EngineOptions } from '../../src/engine.ts';
import { fixtures, type TestSachet, testSachet } from '../support/sachet.ts';
import { dayInMilliseconds, present, secondsAtNoon } from '../support/tokens.ts';
import { openReference } from './reference.ts';

const tokenAt = async (sachet: TestSachet, base = ''): Promise<string> =>
  (await openReference(sachet, base)).data.token ?? '';
const [first, ...others] = fixtures.users;
const withFirst = (changes: Partial<NonNullable<typeof first>>) => ({
  fixtures: { ...fixtures, users: [{ ...first, ...changes } as NonNullable<typeof first>, ...others] },
});

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
    const { data, text } = await openReference(sachet);
    expect(text).toContain('<time datetime="2026-11-21T12:00:00.000Z" title="2026-11-21T12:00:00.000Z">');
    const expectExpired = async (token = '') => {
      expect((await present(sachet, token)).body.message).toBe('Token expired');
      expect((await present(sachet, await tokenAt(sachet))).status).toBe(200);
    };
    await sachet.advance(dayInMilliseconds);
    await expectExpired(data.token);
    const issued = await tokenAt(sachet);
    await sachet.control.sandbox('stage').switches.set({ token_expiry: { expire_issued: true } });
    await expectExpired(issued);
  });

  test('has the lifetime that the switch gives to logins', async () => {
    const sachet = testSachet();
    const lifetimeOf = async (operation: 'authentication.token' | 'authentication.refresh') => {
      const token_expiry = { lifetime_seconds: 60, match: { operation } };
      await sachet.control.sandbox('stage').switches.set({ token_expiry });
      return Number(decodeJwt(await tokenAt(sachet)).exp) - secondsAtNoon;
    };
    expect(await lifetimeOf('authentication.token')).toBe(60);
    expect(await lifetimeOf('authentication.refresh')).toBe(86_400);
  });

  test('is of the first user of the sandbox who may log in', async () => {
    const sachet = testSachet(withFirst({ active: false }));
    const { header, data } = await openReference(sachet);
    expect(header).not.toContain(`as ${first?.username}, with a token`);
    expect((await present(sachet, data.token ?? '')).status).toBe(200);
    const renamed = testSachet();
    await renamed.control.sandbox('stage').records.users.update(first?.id ?? '', { username: 'somebody' });
    expect((await openReference(renamed)).header).toContain('as somebody,');
  });

  test('stands beside the username as text, not as markup', async () => {
    const sachet = testSachet(withFirst({ username: `<script>alert('1')</script>" data-x="` }));
    const { text, data } = await openReference(sachet);
    expect(text).toContain('<b>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; data-x=&quot;</b>');
    expect(Object.keys(data).sort()).toEqual(['document', 'sandbox', 'scheme', 'server', 'token']);
  });
});

/** The page has no token, and says so. */
async function expectNoToken(sachet: TestSachet, base = '', headers: Record<string, string> = {}): Promise<void> {
  const { status, data, text, header } = await openReference(sachet, base, { headers });
  expect([status, Object.keys(data).sort()]).toEqual([200, ['document', 'sandbox', 'scheme', 'server']]);
  expect(header).toContain('This page has no token');
  expect(text).not.toContain('eyJ');
}

describe('there is no token', () => {
  test('under an unknown host; there is one under a known host', async () => {
    for (const host of ['evil.example', 'localhost.evil.com', 'localhost, localhost'])
      await expectNoToken(testSachet(), '', { host });
    const known: [host: string, options: Partial<EngineOptions>][] = [
      ['127.0.0.1:4010', {}],
      ['sachet.localhost', {}],
      ['demo.example', { allowedHosts: ['demo.example'] }],
      ['demo.example:8080', { publicUrl: 'https://demo.example' }],
    ];
    for (const [host, options] of known)
      expect((await openReference(testSachet(options), '', { headers: { host } })).data.token, host).toMatch(/^eyJ/);
  });

  test('if logins make no sandboxes, fixtures are hidden, nobody may log in, or the sandbox has its own key', async () => {
    await expectNoToken(testSachet({ loginSandboxes: false }));
    await expectNoToken(testSachet({ showFixtures: false }));
    const users = fixtures.users.map((user) => ({ ...user, active: false }));
    await expectNoToken(testSachet({ fixtures: { ...fixtures, users } }));
    const sachet = testSachet();
    for (const own_key of [true, 'a-key-of-one-sandbox'] as const) {
      const { name } = await sachet.control.create({ own_key });
      await expectNoToken(sachet, `/sandboxes/${name}`);
    }
  });

  test('for the control API, and the admin key is on no page', async () => {
    const sachet = testSachet();
    const { data, text, header } = await openReference(sachet, '', { search: '?document=control' });
    expect(Object.keys(data).sort()).toEqual(['document', 'sandbox', 'scheme', 'server']);
    expect(header).toContain('need the admin key');
    expect(text).not.toContain('eyJ');
    for (const page of [text, (await openReference(sachet)).text]) expect(page).not.toContain(sachet.adminKey);
  });
});

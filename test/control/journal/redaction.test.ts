// No secret gets into what the journal keeps, wherever it stands and however it is written.
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Received } from '../../../src/journal/entry.ts';
import { Redactor } from '../../../src/journal/redaction.ts';
import { nodeHashes } from '../../../src/node/platform.ts';
import { validOrder } from '../../cases/requests.ts';
import { call, type Given, newJournal } from './calls.ts';

const redactor = () => new Redactor(nodeHashes, 'key of a');

/** A secret whose heart is found again in any writing that this test can undo. */
interface Secret {
  readonly whole: string;
  readonly heart: string;
}
const characters = fc.string({
  unit: fc.oneof(fc.constantFrom(...'+/=&?%#:;,. \'"\\{}[]<>é€'), fc.string()),
  maxLength: 6,
});
const secrets: fc.Arbitrary<Secret> = fc
  .tuple(characters, fc.stringMatching(/^[a-z0-9]{12}$/), characters)
  .map(([before, core, after]) => ({ whole: `${before}Q${core}Q${after}`, heart: `Q${core}Q` }));

const escapedIn = (text: string, form: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, index) => form(text.charCodeAt(index))).join('');
const unicode = (text: string): string => escapedIn(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`);
const percent = (text: string): string =>
  escapedIn(text, (code) => (code < 128 ? `%${code.toString(16).padStart(2, '0')}` : encodeURIComponent('é')));
const inUrl = (text: string): string => encodeURIComponent(text);

const jsonName = fc.constantFrom(
  ...['password', 'access_token', 'refresh_token', 'token', 'secret', 'api_key', 'own_key', 'admin_key', 'key'],
  ...[
    'client_secret',
    'Password',
    'newPassword',
    'X-Api-Key',
    'apiKey',
    'private_key',
    'keys',
    'authorization',
    'pass',
  ],
);
const queryName = fc.constantFrom(
  'X-Amz-Signature',
  'access_token',
  'password',
  'key',
  'api_key',
  'TOKEN',
  'user[password]',
);
const headerName = fc.constantFrom(
  ...[
    'authorization',
    'Authorization',
    'cookie',
    'proxy-authorization',
    'set-cookie',
    'x-api-key',
    'x-auth-token',
    'X-Key',
  ],
);

/** Where a secret may stand, and how it may be written there. */
type Carrier = (name: string, secret: string) => string;

const jsonBodies: readonly Carrier[] = [
  (name, secret) => JSON.stringify({ [name]: secret }),
  (name, secret) => JSON.stringify({ [name]: secret }, null, 2),
  (name, secret) => `{"${unicode(name)}":"${unicode(secret)}"}`,
  (name, secret) => JSON.stringify({ ...validOrder, extra: [{ [name]: { deeper: [secret] } }] }),
  (name, secret) => JSON.stringify({ [name]: [1, secret] }),
  (name, secret) => `{"${name}":${JSON.stringify(secret)},"${name}":"x"}`,
  (name, secret) => JSON.stringify([{ note: `${name}=${secret}` }]),
  (name, secret) => JSON.stringify({ payload: JSON.stringify({ [name]: secret }) }),
  (name, secret) =>
    JSON.stringify({ payload: JSON.stringify({ payload: `{"${unicode(name)}":"${unicode(secret)}"}` }) }),
  (name, secret) => JSON.stringify({ [`${name}=${secret}`]: true }),
  (name, secret) => JSON.stringify(`${name}: ${secret}`),
];
const otherBodies: readonly Carrier[] = [
  (name, secret) => `{"username":"demo","${name}":"${secret}`,
  (name, secret) => `{"${name}":${JSON.stringify(secret)}`,
  (name, secret) => `{"${unicode(name)}":"${unicode(secret)}`,
  (name, secret) => `\uFEFF${JSON.stringify({ [name]: secret })}`,
  (name, secret) => `{'${name}': '${secret}'}`,
  (name, secret) => `${name}=${secret}`,
  (name, secret) => `username=demo&${inUrl(name)}=${inUrl(secret)}&x=1`,
  (name, secret) => `username=demo&${percent(name)}=${percent(secret)}`,
  (name, secret) => `a=1;${name}=${inUrl(secret)}`,
  (name, secret) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${secret}\r\n--x--`,
  (name, secret) => `<login><${name}>${secret}</${name}></login>`,
  (name, secret) => escapedIn(`{"${name}":"${secret}"}`, (code) => `${String.fromCharCode(code)}\0`),
  (name, secret) => `${'['.repeat(5000)}{"${name}":${JSON.stringify(secret)}}${']'.repeat(5000)}`,
];
const queries: readonly Carrier[] = [
  (name, secret) => `?${name}=${inUrl(secret)}`,
  (name, secret) => `?limit=5&${inUrl(name)}=${inUrl(secret)}&cursor=x`,
  (name, secret) => `?${percent(name)}=${percent(secret)}`,
  (name, secret) => `?${percent(percent(name))}=${percent(secret)}`,
  (name, secret) => `?next=${inUrl(`http://x/?${name}=${inUrl(secret)}`)}`,
  (name, secret) => `?a=1;${name}=${inUrl(secret)}`,
  (name, secret) => `?a=1&amp;${name}=${inUrl(secret)}`,
  (name, secret) => `?filter=${inUrl(JSON.stringify({ [name]: secret }))}`,
];
const headers: readonly Carrier[] = [
  (_, secret) => secret,
  (_, secret) => `Bearer ${secret}`,
  (_, secret) => `basic  ${Buffer.from(secret).toString('base64')}${secret}`,
  (_, secret) => `session=${secret}; path=/`,
];
const urls: readonly Carrier[] = [
  (name, secret) => `http://localhost/_storage/labels/x.pdf?X-Amz-Date=1&${name}=${inUrl(secret)}`,
  (name, secret) => `/v2/${name}:?${inUrl(secret)}`,
  (name, secret) => `/v2/orders?${name}=${inUrl(secret)}#x`,
  (name, secret) => `https://x/a?b=c&${percent(name)}=${percent(secret)}`,
];

const one = <T>(all: readonly T[]) => fc.constantFrom(...all);
type Told = { readonly given: Partial<Received>; readonly answer?: Given };
const carried = (name: fc.Arbitrary<string>, carriers: readonly Carrier[], told: (text: string) => Told) =>
  fc.record({ name, carrier: one(carriers), secret: secrets }).map(({ name: under, carrier, secret }) => {
    const text = carrier(under, secret.whole);
    return { ...told(text), text, secret };
  });

const calls = fc.oneof(
  carried(jsonName, [...jsonBodies, ...otherBodies], (body) => ({ given: { body } })),
  carried(jsonName, [...jsonBodies, ...otherBodies], (body) => ({ given: {}, answer: { body } })),
  carried(queryName, queries, (query) => ({ given: { query } })),
  carried(queryName, urls, (url) => ({
    given: {},
    answer: { body: JSON.stringify({ fulfillment: { label_url: url } }) },
  })),
  carried(queryName, urls, (referer) => ({ given: { headers: ['referer', referer] } })),
  carried(queryName, urls, (location) => ({ given: {}, answer: { headers: { location } } })),
  fc.record({ name: headerName, carrier: one(headers), secret: secrets }).map(({ name, carrier, secret }) => {
    const text = carrier(name, secret.whole);
    return { given: { headers: [name, text] }, answer: { headers: { [name]: text } }, text, secret };
  }),
);

/** The text with all that this test knows how to write undone. */
function undone(text: string): string {
  let last = text;
  for (;;) {
    const next = last
      .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll('\0', '');
    if (next === last) return next;
    last = next;
  }
}

test('a secret never appears in the entry that is kept', () => {
  fc.assert(
    fc.property(calls, ({ given, answer = {}, text, secret }) => {
      fc.pre(undone(text).includes(secret.heart));
      const entry = call(newJournal(), given, answer);
      const written = JSON.stringify(entry);
      expect(undone(written)).not.toContain(secret.heart);
      expect(written).toMatch(/\[redacted [0-9a-f]{8}\]/);
    }),
    { numRuns: 5000 },
  );
});

test('a long body in which a secret may stand is a tag alone; one in which none does is kept', () => {
  const names = Array.from({ length: 20_000 }, (_, n) => [`name ${n}`, 1]);
  const harmless = JSON.stringify(Object.fromEntries(names));
  expect(redactor().body(harmless)).toBe(harmless);
  expect(redactor().body(harmless.replace('name 7', 'token 7'))).toMatch(/^\[redacted [0-9a-f]{8}\]$/);
});

test('a name of a secret is one however often it is escaped', () => {
  const name = percent(percent(percent('password')));
  expect(redactor().body(JSON.stringify({ [name]: 's3cret' }))).not.toContain('s3cret');
});

test.each([
  ['as it is', (token: string) => token],
  ['its points escaped', (token: string) => token.replaceAll('.', '%2e')],
  ['one letter escaped', (token: string) => token.replace('J', '%4A')],
  ['escaped, and escaped again', (token: string) => percent(percent(token))],
  ['twice, once escaped', (token: string) => `${token} ${percent(token)}`],
])('a JSON Web Token never appears, whatever it stands under: %s', (_, write) => {
  const token = write('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.abcDEF-_123');
  const written = JSON.stringify(
    call(
      newJournal(),
      {
        path: `/v2/orders/${token}`,
        query: `?order_id=${token}`,
        headers: ['x-trace', `call with ${token}, again`],
        body: JSON.stringify({ first_name: token, [token]: 1 }),
      },
      { body: JSON.stringify({ message: `"${token}" is not allowed` }), headers: { 'x-echo': token } },
    ),
  );
  expect(undone(written)).not.toMatch(/eyJ|abcDEF/);
});

describe('a tag', () => {
  test('is the same for equal secrets, wherever they stand and however they are written', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9 +/=é€-]{1,40}$/).filter((text) => text.trim() === text),
        (secret) => {
          const one = redactor();
          const tag = one.tag(secret);
          expect(one.header('authorization', `Bearer ${secret}`)).toBe(`Bearer ${tag}`);
          expect(one.header('x-api-key', secret)).toBe(tag);
          expect(one.query(`?limit=5&access_token=${inUrl(secret)}`)).toBe(`?limit=5&access_token=${tag}`);
          expect(one.query(`?key=${inUrl(secret).replaceAll('%20', '+')}`)).toBe(`?key=${tag}`);
          expect(one.body(`{"access_token":"${unicode(secret)}"}`)).toBe(`{"access_token":"${tag}"}`);
          expect(one.body(JSON.stringify({ url: `http://x/?key=${inUrl(secret)}` }))).toBe(
            `{"url":"http://x/?key=${tag}"}`,
          );
        },
      ),
    );
  });

  test('of a label URL is the same in the answer, in a list and in the call that uses it', () => {
    const signature = '0123456789abcdef'.repeat(4);
    const url = (value: string) => `http://x/_storage/labels/a.pdf?X-Amz-Expires=900&X-Amz-Signature=${value}`;
    const one = redactor();
    const tag = '[redacted 01234567]';
    const shown = url(tag);
    expect(one.body(JSON.stringify({ label_url: url(signature) }))).toBe(JSON.stringify({ label_url: shown }));
    expect(one.body(JSON.stringify({ label_url: url(signature), name: 'Turkey' }))).toBe(
      JSON.stringify({ label_url: shown, name: 'Turkey' }),
    );
    const pretty = JSON.stringify({ label_url: url(signature) }, null, 2);
    expect(one.body(pretty)).toBe(pretty.replace(signature, tag));
    expect(one.query(`?X-Amz-Expires=900&X-Amz-Signature=${signature}`)).toBe(shown.slice(shown.indexOf('?')));
  });

  test('differs between secrets, and for one secret between sandboxes', () => {
    fc.assert(
      fc.property(secrets, secrets, (a, b) => {
        fc.pre(a.whole !== b.whole);
        const [here, there] = [redactor(), new Redactor(nodeHashes, 'key of b')];
        expect(here.tag(a.whole)).not.toBe(here.tag(b.whole));
        expect(here.tag(a.whole)).not.toBe(there.tag(a.whole));
      }),
    );
  });

  test('differs between secrets that are no strings', () => {
    const shown = [{ a: 1 }, { a: 2 }, [1], 1, true].map((key) => redactor().body(JSON.stringify({ key })));
    expect(new Set(shown).size).toBe(5);
  });

  test('is the same after more secrets than are remembered', () => {
    const hmac = vi.fn(nodeHashes.hmac);
    const one = new Redactor({ ...nodeHashes, hmac }, 'key');
    const tag = one.tag('first');
    for (let index = 0; index < 1000; index += 1) one.tag(`secret ${index}`);
    expect(one.tag('first')).toBe(tag);
    expect(hmac).toHaveBeenCalledTimes(1002);
  });

  test('costs no further hash for the token of the last call', () => {
    const hmac = vi.fn(nodeHashes.hmac);
    const one = new Redactor({ ...nodeHashes, hmac }, 'key');
    for (let index = 0; index < 10; index += 1) one.header('authorization', 'Bearer abc');
    expect(hmac).toHaveBeenCalledTimes(1);
  });
});

describe('what holds no secret', () => {
  test.each([
    JSON.stringify(validOrder),
    JSON.stringify(validOrder, null, 2),
    '{"duration":1e400,"weight":9007199254740993}',
    '{"order":{"id":"x","status":"Pending"}}',
    '{"limit": ',
    'first_name=Ada&last_name=Lovelace',
    '',
  ])('stays as it came: %s', (body) => {
    expect(redactor().body(body)).toBe(body);
  });

  test('stays in a careful look, too', () => {
    const one = redactor();
    expect(
      one.body('{"name":"Turkey \\u00e9","note":"my password is required","keyboard":"x","token":null,"pass":""}'),
    ).toBe('{"name":"Turkey é","note":"my password is required","keyboard":"x","token":null,"pass":""}');
    expect(one.query('?limit=5&cursor=a%2Bkey')).toBe('?limit=5&cursor=a%2Bkey');
    expect(one.text('/v2/authentication/refresh-token')).toBe('/v2/authentication/refresh-token');
    expect(one.header('user-agent', 'Mozilla/5.0 (KHTML, like Gecko) keyring')).toContain('keyring');
  });

  test('any JSON stays JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const kept: unknown = JSON.parse(redactor().body(text));
        expect(typeof kept).toBe(typeof JSON.parse(text));
      }),
    );
  });

  test('stands beside a secret: the rest of a body is still to be read', () => {
    expect(redactor().body('{"username":"demo","password":"p"}')).toMatch(
      /^\{"username":"demo","password":"\[redacted [0-9a-f]{8}\]"\}$/,
    );
    expect(redactor().body('{"username":"demo","password":"p')).toMatch(
      /^\{"username":"demo","pass\[redacted [0-9a-f]{8}\]$/,
    );
  });
});

test.each([
  'key',
  'key ',
  '"password":',
  'bearer ',
  'eyJ',
  'eyJa.',
  '\\u0041',
  '\\',
  '\\\\x',
  '%25',
  '%41',
  'a=1&',
  'token=?',
  'X-Amz-Signature=',
  'X-Amz-Signature=0123456789abcdef',
  '[',
  '{"a":',
])('a long run of %j is read in one pass: what takes quadratic time never ends here', (unit) => {
  const text = unit.repeat(Math.floor(200_000 / unit.length));
  const one = redactor();
  for (const written of [text, `"${text}"`, `key=${text}`, `${text}password=x`]) {
    one.body(written);
    one.query(written);
    one.text(written);
    one.header('x', written);
  }
});

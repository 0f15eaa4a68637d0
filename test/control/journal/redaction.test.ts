// The journal keeps no secret, wherever it is in a call and however it is written.
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Received } from '../../../src/journal/entry.ts';
import { Redactor } from '../../../src/journal/redaction.ts';
import { nodeHashes } from '../../../src/node/platform.ts';
import { validOrder } from '../../cases/requests.ts';
import { call, type Given, newJournal } from './calls.ts';

const redactor = () => new Redactor(nodeHashes, 'key of a');

/** A secret with a core that is recognizable in every encoding that this test can undo. */
interface Secret {
  readonly whole: string;
  readonly core: string;
}
const characters = fc.string({
  unit: fc.oneof(fc.constantFrom(...'+/=&?%#:;,. \'"\\{}[]<>é€'), fc.string()),
  maxLength: 6,
});
const secrets: fc.Arbitrary<Secret> = fc
  .tuple(characters, fc.stringMatching(/^[a-z0-9]{12}$/), characters)
  .map(([before, letters, after]) => ({ whole: `${before}Q${letters}Q${after}`, core: `Q${letters}Q` }));

const escapedIn = (text: string, form: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, index) => form(text.charCodeAt(index))).join('');
const unicode = (text: string): string => escapedIn(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`);
const percent = (text: string): string =>
  escapedIn(text, (code) => (code < 128 ? `%${code.toString(16).padStart(2, '0')}` : encodeURIComponent('é')));
const inUrl = (text: string): string => encodeURIComponent(text);

const jsonName = fc.constantFrom(
  ...['password', 'access_token', 'refresh_token', 'token', 'secret', 'api_key', 'own_key', 'admin_key', 'key', 'pass'],
  ...['client_secret', 'Password', 'newPassword', 'X-Api-Key', 'apiKey', 'private_key', 'keys', 'authorization'],
);
const queryName = fc.constantFrom(
  ...['X-Amz-Signature', 'access_token', 'password', 'key', 'api_key', 'TOKEN', 'user[password]'],
);
const headerName = fc.constantFrom(
  ...['authorization', 'Authorization', 'cookie', 'proxy-authorization', 'set-cookie', 'x-api-key', 'x-auth-token'],
);

/** A text that contains a secret. */
type Carrier = (name: string, secret: string) => string;

const jsonBodies: readonly Carrier[] = [
  (name, secret) => JSON.stringify({ [name]: secret }),
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
  (name, secret) => `${name}=${secret}`,
  (name, secret) => `username=demo&${inUrl(name)}=${inUrl(secret)}&x=1`,
  (name, secret) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${secret}\r\n--x--`,
  (name, secret) => `<login><${name}>${secret}</${name}></login>`,
  (name, secret) => escapedIn(`{"${name}":"${secret}"}`, (code) => `${String.fromCharCode(code)}\0`),
  (name, secret) => `${'['.repeat(5000)}{"${name}":${JSON.stringify(secret)}}${']'.repeat(5000)}`,
];
const queries: readonly Carrier[] = [
  (name, secret) => `?limit=5&${inUrl(name)}=${inUrl(secret)}&cursor=x`,
  (name, secret) => `?${percent(percent(name))}=${percent(secret)}`,
  (name, secret) => `?next=${inUrl(`http://x/?${name}=${inUrl(secret)}`)}`,
  (name, secret) => `?a=1;${name}=${inUrl(secret)}`,
  (name, secret) => `?a=1&amp;${name}=${inUrl(secret)}`,
  (name, secret) => `?filter=${inUrl(JSON.stringify({ [name]: secret }))}`,
];
const headers: readonly Carrier[] = [
  (_, secret) => `Bearer ${secret}`,
  (_, secret) => `basic  ${Buffer.from(secret).toString('base64')}${secret}`,
  (_, secret) => `session=${secret}; path=/`,
];
const urls: readonly Carrier[] = [
  (name, secret) => `http://localhost/_storage/labels/x.pdf?X-Amz-Date=1&${name}=${inUrl(secret)}`,
  (name, secret) => `/v2/${name}:?${inUrl(secret)}`,
  (name, secret) => `https://x/a?b=c&${percent(name)}=${percent(secret)}`,
];

type Carried = { readonly request: Partial<Received>; readonly response?: Given };
type CallOf = (text: string, name: string) => Carried;
const carried = (names: fc.Arbitrary<string>, carriers: readonly Carrier[], callOf: CallOf) =>
  fc.tuple(names, fc.constantFrom(...carriers), secrets).map(([name, carrier, secret]) => {
    const text = carrier(name, secret.whole);
    return { ...callOf(text, name), text, secret };
  });

const calls = fc.oneof(
  carried(jsonName, [...jsonBodies, ...otherBodies], (body) => ({ request: { body } })),
  carried(jsonName, [...jsonBodies, ...otherBodies], (body) => ({ request: {}, response: { body } })),
  carried(queryName, queries, (query) => ({ request: { query } })),
  carried(queryName, urls, (label_url) => ({
    request: {},
    response: { body: JSON.stringify({ fulfillment: { label_url } }) },
  })),
  carried(queryName, urls, (url) => ({
    request: { headers: ['referer', url] },
    response: { headers: { location: url } },
  })),
  carried(headerName, headers, (text, name) => ({
    request: { headers: [name, text] },
    response: { headers: { [name]: text } },
  })),
);

/** The text without the encodings that this test writes. */
function decoded(text: string): string {
  for (let last = text; ; ) {
    const next = last
      .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll('\0', '');
    if (next === last) return next;
    last = next;
  }
}

test('a secret is never in the entry that is kept', () => {
  const property = fc.property(calls, ({ request, response = {}, text, secret }) => {
    fc.pre(decoded(text).includes(secret.core));
    const written = JSON.stringify(call(newJournal(), request, response));
    expect(decoded(written)).not.toContain(secret.core);
    expect(written).toMatch(/\[redacted [0-9a-f]{8}\]/);
  });
  fc.assert(property, { numRuns: 1000 });
});

test('a long body with a secret is a tag alone; one without is kept', () => {
  const names = Array.from({ length: 20_000 }, (_, n) => [`name ${n}`, 1]);
  const harmless = JSON.stringify(Object.fromEntries(names));
  expect(redactor().body(harmless)).toBe(harmless);
  expect(redactor().body(harmless.replace('name 7', 'token 7'))).toMatch(/^\[redacted [0-9a-f]{8}\]$/);
});

test('a JSON Web Token is never kept, wherever it is', () => {
  const whole = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.abcDEF-_123';
  const escaped = [whole.replaceAll('.', '%2e'), whole.replace('J', '%4A'), percent(percent(whole))];
  for (const token of [whole, ...escaped, `x${whole}x`, `${whole} ${percent(whole)}`]) {
    const entry = call(
      newJournal(),
      {
        path: `/v2/orders/${token}`,
        query: `?order_id=${token}`,
        headers: ['x-trace', `call with ${token}, again`],
        body: JSON.stringify({ first_name: token, [token]: 1 }),
      },
      { body: JSON.stringify({ message: `"${token}" is not allowed` }), headers: { 'x-echo': token } },
    );
    expect(decoded(JSON.stringify(entry)), token).not.toMatch(/eyJ|abcDEF/);
    expect(decoded(redactor().body(`order_id=${token}&limit=5`)), token).not.toMatch(/eyJ|abcDEF/);
  }
});

describe('a tag', () => {
  test('is the same for equal secrets, wherever they are and however they are written', () => {
    const trimmed = fc.stringMatching(/^[A-Za-z0-9 +/=é€-]{1,40}$/).filter((text) => text.trim() === text);
    const property = fc.property(trimmed, (secret) => {
      const one = redactor();
      const tag = one.tag(secret);
      expect(one.header('authorization', `Bearer ${secret}`)).toBe(`Bearer ${tag}`);
      expect(one.header('x-api-key', secret)).toBe(tag);
      expect(one.query(`?limit=5&access_token=${inUrl(secret)}`)).toBe(`?limit=5&access_token=${tag}`);
      expect(one.query(`?key=${inUrl(secret).replaceAll('%20', '+')}`)).toBe(`?key=${tag}`);
      expect(one.body(`{"access_token":"${unicode(secret)}"}`)).toBe(`{"access_token":"${tag}"}`);
      const url = (value: string) => JSON.stringify({ url: `http://x/?key=${value}` });
      expect(one.body(url(inUrl(secret)))).toBe(url(tag));
    });
    fc.assert(property);
  });

  test('of a label URL is the same in a response, in a list and in the call that uses it', () => {
    const signature = '0123456789abcdef'.repeat(4);
    const url = (value: string) => `http://x/_storage/labels/a.pdf?X-Amz-Expires=900&X-Amz-Signature=${value}`;
    const [one, shown] = [redactor(), url('[redacted 01234567]')];
    for (const more of [{}, { name: 'Turkey' }]) {
      const bodyOf = (label_url: string) => JSON.stringify({ label_url, ...more });
      expect(one.body(bodyOf(url(signature)))).toBe(bodyOf(shown));
    }
    const pretty = JSON.stringify({ label_url: url(signature) }, null, 2);
    expect(one.body(pretty)).toBe(pretty.replace(signature, '[redacted 01234567]'));
    expect(one.query(`?X-Amz-Expires=900&X-Amz-Signature=${signature}`)).toBe(shown.slice(shown.indexOf('?')));
  });

  test('differs between secrets, and with the key of the sandbox', () => {
    const tags = [{ a: 1 }, { a: 2 }, [1], 1, true, '1 '].map((key) => redactor().body(JSON.stringify({ key })));
    tags.push(new Redactor(nodeHashes, 'key of b').body('{"key":1}'));
    expect(new Set(tags).size).toBe(7);
  });

  test('costs one hash per secret while that is remembered, and is the same afterwards', () => {
    const hmac = vi.fn(nodeHashes.hmac);
    const one = new Redactor({ ...nodeHashes, hmac }, 'key');
    const tag = one.tag('first');
    for (let index = 0; index < 10; index += 1) one.header('authorization', 'Bearer first');
    expect(hmac).toHaveBeenCalledTimes(1);
    for (let index = 0; index < 1000; index += 1) one.tag(`secret ${index}`);
    expect(one.tag('first')).toBe(tag);
    expect(hmac).toHaveBeenCalledTimes(1002);
  });
});

test('a text without a secret is kept as it is, also beside a secret', () => {
  const one = redactor();
  for (const body of [
    ...[JSON.stringify(validOrder), JSON.stringify(validOrder, null, 2), '{"limit": ', ''],
    ...['{"duration":1e400,"weight":9007199254740993}', 'first_name=Ada&last_name=Lovelace'],
  ])
    expect(one.body(body)).toBe(body);
  const similar = (e: string) =>
    `{"name":"Turkey ${e}","note":"my password is required","keyboard":"x","token":null,"pass":""}`;
  expect(one.body(similar('\\u00e9'))).toBe(similar('é'));
  expect(one.query('?limit=5&cursor=a%2Bkey')).toBe('?limit=5&cursor=a%2Bkey');
  expect(one.text('/v2/authentication/refresh-token')).toBe('/v2/authentication/refresh-token');
  expect(one.header('user-agent', 'Mozilla/5.0 (KHTML, like Gecko) keyring')).toContain('keyring');
  const tagged = (text: string) => one.body(text).replace(/\[redacted [0-9a-f]{8}\]/, 'TAG');
  expect(tagged('{"username":"demo","password":"p"}')).toBe('{"username":"demo","password":"TAG"}');
  expect(tagged('{"username":"demo","password":"p')).toBe('{"username":"demo","passTAG');
  const isStillJson = fc.property(fc.json(), (text) => {
    const kept: unknown = JSON.parse(redactor().body(text));
    expect(typeof kept).toBe(typeof JSON.parse(text));
  });
  fc.assert(isStillJson);
});

// A pattern that takes quadratic time never ends here.
test('long runs of any unit are read in one pass', () => {
  const units = [
    ...[
      'key',
      '"password":',
      'bearer ',
      'eyJ',
      'eyJa.',
      'aeyJ.',
      '\\u0041',
      '\\',
      '\\\\x',
      '%25',
      '%41',
      'a=1&',
      'token=?',
    ],
    ...['X-Amz-Signature=', 'X-Amz-Signature=0123456789abcdef', '[', '{"a":'],
  ];
  const one = redactor();
  for (const unit of units) {
    const text = unit.repeat(Math.floor(50_000 / unit.length));
    for (const written of [text, `"${text}"`, `key=${text}`, `${text}password=x`]) {
      one.body(written);
      one.query(written);
      one.text(written);
      one.header('x', written);
    }
  }
});

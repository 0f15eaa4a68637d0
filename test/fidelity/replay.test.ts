// The calls of a recording, as they are sent again, and what counts as a difference of two answers.
import { describe, expect, test } from 'vitest';
import { AnswerComparison, differencesOf } from '../../src/fidelity/difference.ts';
import { headersOf, type RecordedCall } from '../../src/fidelity/recorded-call.ts';
import { Correlation, planReplay } from '../../src/fidelity/replay.ts';

const [one, two, three] = ['1', '2', '3'].map((digit) => `${digit}0000000-1111-4111-8111-111111111111`) as [
  string,
  string,
  string,
];
const tag = '[redacted 1f2e3d4c]';

type Parts = Partial<RecordedCall> & { readonly token?: string; readonly answer?: unknown; readonly sent?: unknown };
const recorded = ({ token, answer, sent, ...parts }: Parts): RecordedCall => ({
  ...{ at: 0, method: 'GET', baseUrl: 'https://api.example.com', path: '/v2/products', query: '', status: 200 },
  requestHeaders: headersOf(token === undefined ? [] : [['authorization', `Bearer ${token}`]]),
  requestBody: sent === undefined ? null : JSON.stringify(sent),
  responseHeaders: headersOf([['content-type', 'application/json']]),
  responseBody: JSON.stringify(answer ?? {}),
  ...parts,
});
const login = (access_token: string, refresh_token = 'r') =>
  recorded({
    ...{ method: 'POST', path: '/v2/authentication/token', sent: { username: 'me', password: 'secret' } },
    answer: { access_token, refresh_token, expires_in: 86_400 },
  });

test('differencesOf gives every place, missing ones as undefined', () => {
  expect(differencesOf({ a: [1, { b: 2 }], c: null }, { a: [1, { b: 3 }, 4], c: null })).toEqual([
    { path: 'a.1.b', one: 2, other: 3 },
    { path: 'a.2', one: undefined, other: 4 },
  ]);
  expect(differencesOf([], {})).toEqual([{ path: '', one: [], other: {} }]);
  expect(differencesOf('x', 'x')).toEqual([]);
});

describe('a plan', () => {
  const authorizations = (calls: readonly RecordedCall[]) =>
    planReplay(calls, true).calls.map(({ path, requestHeaders }) => [path, requestHeaders.get('authorization')]);

  test('leaves out what cannot be sent, and writes unless they are allowed', () => {
    const order = recorded({ method: 'POST', path: '/v2/orders', sent: {}, token: 'a.b.c', status: 422 });
    const others = [
      recorded({ path: '/health' }),
      recorded({ method: 'OPTIONS' }),
      { ...order, requestBody: undefined },
    ];
    const { calls, leftOut } = planReplay([login('a.b.c'), order, ...others], false);
    expect(calls.map(({ path }) => path)).toEqual(['/v2/authentication/token']);
    expect(Object.values(leftOut)).toEqual([1, 1, 1, 1]);
    expect(planReplay([order], true).calls.at(-1)).toEqual(expect.objectContaining({ path: '/v2/orders' }));
  });

  test('begins with a login of its own for tokens without one, and for a header that the recorder left out', () => {
    const own = 'Bearer eyJ.own.access';
    for (const call of [recorded({ token: tag }), recorded({ token: 'eyJa.b.c' }), recorded({})])
      expect(authorizations([call])).toEqual([
        ['/v2/authentication/token', undefined],
        ['/v2/products', own],
      ]);
  });

  test('keeps the tokens of recorded logins, malformed and missing ones', () => {
    const calls = [
      login(tag),
      recorded({ token: tag }),
      recorded({ token: 'x', status: 401 }),
      recorded({ status: 401 }),
    ];
    expect(authorizations(calls).slice(1)).toEqual([
      ['/v2/products', `Bearer ${tag}`],
      ['/v2/products', 'Bearer x'],
      ['/v2/products', undefined],
    ]);
  });
});

describe('a request to another service', () => {
  const credentials = { username: 'you', password: 'other' };

  test('has its login, its token, its ids and its cursors', () => {
    const correlation = new Correlation(() => credentials);
    expect(JSON.parse(correlation.requestFor(login('a.b.c')).body ?? '')).toEqual(credentials);
    correlation.add(login('a.b.c'), login('d.e.f'));
    const page = (id: string, next: object) => recorded({ answer: { orders: [{ id }], ...next } });
    correlation.add(page(one, { next_cursor: 'c1' }), page(two, { meta: { next_cursor: 'c+2' } }));
    const call = recorded({ path: `/v2/orders/${one}`, query: '?cursor=c1&limit=01', token: 'a.b.c' });
    expect(correlation.requestFor(call)).toEqual({
      ...{ method: 'GET', target: `/v2/orders/${two}?cursor=c%2B2&limit=01`, body: null },
      headers: { authorization: 'Bearer d.e.f' },
    });
  });

  test('keeps the ids that the service has, too, in whatever order, and odd JSON', () => {
    const correlation = new Correlation(() => undefined, new Set([three]));
    const list = (...ids: string[]) => recorded({ answer: { orders: ids.map((id) => ({ id })) } });
    correlation.add(list(one, three), list(two, one));
    for (const id of [one, three])
      expect(correlation.requestFor(recorded({ path: `/v2/orders/${id}` })).target).toBe(`/v2/orders/${id}`);
    const odd = recorded({ method: 'POST', path: '/v2/orders', requestBody: '{"a":1, "a":2e0}' });
    expect(correlation.requestFor(odd).body).toBe('{"a":1, "a":2e0}');
  });
});

describe('two answers', () => {
  const pathsOf = (
    worlds: Partial<ConstructorParameters<typeof AnswerComparison>[0]>,
    ...pairs: (readonly [unknown, unknown])[]
  ) => {
    const comparison = new AnswerComparison({ fixtureIds: new Set(), isSameData: true, ...worlds });
    return pairs.map(([target, sandbox]) =>
      comparison
        .differences('GET', recorded({ answer: target }), recorded({ answer: sandbox }))
        .map(({ path }) => path),
    );
  };

  test('may differ in ids, but not in their relations', () => {
    expect(pathsOf({}, [{ id: one }, { id: two }], [{ id: one }, { id: two }])).toEqual([[], []]);
    expect(pathsOf({}, [{ id: one }, { id: two }], [{ id: one }, { id: three }])).toEqual([[], ['body.id']]);
    expect(pathsOf({}, [{ id: one }, { id: two }], [{ id: three }, { id: two }])).toEqual([[], ['body.id']]);
    expect(pathsOf({ fixtureIds: new Set([one]) }, [{ id: one }, { id: two }])).toEqual([['body.id']]);
  });

  test('may differ in values of the same kind', () => {
    const signed = (host: string, signature: string, seconds = 900) =>
      `https://${host}/label.pdf?X-Amz-Expires=${seconds}&X-Amz-Signature=${signature.repeat(64)}`;
    const values = (time: string, token: string, url: string) => ({ time, access_token: token, url });
    const target = values('2026-01-01T00:00:00.000Z', 'a.b.c', signed('a', '1'));
    expect(pathsOf({}, [target, values('2027-01-01T00:00:00.000Z', 'd.e.f', signed('b', '2'))])).toEqual([[]]);
    expect(pathsOf({}, [target, values('yesterday', 'd.e.f', signed('b', '2', 60))])).toEqual([
      ['body.time', 'body.url'],
    ]);
  });

  test('of data of their own are compared by their form', () => {
    const isSameData = false;
    const record = { id: one, name: 'Blue', weight: 7, at: null, lines: [{ name: 'x' }] };
    const other = { id: two, name: 'Red', weight: 8, at: 'x', lines: [] };
    expect(pathsOf({ isSameData }, [record, other], [record, { ...other, weight: '8' }])).toEqual([
      [],
      ['body.weight'],
    ]);
    expect(pathsOf({ isSameData }, [{ ...record, more: 1 }, other])).toEqual([['body.more']]);
    expect(pathsOf({ isSameData }, [record, { ...record, name: 'Red' }])).toEqual([['body.name']]);
  });

  test('differ in status, message and the headers that matter', () => {
    const comparison = new AnswerComparison({ fixtureIds: new Set(), isSameData: true });
    const answer = (status: number, message: string, ...headers: [string, string][]) =>
      recorded({ status, answer: { message }, responseHeaders: headersOf([...headers, ['sandbox-rule', message]]) });
    const found = comparison.differences(
      'POST',
      answer(401, 'Token expired', ['www-authenticate', 'Bearer']),
      answer(400, 'Invalid token', ['date', 'today']),
    );
    expect(found.map(({ path }) => path)).toEqual(['status', 'headers.www-authenticate', 'body.message']);
  });
});

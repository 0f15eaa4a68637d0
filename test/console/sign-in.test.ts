// Who may look through the console, and bend: the guards of the control API stand before it, too.
import { describe, expect, test } from 'vitest';
import type { Answered } from '../../src/http/dependencies.ts';
import { consoleOf } from '../support/console.ts';
import { testSachet } from '../support/sachet.ts';

const guarded = [
  ['GET', '/_console/_top/stage'],
  ['GET', '/_console/_content/stage/requests'],
  ['GET', '/_console/_content/stage/start'],
  ['GET', '/_console/_live/stage'],
  ['POST', '/_console/_do/stage/switches.clear'],
  ['POST', '/_console/_do/stage/sandboxes.reset'],
  ['POST', '/_console/_order/stage'],
] as const;

describe.each(guarded)('%s %s', (method, path) => {
  test.each([
    ['no key', {}],
    ['a wrong key', { authorization: 'Bearer wrong' }],
    ['the key in the query', {}, '?key='],
  ])('with %s is 401, and nothing is told or done', async (_, headers, query = '') => {
    const sachet = testSachet();
    const before = (await sachet.sandbox()).version;
    const answer = await sachet.call(method, path + query + (query && sachet.adminKey), { headers });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(answer.text).not.toContain('demo');
    expect((await sachet.sandbox()).version).toBe(before);
  });

  test('from a page of another site is 403', async () => {
    const sachet = testSachet();
    const headers = { authorization: `Bearer ${sachet.adminKey}`, origin: 'https://elsewhere.example' };
    expect((await sachet.call(method, path, { headers })).status).toBe(403);
  });
});

test('under a host that is not known there is no shell, either', async () => {
  const { status, text } = await testSachet().call('GET', '/_console/stage/requests', {
    headers: { host: 'elsewhere.example' },
  });
  expect([status, text]).toEqual([403, expect.stringContaining('does not accept the host')]);
});

describe('the own key of a sandbox', () => {
  async function withOwnKey() {
    const sachet = testSachet();
    const { key } = await sachet.control.create({ name: 'acme', own_key: true });
    return { sachet, key: key ?? '' };
  }

  test('opens that sandbox, and tells of no other', async () => {
    const { sachet, key } = await withOwnKey();
    const seen = await consoleOf(sachet, 'acme', key).get('_top/acme');
    expect([seen.status, seen.html.match(/<option/g)]).toEqual([200, ['<option']]);
    expect((await consoleOf(sachet, 'acme').get('_top/acme')).html.match(/<option/g)).toHaveLength(3);
  });

  test('opens no other', async () => {
    const { sachet, key } = await withOwnKey();
    expect((await consoleOf(sachet, 'stage', key).see('requests')).status).toBe(401);
  });
});

test('a sandbox that there is none of is told of, to whoever has the key', async () => {
  const seen = await consoleOf(testSachet(), 'nowhere').see('requests');
  expect([seen.status, seen.text]).toEqual([404, expect.stringContaining('There is no sandbox "nowhere"')]);
});

test('the log has what is done and what is refused, and no looks', async () => {
  const lines: Answered[] = [];
  const sachet = testSachet({ log: (line) => lines.push(line) });
  const seen = consoleOf(sachet);
  await seen.see('requests');
  await seen.get('_top/stage');
  await seen.act('switches.clear');
  await seen.see('nothing');
  expect(lines.map(({ method, path, status, sandbox }) => [method, path, status, sandbox])).toEqual([
    ['POST', '/_console/_do/stage/switches.clear', 200, 'stage'],
    ['GET', '/_console/_content/stage/nothing', 404, 'stage'],
  ]);
});

describe('what a form asks for', () => {
  test('is done by the control API, and said', async () => {
    const sachet = testSachet();
    const seen = consoleOf(sachet);
    const done = await seen.act('switches.set', { 'rate_limit.burst:number': '2', _done: 'Rate <limit> set' });
    expect([done.status, done.text, done.headers.get('hx-trigger')]).toEqual([200, 'Rate <limit> set.', 'changed']);
    const { rate_limit } = await sachet.control.sandbox('stage').switches.get();
    expect(rate_limit).toMatchObject({ burst: 2, remaining: 2 });
  });

  test('is refused as the control API refuses it, with the field', async () => {
    const seen = consoleOf(testSachet());
    const refused = await seen.act('switches.set', { 'rate_limit.burst:number': 'many' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('rate_limit.burst')]);
    expect(refused.html).toContain('role="alert"');
  });

  test.each([
    'nothing.at_all',
    'constructor',
    'events.follow',
    'records.orders.get',
    'sandboxes.create',
    'sandboxes.list',
  ])('does nothing: %s', async (operation) => {
    expect((await consoleOf(testSachet()).act(operation)).status).toBe(404);
  });

  test('is at most so long', async () => {
    const refused = await consoleOf(testSachet()).act('switches.set', { x: 'a'.repeat(3_000_000) });
    expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('A form has at most')]);
  });
});

// Who may see and change a sandbox in the console, and what its forms may do.
import { expect, test } from 'vitest';
import type { Answered } from '../../src/http/dependencies.ts';
import { testSachet } from '../support/sachet.ts';
import { consoleOf } from './console.ts';

test.each([
  ['without a key', 401, () => ({})],
  ['with a wrong key', 401, () => ({ authorization: 'Bearer wrong' })],
  ['with the key in the query', 401, () => ({}), (key: string) => `?key=${key}`],
  [
    'from a page of another site',
    403,
    (key: string) => ({ authorization: `Bearer ${key}`, origin: 'https://elsewhere.example' }),
  ],
])('%s, the console shows and does nothing: %d', async (_, expected, headersOf, queryOf = (_key: string) => '') => {
  const sachet = testSachet();
  const { version } = await sachet.sandbox();
  const reads = ['_top/stage', '_content/stage/requests', '_content/stage/start', '_live/stage'];
  const writes = ['_do/stage/switches.clear', '_do/stage/sandboxes.reset', '_order/stage'];
  for (const path of [...reads, ...writes]) {
    const headers = headersOf(sachet.adminKey);
    const method = writes.includes(path) ? 'POST' : 'GET';
    const response = await sachet.call(method, `/_console/${path}${queryOf(sachet.adminKey)}`, { headers });
    expect(response.status, path).toBe(expected);
    expect(response.headers.get('www-authenticate'), path).toBe(expected === 401 ? 'Bearer' : null);
    expect(response.text, path).not.toContain('demo');
  }
  expect((await sachet.sandbox()).version).toBe(version);
});

test('the admin key lists 200 sandboxes, the own key of one opens and lists it alone; a missing one is reported', async () => {
  const sachet = testSachet();
  const { key } = await sachet.control.create({ name: 'acme', own_key: true });
  const own = await consoleOf(sachet, 'acme', key ?? '').get('_top/acme');
  expect([own.status, own.html.match(/<option/g)]).toEqual([200, ['<option']]);
  expect((await consoleOf(sachet, 'acme').get('_top/acme')).html.match(/<option/g)).toHaveLength(3);
  for (let n = 0; n < 205; n += 1) await sachet.control.create({ name: `w${n}` });
  // The 200 used last.
  expect((await consoleOf(sachet).get('_top/stage')).html.match(/<option/g)).toHaveLength(200);
  expect((await consoleOf(sachet, 'stage', key ?? '').see('requests')).status).toBe(401);
  const missing = await consoleOf(sachet, 'nowhere').see('requests');
  expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('"nowhere"')]);
});

test('the log has actions and rejections, not reads', async () => {
  const lines: Answered[] = [];
  const seen = consoleOf(testSachet({ log: (line) => lines.push(line) }));
  await seen.see('requests');
  await seen.get('_top/stage');
  await seen.act('switches.clear');
  await seen.see('nothing');
  expect(lines.map(({ method, path, status, sandbox }) => [method, path, status, sandbox])).toEqual([
    ['POST', '/_console/_do/stage/switches.clear', 200, 'stage'],
    ['GET', '/_console/_content/stage/nothing', 404, 'stage'],
  ]);
});

test('a form runs an operation of the control API, and shows its message or its error', async () => {
  const sachet = testSachet();
  const seen = consoleOf(sachet);
  const done = await seen.act('switches.set', { 'rate_limit.burst:number': '2', _done: 'Rate <limit> set' });
  expect([done.status, done.text, done.headers.get('hx-trigger')]).toEqual([200, 'Rate <limit> set.', 'changed']);
  expect((await sachet.control.sandbox('stage').switches.get()).rate_limit).toMatchObject({ burst: 2, remaining: 2 });
  const rejected = await seen.act('switches.set', { 'rate_limit.burst:number': 'many' });
  expect([rejected.status, rejected.text]).toEqual([422, expect.stringContaining('rate_limit.burst')]);
  expect(rejected.html).toContain('role="alert"');
});

test('a form runs no other operation, and a form that is too large is rejected', async () => {
  const seen = consoleOf(testSachet());
  for (const operation of ['nothing.at_all', 'constructor', 'events.follow', 'records.orders.get', 'sandboxes.create'])
    expect((await seen.act(operation)).status, operation).toBe(404);
  expect((await seen.act('switches.set', { x: 'a'.repeat(3_000_000) })).status).toBe(413);
});

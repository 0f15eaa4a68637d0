// The fields of a form as the JSON body of an operation of the control API, and which operations a form runs.
import { expect, test } from 'vitest';
import { bodyOf } from '../../src/console/form-body.ts';
import { testSachet } from '../support/sachet.ts';
import { consoleOf } from './console.ts';

const parse = (form: string): unknown => bodyOf(new URLSearchParams(form));
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test.each<[topic: string, bodies: Record<string, object>]>([
  [
    'names are paths',
    {
      '': {},
      'a=5': { a: '5' },
      'a.b=1&a.c.d=2': { a: { b: '1', c: { d: '2' } } },
      [`${'a.'.repeat(15)}a=`]: {},
      '_done=Done&a=1': { a: '1' },
      'a:json={"b":1}&a.c=2': { a: { b: 1, c: '2' } },
      'a:json={}&a.b:number=2': { a: { b: 2 } },
      'a.b:number=2&a:json={}': { a: { b: 2 } },
    },
  ],
  [
    'numbers and lists',
    {
      'a:number=3': { a: 3 },
      'a:number=': {},
      'a:number=much': { a: 'much' },
      'a:number=Infinity': { a: 'Infinity' },
      'a:number= ': { a: ' ' },
      'ids:list=1&ids:list=2': { ids: ['1', '2'] },
      'ids:list=1, 2\n3': { ids: ['1', '2', '3'] },
    },
  ],
  [
    'JSON',
    {
      'a:json=true': { a: true },
      'a:json=null': { a: null },
      'a:json={"b":[1]}': { a: { b: [1] } },
      'a:json={': { a: '{' },
      [`a:json=${nested(64)}`]: { a: JSON.parse(nested(64)) },
      [`a:json=${nested(65)}`]: { a: nested(65) },
      'a:json={"__proto__":1}': { a: '{"__proto__":1}' },
    },
  ],
])('%s', (_, bodies) => {
  for (const [form, body] of Object.entries(bodies)) expect(parse(form), form).toEqual(body);
});

test('a field that no form has is rejected, as are more than 1000; no prototype is changed', () => {
  const names = ['x.__proto__.polluted', 'constructor.prototype.polluted', 'x.prototype.polluted'];
  for (const name of [...names, 'a:toString', 'a:__proto__', 'a:number:list', `${'a.'.repeat(16)}a`])
    expect(() => parse(`x:json={}&${name}=1`), name).toThrow('not a field of a form');
  expect(JSON.stringify(parse('x:json={"constructor": {"polluted": 1}}&x.y=1'))).toContain('"y":"1"');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `a${n}=1`).join('&');
  expect(Object.keys(parse(fields(1000)) as object)).toHaveLength(1000);
  expect(() => parse(fields(1001))).toThrow('at most 1000 fields');
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

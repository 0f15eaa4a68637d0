// The fields of a form as the JSON body of an operation.
import { expect, test } from 'vitest';
import { bodyOf } from '../../src/console/form-body.ts';

/** A list in a list, and so on. */
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ['', {}],
  ['rate_limit.burst:number=3', { rate_limit: { burst: 3 } }],
  [
    'rate_limit.burst:number=3&rate_limit.match.operation=orders.create',
    { rate_limit: { burst: 3, match: { operation: 'orders.create' } } },
  ],
  ['rate_limit.burst:number=', {}],
  ['a:number=much', { a: 'much' }],
  ['a:number=Infinity', { a: 'Infinity' }],
  ['a=5', { a: '5' }],
  ['all:json=true', { all: true }],
  ['ids:list=1&ids:list=2', { ids: ['1', '2'] }],
  ['ids:list=1, 2\n3', { ids: ['1', '2', '3'] }],
  ['rate_limit:json=null', { rate_limit: null }],
  ['server_error:json={}', { server_error: {} }],
  ['server_error:json={}&server_error.burst:number=2', { server_error: { burst: 2 } }],
  ['server_error.burst:number=2&server_error:json={}', { server_error: { burst: 2 } }],
  ['body:json={"a":[1]}', { body: { a: [1] } }],
  ['body:json={', { body: '{' }],
  [`a:json=${nested(64)}`, { a: JSON.parse(nested(64)) }],
  [`a:json=${nested(65)}`, { a: nested(65) }],
  ['a:json={"__proto__":1}', { a: '{"__proto__":1}' }],
  ['_done=Done&a=1', { a: '1' }],
  ['a:number= ', { a: ' ' }],
  ['a:json={"b":1}&a.c=2', { a: { b: 1, c: '2' } }],
])('%s', (form, body) => {
  expect(bodyOf(new URLSearchParams(form))).toEqual(body);
});

test.each([
  ['out of JSON', 'x:json={}&x.__proto__.polluted=1'],
  ['out of the body', '__proto__.polluted=1'],
  ['by a constructor', 'constructor.prototype.polluted=1'],
  ['by the constructor of one', 'x.constructor.polluted=1'],
  ['of no kind', 'a:toString=1'],
  ['of no kind but a name that all objects have', 'a:__proto__=1'],
  ['of two kinds', 'a:number:list=1'],
  ['with a long way', `${'a.'.repeat(50_000)}a=1`],
  ['of which there are too many', Array.from({ length: 20_000 }, (_, at) => `a${at}=1`).join('&')],
])('a field %s is refused, and reaches nothing', (_, form) => {
  expect(() => bodyOf(new URLSearchParams(form))).toThrow(
    /not a field of a form of the console|has at most 1000 fields/,
  );
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('what JSON brings reaches nothing, either', () => {
  const body = bodyOf(new URLSearchParams({ 'x:json': '{"constructor": {"polluted": 1}}', 'x.y': '1' }));
  expect(JSON.stringify(body)).toContain('"y":"1"');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

// The fields of a form as the JSON body of an operation.
import { expect, test } from 'vitest';
import { bodyOf } from '../../src/console/form-body.ts';

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
  ['all:yes=on', { all: true }],
  ['ids:list=1&ids:list=2', { ids: ['1', '2'] }],
  ['ids:list=1, 2\n3', { ids: ['1', '2', '3'] }],
  ['rate_limit:null=1', { rate_limit: null }],
  ['server_error:object=1', { server_error: {} }],
  ['server_error:object=1&server_error.burst:number=2', { server_error: { burst: 2 } }],
  ['server_error.burst:number=2&server_error:object=1', { server_error: { burst: 2 } }],
  ['body:json={"a":[1]}', { body: { a: [1] } }],
  ['body:json={', { body: '{' }],
  ['_done=Done&a=1', { a: '1' }],
  ['a:toString=1&a:__proto__=1', {}],
])('%s', (form, body) => {
  expect(bodyOf(new URLSearchParams(form))).toEqual(body);
});

test('a name reaches nothing but the body', () => {
  const body = bodyOf(new URLSearchParams('__proto__.polluted=1&constructor.prototype.polluted=1'));
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.keys(body as object)).toEqual(['constructor']);
});

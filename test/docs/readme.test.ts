import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { passwordOf, testSachet } from '../support/sachet.ts';
import { withTables } from './readme-tables.ts';
import { ownProduct, type ReadyMadeCase, readyMadeCases } from './ready-made-cases.ts';

const readme = fileURLToPath(new URL('../../README.md', import.meta.url));

test('the generated tables of the README are those of the sources (`npm run docs` makes them anew)', () => {
  const text = readFileSync(readme, 'utf8');
  if (process.env.UPDATE_DOCS) writeFileSync(readme, withTables(text));
  else expect(text).toBe(withTables(text));
});

test('the README names the password of every login of the fixtures', () => {
  for (const { login } of readyMadeCases) expect(passwordOf(login)).toBe(`sachet-${login}`);
});

/** The sample order with what the case changes; where it changes nothing, no body. */
function bodyOf({ login, path, order }: ReadyMadeCase): unknown {
  if (path.endsWith('/token')) return { username: login, password: passwordOf(login) };
  if (!order) return undefined;
  const { products = [ownProduct[login]], duration = 30, consumerId } = order;
  return {
    consumer: consumerId ? { id: consumerId } : { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
    shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
    order_lines: [{ duration, pouches: [{ contents: products.map((id) => ({ client_product_id: id })) }] }],
  };
}

test.each(readyMadeCases)('ready-made case: $login, $call: $status $answer', async (made) => {
  const sachet = testSachet();
  const anonymous = made.path.endsWith('/token');
  const headers = anonymous ? {} : { authorization: `Bearer ${(await sachet.login(made.login)).token}` };
  const { status, body } = await sachet.call(made.method, made.path, { body: bodyOf(made), headers });
  expect(status).toBe(made.status);
  const told = [body.message, body.order?.status, body.fulfillment?.status_id];
  if (made.path === '/v2/fulfillments')
    expect([body.fulfillments.length, typeof body.next_cursor]).toEqual([20, 'string']);
  else expect(told).toContain(made.answer);
});

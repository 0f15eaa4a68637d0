// Templates of paths: what they stand for, and that none of them takes long to say so.
import { describe, expect, test } from 'vitest';
import { filled, isTemplate, namesIn, patternOf } from '../../src/contract/addresses.ts';
import { testSachet } from '../support/sachet.ts';

test('a template stands for the paths with a part in the place of each name', () => {
  const pattern = patternOf('/v2/orders/{orderId}/fulfillments');
  expect(['/v2/orders/7/fulfillments', '/v2/orders/{orderId}/fulfillments'].map((path) => pattern.test(path))).toEqual([
    true,
    true,
  ]);
  const others = ['/v2/orders//fulfillments', '/v2/orders/a/b/fulfillments', '/v2/orders/a/fulfillments/'];
  expect(others.filter((path) => pattern.test(path))).toEqual([]);
  expect(namesIn('/a/{b}/{c}.pdf')).toEqual(['b', 'c']);
  expect(filled('/a/{b}.pdf', (name) => name.toUpperCase())).toBe('/a/B.pdf');
});

// A regular expression of it would try every way to share the part out among the names, and outlast the test by far.
const greedy = `/v2/orders/${'{a}'.repeat(12)}x`;
const separated = `/v2/orders/${'{a}b'.repeat(12)}x`;

describe.each([greedy, separated])('several names between two slashes: %s', (template) => {
  test('are no template, and stand for themselves', () => {
    expect(isTemplate(template)).toBe(false);
    expect([patternOf(template).test(template), patternOf(template).test(`/v2/orders/${'b'.repeat(200)}`)]).toEqual([
      true,
      false,
    ]);
  });

  test('are refused where a match or a filter names a path', async () => {
    const sachet = testSachet();
    const call = (method: string, path: string, body?: unknown) =>
      sachet.call(method, `/_admin/sandboxes/stage${path}`, {
        headers: { authorization: `Bearer ${sachet.adminKey}` },
        ...(body === undefined ? {} : { body }),
      });
    const match = { path: template };
    const answers = [
      await call('POST', '/faults', { match, status: 500 }),
      await call('PATCH', '/switches', { server_error: { match } }),
      await call('POST', '/requests/verify', { match }),
      await call('GET', `/requests?path=${encodeURIComponent(template)}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 400]);
    for (const { body } of answers) expect(body.message).toContain('at most one {name} between two slashes');
  });
});

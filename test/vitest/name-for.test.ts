// What the sandbox of a test is called: a name that the server takes, known in the log, and unlike any other.
import { expect, test } from 'vitest';
import { sandboxName } from '../../src/contract/addresses.ts';
import { nameFor } from '../../src/vitest/name-for.ts';

test.each([
  ['An order is placed', /^an-order-is-placed-[0-9a-z]{8}$/],
  ['POST /v2/orders: 422', /^post-v2-orders-422-[0-9a-z]{8}$/],
  ['  (retries) twice', /^retries-twice-[0-9a-z]{8}$/],
  ['a'.repeat(300), /^a{48}-[0-9a-z]{8}$/],
  ['Größe', /^gr-e-[0-9a-z]{8}$/],
  ['what then?', /^what-then-+[0-9a-z]{8}$/],
  ['注文', /^[0-9a-z]{8}$/],
  ['', /^[0-9a-z]{8}$/],
  ['---', /^[0-9a-z]{8}$/],
  [`${'a'.repeat(47)} bc`, /^a{47}-+[0-9a-z]{8}$/],
])('%j', (name, form) => {
  const given = nameFor({ name });
  expect(given).toMatch(form);
  expect(given).toMatch(sandboxName);
});

test('tests of one name have sandboxes of different names', () => {
  const names = Array.from({ length: 1000 }, () => nameFor({ name: 'an order is placed' }));
  expect(new Set(names).size).toBe(names.length);
});

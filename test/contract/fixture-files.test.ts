// Fixture files are merged, or rejected with the file, the path, the value that was found and what is expected.

import { describe, expect, test } from 'vitest';
import { FixturesError } from '../../src/contract/file-errors.ts';
import { readFixtures } from '../../src/contract/fixtures.ts';
import { type Change, faultsOf, fixtureFiles, written } from '../support/fixture-files.ts';
import { unknownId as nowhere, otherBrand } from '../support/order-requests.ts';
import { fixtures } from '../support/sachet.ts';

const faultsAfter = (...changes: readonly Change[]) => faultsOf(fixtureFiles(...changes));
/** A fault after one change, at the place of the change. */
const faultAt = (file: string, path: Change['path'], found: unknown, expected: RegExp) => ({
  file,
  path: written(path),
  found: expect.stringContaining(String(found)),
  expected: expect.stringMatching(expected),
});

test('a value of the wrong form', () => {
  const cases: [string, Change['path'], unknown, string, RegExp][] = [
    ['accounts.json', ['users', 1, 'active'], 'yes', '"yes"', /^true or false$/],
    ['accounts.json', ['users', 1, 'password'], undefined, 'nothing', /string/],
    ['accounts.json', ['users', 1, 'username'], '', '""', /^a string with at least 1 character$/],
    ['accounts.json', ['users', 1, 'id'], 'seven', '"seven"', /^a UUID$/],
    ['accounts.json', ['users', 1, 'id'], nowhere.replaceAll('9', 'A'), '"AAAAAAAA-', /lower/],
    ['accounts.json', ['users', 0, 'permissions', 1], 'orders:burn', '"orders:burn"', /orders:write/],
    ['accounts.json', ['users', 1], null, 'null', /object/],
    ['accounts.json', ['users'], {}, '{}', /^a list$/],
    ['accounts.json', [], [], '[]', /object/],
    ['catalog.json', ['products', 0, 'serving_size'], 0, '0', /^a number above 0$/],
    ['catalog.json', ['administration_times', 'values'], [], '[]', /^a list with at least 1 item$/],
    ['orders.json', ['orders', 3, 'status'], 'Open', '"Open"', /^one of "Pending", .*, "Canceled"$/],
    ['orders.json', ['orders', 0, 'created_at'], 'yesterday', '"yesterday"', /^an ISO 8601 instant such as /],
    ['orders.json', ['orders', 0, 'order_lines'], [], '[]', /^a list with at least 1 item$/],
    ['orders.json', ['orders', 0, 'shipping_address', 'city'], 'x'.repeat(50), '"xxx', /^a text .*49 char/],
    ['orders.json', ['orders', 0, 'shipping_address', 'address1'], 'x'.repeat(100), '"xxx', /^a text .*99 char/],
    ['orders.json', ['orders', 1, 'order_lines', 0, 'pouches', 0, 'pack_id'], true, 'true', /string.*number/],
    ['pags.json', ['pags', 0, 'duration'], '30', '"30"', /number/],
    ['consumers.json', ['consumers', 0, 'phone_number'], `+${'1'.repeat(15)}`, `"+${'1'.repeat(15)}"`, /15 char/],
    ['fulfillments.json', ['fulfillments', 0, 'tracking_info', 'tracking_url'], 'x', '"x"', /URL/],
    ['fulfillments.json', ['carriers', 0, 'methods'], [], '[]', /^a list/],
    ['fulfillments.json', ['carriers', 0, 'tracking_url'], 'javascript:{tracking_number}', '"javascript:', /http/],
    ['fulfillments.json', ['carriers', 0, 'tracking_url'], '{base_url}x/{tracking_number}', '"{base_url}x', /http/],
    ['fulfillments.json', ['carriers', 0, 'tracking_url'], 'https://x.test', '"https:', /\{tracking_number\}/],
    ['fulfillments.json', ['timeline', 'shipped', 'delay_seconds'], -1, '-1', /^a number of at least 0$/],
  ];
  for (const [file, path, to, found, expected] of cases)
    expect(faultsAfter({ file, path, to })).toEqual([faultAt(file, path, found, expected)]);
});

test.each([
  ['whole up to 80 characters', 78, /^"y{78}"$/],
  ['cut beyond', 79, /^"y{70,78}…$/],
])('a value is shown %s', (_, letters, found) => {
  const [fault] = faultsAfter({ file: 'accounts.json', path: ['users', 1, 'active'], to: 'y'.repeat(letters) });
  expect(fault?.found).toMatch(found);
});

test('an unknown collection or key', () => {
  const odd = { name: 'odd.json', content: JSON.parse('{"__proto__": []}') as unknown };
  const files = fixtureFiles(
    { file: 'pags.json', path: ['page'], to: [] },
    { file: 'accounts.json', path: ['users', 1, 'role'], to: 'admin' },
    { file: 'accounts.json', path: ['users', 1, 'e-mail'], to: 'x' },
    { file: 'orders.json', path: ['orders', 0, 'shipping_address', 'zip'], to: '1' },
  );
  const faults = faultsOf([...files, odd]);
  expect(faults.map(({ file, path, found }) => `${file} ${path} ${found}`).sort()).toEqual([
    'accounts.json $.users[1] the unknown key "e-mail"',
    'accounts.json $.users[1] the unknown key "role"',
    'odd.json $ the unknown key "__proto__"',
    'orders.json $.orders[0].shipping_address the unknown key "zip"',
    'pags.json $ the unknown key "page"',
  ]);
  expect(faults.find(({ file }) => file === 'pags.json')?.expected).toMatch(/\bpags\b.*\btimeline\b/);
});

describe('several files', () => {
  test('have their errors at their own places, all at once, one line each', () => {
    const changes = [
      { file: 'accounts.json', path: ['users', 1, 'active'], to: 1 },
      { file: 'pags.json', path: ['pags', 0, 'name'], to: null },
    ];
    const read = () => readFixtures(fixtureFiles(...changes));
    expect(read).toThrow(FixturesError);
    expect(read).toThrow(
      /^accounts\.json \$\.users\[1\]\.active: found 1, expected true or false\npags\.json \$\.pags\[0\]\.name: found null, expected a string$/,
    );
    const [first, second] = fixtures.users.map((user, index) => {
      return { ...user, id: nowhere.replace('9', String(index)), username: `more-${index}` };
    });
    const to = { users: [first, { ...second, brand_id: nowhere }] };
    expect(faultsAfter({ file: 'more.json', path: [], to })).toEqual([
      faultAt('more.json', ['users', 1, 'brand_id'], nowhere, /brands/),
    ]);
  });

  test('have each single resource once', () => {
    const singles = [
      ['operator', 'accounts.json'],
      ['administration_times', 'catalog.json'],
      ['timeline', 'fulfillments.json'],
    ] as const;
    for (const [single, file] of singles) {
      expect(faultsAfter({ file, path: [single], to: undefined })).toEqual([
        { file: '(all files)', path: `$.${single}`, found: 'no file with it', expected: 'one file with it' },
      ]);
      const again = { file: 'zz.json', path: [], to: { [single]: fixtures[single] } };
      expect(faultsAfter(again)).toEqual([
        { file: 'zz.json', path: `$.${single}`, found: `the same key in ${file}`, expected: 'it in only one file' },
      ]);
    }
  });
});

test('an id is unique in its collection, also in two files', () => {
  const collections = fixtureFiles().flatMap(({ name: file, content }) =>
    Object.entries(content as Record<string, { id: string }[]>).flatMap(([name, records]) =>
      Array.isArray(records) ? [{ file, name, records }] : [],
    ),
  );
  expect(collections.length).toBeGreaterThan(10);
  for (const { file, name, records } of collections) {
    const [record] = records;
    const more = { file: 'more.json', path: [], to: { [name]: [record] } };
    expect(faultsAfter(more)).toContainEqual(faultAt('more.json', [name, 0, 'id'], record?.id, new RegExp(name)));
    const twice = { file, path: [name, records.length], to: record };
    expect(faultsAfter(twice)).toContainEqual(faultAt(file, [name, records.length, 'id'], record?.id, /./));
  }
});

test('a username is unique, and the id of a line in its order', () => {
  const { users, orders } = fixtures;
  const copy = { ...users[1], id: nowhere, username: 'demo' };
  expect(faultsAfter({ file: 'copies.json', path: [], to: { users: [copy] } })).toEqual([
    faultAt('copies.json', ['users', 0, 'username'], '"demo"', /username/),
  ]);
  const path = ['orders', 0, 'order_lines', 1, 'id'];
  const line = orders[0]?.order_lines[0]?.id;
  const [fault] = faultsAfter({ file: 'orders.json', path, to: line });
  expect(fault).toEqual(faultAt('orders.json', path, line, /^an id not used before in the order$/));
});

test('a reference names an existing record, of the same brand', () => {
  const line = ['order_lines', 0, 'pouches', 0, 'contents', 0, 'client_product_id'];
  const { consumers, orders } = fixtures;
  const foreignConsumer = consumers.find(({ brand_id }) => brand_id === otherBrand)?.id;
  const foreignOrder = orders.find(({ brand_id }) => brand_id === otherBrand)?.id;
  const cases: [string, Change['path'], RegExp, string | undefined][] = [
    ['accounts.json', ['brands', 0, 'account_id'], /accounts/, nowhere],
    ['accounts.json', ['users', 0, 'brand_id'], /brands/, nowhere],
    ['catalog.json', ['products', 0, 'brand_id'], /brands/, nowhere],
    ['catalog.json', ['products', 0, 'operator_product_id'], /operator_products/, nowhere],
    ['catalog.json', ['packs', 0, 'brand_id'], /brands/, nowhere],
    ['pags.json', ['pags', 0, 'brand_id'], /brands/, nowhere],
    ['consumers.json', ['consumers', 4, 'brand_id'], /brands/, nowhere],
    ['orders.json', ['orders', 5, 'brand_id'], /brands/, nowhere],
    ['orders.json', ['orders', 0, 'consumer_id'], /consumers/, nowhere],
    ['orders.json', ['orders', 0, ...line], /products/, nowhere],
    ['fulfillments.json', ['fulfillments', 2, 'brand_id'], /brands/, nowhere],
    ['fulfillments.json', ['fulfillments', 0, 'order_id'], /orders/, nowhere],
    ['fulfillments.json', ['fulfillments', 0, 'consumer_id'], /consumers/, nowhere],
    ['fulfillments.json', ['fulfillments', 0, 'status_id'], /fulfillment_statuses/, nowhere],
    ['fulfillments.json', ['fulfillments', 0, 'order_lines', 0, 'id'], /order/, nowhere],
    ['orders.json', ['orders', 0, 'consumer_id'], /same brand/, foreignConsumer],
    ['fulfillments.json', ['fulfillments', 0, 'consumer_id'], /same brand/, foreignConsumer],
    ['fulfillments.json', ['fulfillments', 0, 'order_id'], /same brand/, foreignOrder],
  ];
  for (const [file, path, expected, to] of cases)
    expect(faultsAfter({ file, path, to })).toContainEqual(faultAt(file, path, JSON.stringify(to), expected));
});

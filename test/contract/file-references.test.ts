// Records of the fixtures agree with one another: ids and usernames stand once, references name records that are there.
import { describe, expect, test } from 'vitest';
import { type Change, changedFixtures, faultsOf, fixtureFiles, recordsIn, written } from '../support/fixture-files.ts';

const nowhere = '99999999-9999-4999-8999-999999999999';
const otherBrand = '11000000-0000-4000-8000-000000000002';
const faultsAfter = (...changes: readonly Change[]) => faultsOf(fixtureFiles(...changes));

describe('identity', () => {
  test.each([
    ['accounts.json', 'accounts'],
    ['accounts.json', 'brands'],
    ['catalog.json', 'operator_products'],
    ['catalog.json', 'products'],
    ['catalog.json', 'packs'],
    ['pags.json', 'pags'],
    ['consumers.json', 'consumers'],
    ['orders.json', 'orders'],
    ['fulfillments.json', 'fulfillments'],
    ['fulfillments.json', 'fulfillment_statuses'],
    ['fulfillments.json', 'carriers'],
  ])('an id stands once in %s %s, also over two files', (file, name) => {
    const records = recordsIn(file, name);
    const [record] = records;
    const more = { file: 'more.json', path: [], to: { [name]: [record] } };
    const found = JSON.stringify(record?.id);
    expect(faultsAfter(more)).toEqual([
      { file: 'more.json', path: `$.${name}[0].id`, found, expected: expect.stringContaining(name) },
    ]);
    const twice = { file, path: [name, records.length], to: record };
    expect(faultsAfter(twice)).toMatchObject([{ file, path: `$.${name}[${records.length}].id`, found }]);
  });

  test('a username stands once', () => {
    const [, user] = changedFixtures().users;
    const copy = { ...user, id: nowhere, username: 'demo' };
    expect(faultsAfter({ file: 'copies.json', path: [], to: { users: [copy] } })).toEqual([
      {
        file: 'copies.json',
        path: '$.users[0].username',
        found: '"demo"',
        expected: expect.stringContaining('username'),
      },
    ]);
  });

  test("an order's line stands once in it", () => {
    const [{ order_lines: [line] = [] } = {}] = changedFixtures().orders;
    const twice = { file: 'orders.json', path: ['orders', 0, 'order_lines', 1, 'id'], to: line?.id };
    expect(faultsAfter(twice)[0]).toEqual({
      file: 'orders.json',
      path: '$.orders[0].order_lines[1].id',
      found: JSON.stringify(line?.id),
      expected: 'an id not used before in the order',
    });
  });

  test.each([
    ['operator', 'accounts.json'],
    ['administration_times', 'catalog.json'],
    ['timeline', 'fulfillments.json'],
  ] as const)('%s stands in one file, no more and no less', (single, file) => {
    expect(faultsAfter({ file, path: [single], to: undefined })).toEqual([
      { file: '(all files)', path: `$.${single}`, found: 'no file with it', expected: 'one file with it' },
    ]);
    const again = { file: 'zz.json', path: [], to: { [single]: changedFixtures()[single] } };
    expect(faultsAfter(again)).toEqual([
      { file: 'zz.json', path: `$.${single}`, found: `the same key in ${file}`, expected: 'it in only one file' },
    ]);
  });
});

describe('references', () => {
  const line = ['order_lines', 0, 'pouches', 0, 'contents', 0, 'client_product_id'] as const;
  test.each<[string, Change['path'], string]>([
    ['accounts.json', ['brands', 0, 'account_id'], 'accounts'],
    ['accounts.json', ['users', 0, 'brand_id'], 'brands'],
    ['catalog.json', ['products', 0, 'brand_id'], 'brands'],
    ['catalog.json', ['products', 0, 'operator_product_id'], 'operator_products'],
    ['catalog.json', ['packs', 0, 'brand_id'], 'brands'],
    ['pags.json', ['pags', 0, 'brand_id'], 'brands'],
    ['consumers.json', ['consumers', 4, 'brand_id'], 'brands'],
    ['orders.json', ['orders', 5, 'brand_id'], 'brands'],
    ['orders.json', ['orders', 0, 'consumer_id'], 'consumers'],
    ['orders.json', ['orders', 0, ...line], 'products'],
    ['fulfillments.json', ['fulfillments', 2, 'brand_id'], 'brands'],
    ['fulfillments.json', ['fulfillments', 0, 'order_id'], 'orders'],
    ['fulfillments.json', ['fulfillments', 0, 'consumer_id'], 'consumers'],
    ['fulfillments.json', ['fulfillments', 0, 'status_id'], 'fulfillment_statuses'],
    ['fulfillments.json', ['fulfillments', 0, 'order_lines', 0, 'id'], 'order'],
  ])('%s %j names a record that is there', (file, path, target) => {
    const fault = faultsAfter({ file, path, to: nowhere }).find((found) => found.path === written(path));
    expect(fault).toEqual({
      file,
      path: written(path),
      found: JSON.stringify(nowhere),
      expected: expect.stringContaining(target),
    });
  });

  const brandOf = new Map(changedFixtures().consumers.map(({ id, brand_id }) => [id, brand_id]));
  const foreignConsumer = [...brandOf].find(([, brand]) => brand === otherBrand)?.[0];
  const foreignOrder = changedFixtures().orders.find(({ brand_id }) => brand_id === otherBrand)?.id;
  test.each<[string, Change['path'], unknown]>([
    ['orders.json', ['orders', 0, 'consumer_id'], foreignConsumer],
    ['fulfillments.json', ['fulfillments', 0, 'consumer_id'], foreignConsumer],
    ['fulfillments.json', ['fulfillments', 0, 'order_id'], foreignOrder],
  ])('%s %j is of the same brand', (file, path, to) => {
    expect(to).toBeDefined();
    expect(faultsAfter({ file, path, to })).toContainEqual({
      file,
      path: written(path),
      found: JSON.stringify(to),
      expected: expect.stringContaining('same brand'),
    });
  });
});

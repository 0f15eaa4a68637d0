// Fixture files are refused with the file, the place, what stands there and what should; good ones are merged.
import { describe, expect, test } from 'vitest';
import { FixturesError } from '../../src/contract/file-errors.ts';
import { readFixtures } from '../../src/contract/fixtures.ts';
import { type Change, changedFixtures, faultsOf, fixtureFiles, written } from '../support/fixture-files.ts';

const nowhere = '99999999-9999-4999-8999-999999999999';
const faultsAfter = (...changes: readonly Change[]) => faultsOf(fixtureFiles(...changes));

describe('a value of the wrong form is told with its file, place, what was found and what is expected', () => {
  test.each<[string, Change['path'], unknown, string, RegExp]>([
    ['accounts.json', ['users', 1, 'active'], 'yes', '"yes"', /^true or false$/],
    ['accounts.json', ['users', 1, 'password'], undefined, 'nothing', /string/],
    ['accounts.json', ['users', 1, 'username'], '', '""', /^a string with at least 1 character$/],
    ['accounts.json', ['users', 1, 'id'], 'seven', '"seven"', /^a UUID$/],
    ['accounts.json', ['users', 1, 'id'], nowhere.replaceAll('9', 'A'), '"AAAAAAAA-', /lower/],
    ['accounts.json', ['users', 0, 'permissions', 1], 'orders:burn', '"orders:burn"', /orders:write/],
    ['accounts.json', ['users', 1], null, 'null', /object/],
    ['accounts.json', ['users'], {}, '{}', /^a list$/],
    ['accounts.json', [], [], '[]', /object/],
    ['accounts.json', [], null, 'null', /object/],
    ['catalog.json', ['products', 0, 'serving_size'], 0, '0', /^a number above 0$/],
    ['catalog.json', ['administration_times', 'values'], [], '[]', /^a list with at least 1 item$/],
    ['orders.json', ['orders', 3, 'status'], 'Open', '"Open"', /^one of "Pending", .*, "Canceled"$/],
    ['orders.json', ['orders', 0, 'created_at'], 'yesterday', '"yesterday"', /^an ISO 8601 instant such as /],
    ['orders.json', ['orders', 0, 'order_lines'], [], '[]', /^a list with at least 1 item$/],
    ['orders.json', ['orders', 0, 'shipping_address', 'city'], 'x'.repeat(50), '"xxx', /49 char/],
    ['orders.json', ['orders', 0, 'shipping_address', 'address1'], 'x'.repeat(100), '"xxx', /99 char/],
    ['orders.json', ['orders', 1, 'order_lines', 0, 'pouches', 0, 'pack_id'], true, 'true', /string.*number/],
    ['pags.json', ['pags', 0, 'duration'], '30', '"30"', /number/],
    ['consumers.json', ['consumers', 0, 'phone_number'], '+1234567890123456', '"+1234567890123456"', /15 char/],
    ['fulfillments.json', ['fulfillments', 0, 'tracking_info', 'tracking_url'], 'x', '"x"', /URL/],
    [
      'fulfillments.json',
      ['carriers', 0, 'tracking_url'],
      'javascript:{tracking_number}',
      '"javascript:{tracking_number}"',
      /http/,
    ],
    [
      'fulfillments.json',
      ['carriers', 0, 'tracking_url'],
      '{base_url}x/{tracking_number}',
      '"{base_url}x/{tracking_number}"',
      /http/,
    ],
    ['fulfillments.json', ['carriers', 0, 'tracking_url'], 'https://x.test', '"https://x.test"', /\{tracking_number\}/],
    ['fulfillments.json', ['timeline', 'shipped', 'delay_seconds'], -1, '-1', /^a number of at least 0$/],
  ])('%s %j: %j', (file, path, to, found, expected) => {
    const [fault, ...others] = faultsAfter({ file, path, to });
    expect(others).toEqual([]);
    expect(fault).toEqual({
      file,
      path: written(path),
      found: expect.stringContaining(found),
      expected: expect.stringMatching(expected),
    });
  });

  test('the words of every one can be read after "expected"', () => {
    const changes: [string, Change['path'], unknown][] = [
      ['accounts.json', ['users', 1, 'id'], 'seven'],
      ['accounts.json', ['users', 2, 'id'], nowhere.replaceAll('9', 'A')],
      ['orders.json', ['orders', 0, 'created_at'], 'yesterday'],
      ['orders.json', ['orders', 0, 'shipping_address', 'city'], 'x'.repeat(50)],
      ['orders.json', ['orders', 1, 'order_lines', 0, 'pouches', 0, 'pack_id'], true],
      ['orders.json', ['orders', 3, 'status'], 'Open'],
      ['fulfillments.json', ['fulfillments', 0, 'tracking_info', 'tracking_url'], 'x'],
      ['fulfillments.json', ['carriers', 0, 'methods'], []],
    ];
    const faults = faultsAfter(...changes.map(([file, path, to]) => ({ file, path, to })));
    expect(faults).toHaveLength(changes.length);
    for (const { expected } of faults) expect(expected).not.toMatch(/^(?:Invalid|Too (?:small|big))/);
  });

  test.each([
    ['whole up to 80 characters', 78, /^"y{78}"$/],
    ['cut beyond', 79, /^"y{70,}…$/],
  ])('a value is told %s', (_, letters, found) => {
    const [fault] = faultsAfter({ file: 'accounts.json', path: ['users', 1, 'active'], to: 'y'.repeat(letters) });
    expect(fault?.found).toMatch(found);
    expect(fault?.found.length).toBeLessThanOrEqual(80);
  });
});

describe('an unknown name is refused', () => {
  test('a collection that the data model does not have, with those it has', () => {
    const [fault, ...others] = faultsAfter({ file: 'pags.json', path: ['page'], to: [] });
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ file: 'pags.json', path: '$', found: 'the unknown key "page"' });
    expect(fault?.expected).toMatch(/\bpags\b.*\btimeline\b/);
  });

  test('each key that a record does not have', () => {
    const faults = faultsAfter(
      { file: 'accounts.json', path: ['users', 1, 'role'], to: 'admin' },
      { file: 'accounts.json', path: ['users', 1, 'e-mail'], to: 'x' },
      { file: 'orders.json', path: ['orders', 0, 'shipping_address', 'zip'], to: '1' },
    );
    expect(faults.map(({ path, found }) => [path, found])).toEqual([
      ['$.users[1]', 'the unknown key "role"'],
      ['$.users[1]', 'the unknown key "e-mail"'],
      ['$.orders[0].shipping_address', 'the unknown key "zip"'],
    ]);
  });

  test('a key called __proto__', () => {
    const file = { name: 'odd.json', content: JSON.parse('{"__proto__": []}') as unknown };
    expect(faultsOf([...fixtureFiles(), file])).toMatchObject([
      { file: 'odd.json', path: '$', found: 'the unknown key "__proto__"' },
    ]);
  });
});

describe('merging', () => {
  test('any collection may stand in any file, and references go over files', () => {
    const [user] = changedFixtures().users;
    const added = { ...user, id: nowhere, username: 'second-file' };
    const { users } = changedFixtures({ file: 'more.json', path: [], to: { users: [added], orders: [] } });
    expect(users.at(-1)).toEqual(added);
    expect(users[0]).toEqual(user);
  });

  test('a fault of a record in a second file is told with that file and its place there', () => {
    const { users } = changedFixtures();
    const [first, second] = users.map((user, index) => ({
      ...user,
      id: nowhere.replace('9', String(index)),
      username: `more-${index}`,
    }));
    const content = { users: [first, { ...second, brand_id: nowhere }] };
    expect(faultsAfter({ file: 'more.json', path: [], to: content })).toEqual([
      {
        file: 'more.json',
        path: '$.users[1].brand_id',
        found: JSON.stringify(nowhere),
        expected: expect.stringContaining('brands'),
      },
    ]);
  });

  test('every fault of a check is told at once, one line each', () => {
    const files = fixtureFiles(
      { file: 'accounts.json', path: ['users', 1, 'active'], to: 1 },
      { file: 'pags.json', path: ['pags', 0, 'name'], to: null },
    );
    expect(() => readFixtures(files)).toThrow(FixturesError);
    expect(() => readFixtures(files)).toThrow(
      /^accounts\.json \$\.users\[1\]\.active: found 1, expected true or false\npags\.json \$\.pags\[0\]\.name: found null, expected a string$/,
    );
  });

  test('a file of 200,000 records is taken', () => {
    const [consumer] = changedFixtures().consumers;
    const consumers = Array.from({ length: 200_000 }, (_, index) => ({
      ...consumer,
      id: `99999999-9999-4999-8999-${String(index).padStart(12, '0')}`,
    }));
    const merged = changedFixtures({ file: 'many.json', path: [], to: { consumers } });
    expect(merged.consumers.length).toBe(changedFixtures().consumers.length + 200_000);
  });
});

// A scenario's data fits the fixtures or is refused: patched and new records are whole, and every reference holds.
import { describe, expect, test } from 'vitest';
import { readFixtures } from '../../src/contract/fixtures.ts';
import { readScenarios } from '../../src/contract/scenarios.ts';
import { scenarioFaults } from '../../src/sandbox/scenarios.ts';
import { shippedFiles } from '../support/shipped-files.ts';

const fixtures = readFixtures(shippedFiles('fixtures'));
const nowhere = '99999999-9999-4999-8999-999999999999';
const demoBrand = '11000000-0000-4000-8000-000000000001';
const otherBrand = '11000000-0000-4000-8000-000000000002';
const pag = '30000000-0000-4000-8000-000000000001';

/** The faults of a scenario with this data. */
function faultsOf(data: object) {
  const content = { intent: 'To see.', right_client: 'Looks.', data };
  const scenarios = readScenarios([{ name: 'scenarios/x.json', content }]);
  return scenarioFaults(scenarios, { fixtures });
}

describe('data that fits', () => {
  const newPag = { id: nowhere, brand_id: demoBrand, name: 'New', status: 'Active', duration: 14 };
  test.each<[string, object]>([
    [
      'a patch of one field',
      { operator_products: [{ id: '21000000-0000-4000-8000-000000000001', discontinued: true }] },
    ],
    [
      'a nested patch',
      { orders: [{ id: '50000000-0000-4000-8000-000000000001', shipping_address: { city: 'Bern' } }] },
    ],
    [
      'an optional field taken away',
      { orders: [{ id: '50000000-0000-4000-8000-000000000001', shipping_address: { postal_code: null } }] },
    ],
    [
      'a field emptied by null: another PAG becomes the default',
      {
        pags: [
          { id: '30000000-0000-4000-8000-000000000002', duration: null },
          { id: pag, duration: 14 },
        ],
      },
    ],
    ['a whole new record', { pags: [newPag] }],
    ['a record by a name that is no UUID', { packs: [{ id: 'PACK-MORNING-01', name: 'Dawn' }] }],
    [
      'new records that name one another',
      {
        accounts: [{ id: nowhere, name: 'New', active: true }],
        brands: [{ id: nowhere, account_id: nowhere, name: 'New' }],
        pags: [{ ...newPag, brand_id: nowhere }],
      },
    ],
    ['nothing', {}],
  ])('%s', (_, data) => {
    expect(faultsOf(data)).toEqual([]);
  });

  test('leaves the fixtures as they were', () => {
    const before = structuredClone(fixtures);
    faultsOf({ pags: [{ id: pag, name: 'Else' }, newPag] });
    expect(fixtures).toEqual(before);
  });
});

describe('data that does not fit is told with its place', () => {
  test.each<[data: object, path: string, found: string, expected: RegExp]>([
    [{ pags: [{ id: pag, duration: '30' }] }, '$.data.pags[0].duration', '"30"', /number/],
    [{ pags: [{ id: pag, name: null }] }, '$.data.pags[0].name', 'nothing', /string/],
    [{ pags: [{ id: pag, colour: 'red' }] }, '$.data.pags[0]', 'the unknown key "colour"', /one of id, brand_id/],
    [{ pags: [{ id: pag }, { id: pag }] }, '$.data.pags[1].id', pag, /not used before in data\.pags/],
    [{ pags: [{ id: pag, brand_id: nowhere }] }, '$.data.pags[0].brand_id', nowhere, /a record in brands/],
    [
      { orders: [{ id: '50000000-0000-4000-8000-000000000001', brand_id: otherBrand }] },
      '$.data.orders[0].consumer_id',
      '40000000',
      /same brand/,
    ],
    [
      { users: [{ id: '12000000-0000-4000-8000-000000000002', username: 'demo' }] },
      '$.data.users[0].username',
      '"demo"',
      /username/,
    ],
  ])('%j', (data, path, found, expected) => {
    const [fault] = faultsOf(data);
    expect(fault).toEqual({
      file: 'x.json',
      path: expect.stringContaining(path),
      found: expect.stringContaining(found),
      expected: expect.stringMatching(expected),
    });
  });

  test('a part of a record that there is none of: its id, and all that a new one lacks', () => {
    const faults = faultsOf({ pags: [{ id: nowhere, duration: 30 }] });
    expect(faults.map(({ path, found }) => [path, found])).toEqual([
      ['$.data.pags[0].id', JSON.stringify(nowhere)],
      ['$.data.pags[0].brand_id', 'nothing'],
      ['$.data.pags[0].name', 'nothing'],
      ['$.data.pags[0].status', 'nothing'],
    ]);
    expect(faults[0]?.expected).toBe('the id of a record in pags, or a whole new record');
  });

  test('a record that is left alone but breaks, at the patch that breaks it', () => {
    const faults = faultsOf({ consumers: [{ id: '40000000-0000-4000-8000-000000000004', brand_id: otherBrand }] });
    expect(faults.map(({ path }) => path)).toContain('$.data.consumers[0].brand_id');
  });

  test('every fault of every collection', () => {
    const faults = faultsOf({ pags: [{ id: pag, duration: 0 }], users: [{ id: nowhere }] });
    expect(faults.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['$.data.pags[0].duration', '$.data.users[0].id', '$.data.users[0].password']),
    );
  });
});

describe('every part is tried on a sandbox', () => {
  const named = (name: string, parts: object) => ({
    name: `${name}.json`,
    content: { intent: 'To see.', right_client: 'Looks.', ...parts },
  });
  const faultsIn = (together: boolean, ...files: Parameters<typeof readScenarios>[0]) =>
    scenarioFaults(readScenarios(files), { fixtures, together });
  const inactive = (...ids: readonly string[]) => ({ switches: { inactive_pags: { ids } } });

  test('an id that differs in many digits has no suggestion', () => {
    const [fault] = faultsIn(false, named('x', inactive(pag.replace('30000000', '99999999'))));
    expect(fault?.expected).toBe('the id of a record in pags');
  });

  test('of many unknown ids only the first few are compared: that takes long', () => {
    const typos = Array.from({ length: 9 }, (_, index) => `30000000-0000-4000-8000-0000000009${index}0`);
    const asked = faultsIn(false, named('x', inactive(...typos))).map(({ expected }) =>
      expected.includes('Did you mean'),
    );
    expect(asked).toEqual([true, true, true, false, false, false, false, false, false]);
  });

  test('each id of a switch must be that of a record, and the nearest one is named', () => {
    const typo = pag.replace(/1$/, 'f');
    expect(faultsIn(false, named('x', inactive(pag, typo, nowhere)))).toEqual([
      {
        file: 'x.json',
        path: '$.switches.inactive_pags.ids[1]',
        found: JSON.stringify(typo),
        expected: `the id of a record in pags. Did you mean "${pag}"?`,
      },
      {
        file: 'x.json',
        path: '$.switches.inactive_pags.ids[2]',
        found: JSON.stringify(nowhere),
        expected: 'the id of a record in pags',
      },
    ]);
  });

  test('a record of the scenario itself is known to its switches', () => {
    const newPag = { id: nowhere, brand_id: demoBrand, name: 'New', status: 'Active', duration: 14 };
    expect(faultsIn(false, named('x', { ...inactive(nowhere), data: { pags: [newPag] } }))).toEqual([]);
  });

  test('more switches and faults than a sandbox can have', () => {
    const faults = Array.from({ length: 200 }, () => ({ status: 500 }));
    const [fault] = faultsIn(false, named('x', { faults, switches: { server_error: {} } }));
    expect(fault).toMatchObject({
      file: 'x.json',
      path: '$',
      found: expect.stringContaining('already has 200 active'),
    });
  });

  test('the ids of faults must differ among scenarios that are applied together', () => {
    const files = [
      named('one', { faults: [{ id: 'lost', drop: 'mid_body' }] }),
      named('two', { faults: [{ status: 500 }, { id: 'lost', status: 500 }] }),
    ];
    expect(faultsIn(false, ...files)).toEqual([]);
    expect(faultsIn(true, ...files)).toEqual([
      {
        file: 'two.json',
        path: '$.faults[1].id',
        found: '"lost"',
        expected: 'an id that no other fault of the sandbox has',
      },
    ]);
  });

  test('a fault without an id may not get the id of another one', () => {
    const file = named('x', { faults: [{ id: 'x-2', status: 500 }, { status: 500 }] });
    expect(faultsIn(false, file)).toMatchObject([{ file: 'x.json', path: '$.faults[1].id', found: '"x-2"' }]);
  });

  test('data of one scenario may break that of another', () => {
    const user = (id: string) => ({
      data: { users: [{ id: `12000000-0000-4000-8000-00000000000${id}`, username: 'same' }] },
    });
    const files = [named('one', user('1')), named('two', user('2'))];
    expect(faultsIn(false, ...files)).toEqual([]);
    expect(faultsIn(true, ...files)).toMatchObject([{ file: 'two.json', path: '$.data.users[0].username' }]);
  });

  test('the same switch, assumption and record in several: the latest wins', () => {
    const parts = (n: number) => ({
      switches: { rate_limit: { burst: n } },
      assumptions: { max_limit: n === 1 ? '50' : '100' },
      data: { pags: [{ id: pag, duration: n }] },
    });
    expect(faultsIn(true, named('one', parts(1)), named('two', parts(2)))).toEqual([]);
  });
});

// A scenario fits the fixtures, as every shipped one does, or is rejected: its records are whole, its references are valid,
// ids of switches and faults exist and are unique.
import { describe, expect, test } from 'vitest';
import { readFixtures } from '../../src/contract/fixtures.ts';
import { readScenarios } from '../../src/contract/scenarios.ts';
import { scenarioFaults } from '../../src/sandbox/scenarios.ts';
import { shippedFiles } from '../support/fixture-files.ts';

const fixtures = readFixtures(shippedFiles('fixtures'));
const nowhere = '99999999-9999-4999-8999-999999999999';
const demoBrand = '11000000-0000-4000-8000-000000000001';
const otherBrand = '11000000-0000-4000-8000-000000000002';
const pag = '30000000-0000-4000-8000-000000000001';
const consumer = '40000000-0000-4000-8000-000000000001';
const order = '50000000-0000-4000-8000-000000000001';
const pendingOrder = '50000000-0000-4000-8000-000000000018';
const lowerCase = 'abcdef00-0000-4000-8000-000000000001';
const order_lines = [{ id: nowhere, pouches: [{ pack_id: 'PACK-1' }] }];
const user = (n: number) => `12000000-0000-4000-8000-00000000000${n}`;
const newPag = { id: nowhere, brand_id: demoBrand, name: 'New', status: 'Active', duration: 14 };

type Parts = Readonly<Record<string, unknown>>;
/** The errors of scenarios `one.json`, `two.json`, applied together or each alone. */
function faultsOf(parts: readonly Parts[], together = false) {
  const files = parts.map((part, index) => ({
    name: `${['one', 'two'][index]}.json`,
    content: { intent: 'To see.', right_client: 'Looks.', ...part },
  }));
  return scenarioFaults(readScenarios(files), { fixtures, together });
}
const faultsWith = (data: Parts) => faultsOf([{ data }]);

test('each shipped scenario fits, sets something, and has conduct rules, sentences and an outcome for any client', () => {
  for (const scenario of readScenarios(shippedFiles('scenarios'))) {
    const { name, intent, right_client, switches, faults, assumptions, clock, data, conduct, outcomes } = scenario;
    expect([name, scenarioFaults([scenario], { fixtures })]).toEqual([name, []]);
    expect(switches ?? faults ?? assumptions ?? clock ?? data, name).toBeDefined();
    expect([(conduct?.length ?? 0) > 0, outcomes?.some(({ needs }) => needs === undefined)], name).toEqual([
      true,
      true,
    ]);
    for (const sentence of [intent, right_client]) expect(sentence).toMatch(/^[A-Z][^\n]{20,}\.$/);
  }
});

describe('the data of a scenario', () => {
  test('fits as patches, and as new records that refer to each other; the fixtures stay unchanged', () => {
    const before = structuredClone(fixtures);
    const all: Parts[] = [
      { operator_products: [{ id: '21000000-0000-4000-8000-000000000001', discontinued: true }] },
      { orders: [{ id: order, shipping_address: { city: 'Bern', postal_code: null } }] },
      // Another PAG becomes the default.
      {
        pags: [
          { id: '30000000-0000-4000-8000-000000000002', duration: null },
          { id: pag, duration: 14 },
        ],
      },
      { packs: [{ id: 'PACK-MORNING-01', name: 'Dawn' }] },
      {
        users: [
          { id: user(1), username: 'x' },
          { id: user(2), username: 'demo' },
        ],
      },
      {
        consumers: [{ id: lowerCase.toUpperCase(), brand_id: otherBrand }],
        orders: [{ id: pendingOrder, brand_id: otherBrand, consumer_id: lowerCase, order_lines }],
      },
      {
        accounts: [{ id: nowhere, name: 'New', active: true }],
        brands: [{ id: nowhere, account_id: nowhere, name: 'New' }],
        pags: [{ ...newPag, brand_id: nowhere }],
      },
      {},
    ];
    expect(all.map(faultsWith)).toEqual(all.map(() => []));
    expect(fixtures).toEqual(before);
  });

  test.each<[collection: string, records: Parts[], path: string, found: string, expected: RegExp]>([
    ['pags', [{ id: pag, duration: '30' }], '[0].duration', '"30"', /number/],
    ['pags', [{ id: pag, name: null }], '[0].name', 'nothing', /string/],
    ['pags', [{ id: pag, color: 'red' }], '[0]', 'the unknown key "color"', /one of id, brand_id/],
    ['pags', [{ id: pag }, { id: pag }], '[1].id', pag, /not used before in data\.pags/],
    ['pags', [{ id: pag, brand_id: nowhere }], '[0].brand_id', nowhere, /a record in brands/],
    ['orders', [{ id: order, brand_id: otherBrand }], '[0].consumer_id', '40000000', /same brand/],
    ['consumers', [{ id: consumer, brand_id: otherBrand }], '[0].brand_id', otherBrand, /one that keeps orders "50/],
    ['users', [{ id: user(2), username: 'demo' }], '[0].username', '"demo"', /username.*no other user has/],
  ])('is rejected at its place: %s %j', (collection, records, at, found, expected) => {
    const path = `$.data.${collection}${at}`;
    const [fault] = faultsWith({ [collection]: records });
    const texts = { found: expect.stringContaining(found), expected: expect.stringMatching(expected) };
    expect(fault).toEqual({ file: 'one.json', path, ...texts });
  });

  test('is rejected if a patch has no record, with each missing field', () => {
    const faults = faultsWith({ pags: [{ id: nowhere, duration: 30 }], users: [{ id: nowhere }] });
    const ofPags = faults.filter(({ path }) => path.startsWith('$.data.pags'));
    expect(ofPags.map(({ path, found }) => `${path} ${found}`)).toEqual([
      `$.data.pags[0].id "${nowhere}"`,
      ...['brand_id', 'name', 'status'].map((field) => `$.data.pags[0].${field} nothing`),
    ]);
    expect(ofPags[0]?.expected).toBe('the id of a record in pags, or a whole new record');
    const ofUsers = ['$.data.users[0].id', '$.data.users[0].password'];
    expect(faults.map(({ path }) => path)).toEqual(expect.arrayContaining(ofUsers));
  });
});

describe('the ids of a switch', () => {
  const inactive = (...ids: readonly string[]) => ({ switches: { inactive_pags: { ids } } });
  const hints = (...ids: readonly string[]) => faultsOf([inactive(...ids)]).map(({ expected }) => expected);

  test('exist in the fixtures or in the data of the scenario', () => {
    expect(faultsOf([{ ...inactive(nowhere, pag), data: { pags: [newPag] } }])).toEqual([]);
    const [fault] = faultsOf([inactive(pag, nowhere)]);
    const expected = 'the id of a record in pags';
    const path = '$.switches.inactive_pags.ids[1]';
    expect(fault).toEqual({ file: 'one.json', path, found: `"${nowhere}"`, expected });
  });

  test('have a suggestion if they are similar; only the first three are compared, which is slow', () => {
    expect(hints(pag.replace(/1$/, 'f'))).toEqual([`the id of a record in pags. Did you mean "${pag}"?`]);
    expect(hints(pag.replace('30000000', '99999999'))).toEqual(['the id of a record in pags']);
    const typos = Array.from({ length: 5 }, (_, index) => `30000000-0000-4000-8000-0000000009${index}0`);
    expect(hints(...typos).map((hint) => hint.includes('Did you mean'))).toEqual([true, true, true, false, false]);
  });
});

describe('scenarios together', () => {
  test('have unique ids of faults, also of those without an id', () => {
    const parts = [
      { faults: [{ id: 'lost', drop: 'mid_body' }] },
      { faults: [{ status: 500 }, { id: 'lost', status: 500 }] },
    ];
    expect(faultsOf(parts)).toEqual([]);
    const expected = 'an id that no other fault of the sandbox has';
    const found = '"lost"';
    expect(faultsOf(parts, true)).toEqual([{ file: 'two.json', path: '$.faults[1].id', found, expected }]);
    const implicit = faultsOf([{ faults: [{ id: 'one-2', status: 500 }, { status: 500 }] }]);
    expect(implicit).toMatchObject([{ path: '$.faults[1].id', found: '"one-2"' }]);
  });

  test('have data that fits together; the last switch, assumption and patch wins', () => {
    const same = [1, 2].map((n) => ({ data: { users: [{ id: user(n), username: 'same' }] } }));
    expect(faultsOf(same)).toEqual([]);
    expect(faultsOf(same, true)).toMatchObject([{ file: 'two.json', path: '$.data.users[0].username' }]);
    const parts = (n: number) => ({
      switches: { rate_limit: { burst: n } },
      assumptions: { max_limit: n === 1 ? '50' : '100' },
      data: { pags: [{ id: pag, duration: n }] },
    });
    expect(faultsOf([parts(1), parts(2)], true)).toEqual([]);
  });
});

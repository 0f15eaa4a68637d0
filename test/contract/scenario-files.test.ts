// Scenario files are rejected with the file, the path, the value that was found and what is expected; each error of each file is reported.
// A scenario fits the fixtures, as every shipped one does, or is rejected: its records are whole, its references are valid, ids of switches
// and faults exist and are unique.
import { describe, expect, test } from 'vitest';
import { type FileFault, ScenariosError } from '../../src/contract/file-errors.ts';
import { readFixtures } from '../../src/contract/fixtures.ts';
import { readScenarios } from '../../src/contract/scenarios.ts';
import { scenarioFaults } from '../../src/sandbox/scenarios.ts';
import { shippedFiles } from '../support/fixture-files.ts';
import { brandOfDemo, consumerId, orderId, otherBrand, pagId, unknownId } from '../support/order-requests.ts';

const valid = { intent: 'To see.', right_client: 'Looks.' };

/** The errors of files; a content that is a string is parsed, so that keys are as JSON.parse makes them. */
function faultsOf(...files: readonly (readonly [name: string, content: unknown])[]): readonly FileFault[] {
  const parsed = files.map(([name, content]) => ({
    name,
    content: typeof content === 'string' ? JSON.parse(content) : content,
  }));
  try {
    readScenarios(parsed);
  } catch (error) {
    if (error instanceof ScenariosError) return error.faults;
    throw error;
  }
  return [];
}
/** A valid file with these members, as text. */
const fileWith = (members: string): string => `{"intent": "To see.", "right_client": "Looks.", ${members}}`;
const faultsWith = (members: string) => faultsOf(['x.json', fileWith(members)]);

describe('the name of a scenario', () => {
  test('is that of its file', () => {
    const names = ['scenarios/no-pag.json', '/abs/a.b_c-1.json', '7.json', `${'a'.repeat(63)}.json`];
    const read = names.map((name) => readScenarios([{ name, content: valid }]));
    expect(read).toEqual(['no-pag', 'a.b_c-1', '7', 'a'.repeat(63)].map((name) => [{ ...valid, name }]));
  });

  test.each(['x/.json', '-flag.json', 'No-Pag.json', '..%2fs.json', 'no-pag'])(
    '%j is rejected with its path',
    (file) => {
      const found = `the file name ${JSON.stringify(file.split('/').at(-1))}`;
      const expected = expect.stringContaining('token-expiry.json');
      expect(faultsOf([file, valid])).toEqual([{ file, path: '$', found, expected }]);
    },
  );

  test('has at most 63 characters, is cut in messages, and is unique', () => {
    const [fault] = faultsOf([`${'a'.repeat(64)}.json`, valid]);
    expect(fault?.found).toBe(`the file name ${JSON.stringify(`${'a'.repeat(64)}.json`)}`);
    expect(faultsOf([`${'a'.repeat(90)}.json`, valid])[0]?.found).toBe(`the file name "${'a'.repeat(76)}…`);
    expect(faultsOf(['a/x.json', valid], ['b/x.json', valid])).toEqual([
      { file: 'b/x.json', path: '$', found: 'another one in a/x.json', expected: expect.any(String) },
    ]);
  });
});

const matched = '$.faults[0].match.operation';
test.each<[members: string, path: string, found: string, expected: RegExp]>([
  ['"extra": 1', '$', 'the unknown key "extra"', /one of intent, switches, faults.*conduct/],
  ['"intent": ""', '$.intent', '""', /1 char/],
  ['"right_client": null', '$.right_client', 'null', /string/],
  ['"switches": {"token_expirey": {}}', '$.switches', 'key "token_expirey"', /Did you mean "token_expiry"\?$/],
  ['"switches": {"latency": {"milliseconds": 1, "who": 1}}', '$.switches.latency', 'key "who"', /probability, match/],
  ['"switches": []', '$.switches', '[]', /object/],
  ['"faults": {}', '$.faults', '{}', /^a list$/],
  ['"faults": [{}]', '$.faults[0]', '{}', /status, delay and drop/],
  ['"faults": [{"status": 500, "id": "latency"}]', '$.faults[0].id', '"latency"', /not the name of a switch/],
  ['"faults": [{"status": 500, "match": {"rule": "ORD-1"}}]', '$.faults[0].match', 'the unknown key "rule"', /body/],
  ['"faults": [{"status": 500, "match": {"operation": "order.create"}}]', matched, '"order.create"', /orders\.create/],
  ['"faults": [{"status": 500, "id": "a"}, {"drop": "mid_body", "id": "a"}]', '$.faults[1].id', '"a"', /not used/],
  ['"assumptions": {"next_curser": "meta"}', '$.assumptions', 'the unknown key "next_curser"', /next_cursor/],
  ['"clock": {"now": "yesterday"}', '$.clock.now', '"yesterday"', /ISO 8601/],
  ['"data": {"operator": []}', '$.data', 'the unknown key "operator"', /accounts.*pags/],
  ['"data": {"consumer": []}', '$.data', 'the unknown key "consumer"', /"consumers"\?$/],
  ['"data": {"pags": []}', '$.data.pags', '[]', /1 item/],
  ['"data": {"pags": [{"name": "x"}]}', '$.data.pags[0].id', 'nothing', /string/],
  ['"expect": [{"match": {}, "count": -1}]', '$.expect[0].count', '-1', /number/],
  ['"expect": [{"match": {"rule": "ORD-99"}, "count": 1}]', '$.expect[0].match.rule', '"ORD-99"', /ORD-23/],
  ['"conduct": ["retry_afer"]', '$.conduct[0]', '"retry_afer"', /"retry_after"\?$/],
])('the wrong value in %s', (members, path, found, expected) => {
  expect(faultsWith(members)).toEqual([
    { file: 'x.json', path, found: expect.stringContaining(found), expected: expect.stringMatching(expected) },
  ]);
});

test.each([
  ['"__proto__": {"intent": "x"}', '$'],
  ['"switches": {"__proto__": null}', '$.switches'],
  ['"data": {"pags": [{"id": "x", "deep": {"list": [{"prototype": 1}]}}]}', '$.data.pags[0].deep.list[0]'],
  ['"expect": [{"match": {"body": {"a b": {"constructor": 1}}}, "count": 1}]', '$.expect[0].match.body["a b"]'],
])('a key of a prototype in %s', (members, path) => {
  const found = expect.stringMatching(/^the key "(?:__proto__|constructor|prototype)"$/);
  expect(faultsWith(members)).toEqual([
    { file: 'x.json', path, found, expected: expect.stringContaining('no key called') },
  ]);
  expect(({} as { intent?: string }).intent).toBeUndefined();
});

test('values are nested at most 64 deep', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  // The body is in four levels: the file, expect, its item, match.
  const faultsAt = (levels: number) => faultsWith(`"expect": [{"match": {"body": ${nested(levels)}}, "count": 1}]`);
  const path = `$.expect[0].match.body${'[0]'.repeat(60)}`;
  const fault = { file: 'x.json', path, found: 'values nested more than 64 deep', expected: 'at most 64 levels' };
  expect([faultsAt(60), faultsAt(61), faultsAt(100_000)]).toEqual([[], [fault], [fault]]);
});

test('a file has at most 100,000 values', () => {
  const numbers = (count: number) => Array.from({ length: count }, () => 0);
  const lists = Array.from({ length: 400 }, () => numbers(300));
  const object = Object.fromEntries(numbers(100_001).map((_, index) => [`k${index}`, 0]));
  for (const large of [numbers(100_001), lists, object])
    expect(faultsWith(`"faults": ${JSON.stringify(large)}`)).toEqual([
      { file: 'x.json', path: '$', found: 'more than 100000 values', expected: expect.stringContaining('100000') },
    ]);
  expect(faultsWith(`"expect": ${JSON.stringify(numbers(9000))}`)).toHaveLength(9000);
});

test('each error of each file is a line, the first twenty are in the message', () => {
  const faults = faultsOf(['b.json', fileWith('"clock": {"rate": -1}, "extra": 1')], ['A.json', { intent: 1 }]);
  const places = ['b.json $.clock.rate', 'b.json $', 'A.json $', 'A.json $.intent', 'A.json $.right_client'];
  expect(faults.map(({ file, path }) => `${file} ${path}`)).toEqual(places);
  const many = new ScenariosError(Array.from({ length: 25 }, () => faults).flat()).message.split('\n');
  expect([many.length, many.at(-1)]).toEqual([21, '… and 105 more']);
});

const fixtures = readFixtures(shippedFiles('fixtures'));
const [pag, order] = [pagId(1), orderId(1)];
const lowerCase = 'abcdef00-0000-4000-8000-000000000001';
const order_lines = [{ id: unknownId, pouches: [{ pack_id: 'PACK-1' }] }];
const user = (n: number) => `12000000-0000-4000-8000-00000000000${n}`;
const newPag = { id: unknownId, brand_id: brandOfDemo, name: 'New', status: 'Active', duration: 14 };

type Parts = Readonly<Record<string, unknown>>;
/** The errors of scenarios `one.json`, `two.json` with the fixtures, applied together or each alone. */
function misfits(parts: readonly Parts[], together = false) {
  const files = parts.map((part, index) => ({
    name: `${['one', 'two'][index]}.json`,
    content: { ...valid, ...part },
  }));
  return scenarioFaults(readScenarios(files), { fixtures, together });
}
const misfitsOf = (data: Parts) => misfits([{ data }]);

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
          { id: pagId(2), duration: null },
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
        orders: [{ id: orderId(18), brand_id: otherBrand, consumer_id: lowerCase, order_lines }],
      },
      {
        accounts: [{ id: unknownId, name: 'New', active: true }],
        brands: [{ id: unknownId, account_id: unknownId, name: 'New' }],
        pags: [{ ...newPag, brand_id: unknownId }],
      },
      {},
    ];
    expect(all.map(misfitsOf)).toEqual(all.map(() => []));
    expect(fixtures).toEqual(before);
  });

  test.each<[collection: string, records: Parts[], path: string, found: string, expected: RegExp]>([
    ['pags', [{ id: pag, duration: '30' }], '[0].duration', '"30"', /number/],
    ['pags', [{ id: pag, name: null }], '[0].name', 'nothing', /string/],
    ['pags', [{ id: pag, color: 'red' }], '[0]', 'the unknown key "color"', /one of id, brand_id/],
    ['pags', [{ id: pag }, { id: pag }], '[1].id', pag, /not used before in data\.pags/],
    ['pags', [{ id: pag, brand_id: unknownId }], '[0].brand_id', unknownId, /a record in brands/],
    ['orders', [{ id: order, brand_id: otherBrand }], '[0].consumer_id', '40000000', /same brand/],
    [
      'consumers',
      [{ id: consumerId(1), brand_id: otherBrand }],
      '[0].brand_id',
      otherBrand,
      /one that keeps orders "50/,
    ],
    ['users', [{ id: user(2), username: 'demo' }], '[0].username', '"demo"', /username.*no other user has/],
  ])('is rejected at its place: %s %j', (collection, records, at, found, expected) => {
    const path = `$.data.${collection}${at}`;
    const [fault] = misfitsOf({ [collection]: records });
    const texts = { found: expect.stringContaining(found), expected: expect.stringMatching(expected) };
    expect(fault).toEqual({ file: 'one.json', path, ...texts });
  });

  test('is rejected if a patch has no record, with each missing field', () => {
    const faults = misfitsOf({ pags: [{ id: unknownId, duration: 30 }], users: [{ id: unknownId }] });
    const ofPags = faults.filter(({ path }) => path.startsWith('$.data.pags'));
    expect(ofPags.map(({ path, found }) => `${path} ${found}`)).toEqual([
      `$.data.pags[0].id "${unknownId}"`,
      ...['brand_id', 'name', 'status'].map((field) => `$.data.pags[0].${field} nothing`),
    ]);
    expect(ofPags[0]?.expected).toBe('the id of a record in pags, or a whole new record');
    const ofUsers = ['$.data.users[0].id', '$.data.users[0].password'];
    expect(faults.map(({ path }) => path)).toEqual(expect.arrayContaining(ofUsers));
  });
});

describe('the ids of a switch', () => {
  const inactive = (...ids: readonly string[]) => ({ switches: { inactive_pags: { ids } } });
  const hints = (...ids: readonly string[]) => misfits([inactive(...ids)]).map(({ expected }) => expected);

  test('exist in the fixtures or in the data of the scenario', () => {
    expect(misfits([{ ...inactive(unknownId, pag), data: { pags: [newPag] } }])).toEqual([]);
    const [fault] = misfits([inactive(pag, unknownId)]);
    const expected = 'the id of a record in pags';
    const path = '$.switches.inactive_pags.ids[1]';
    expect(fault).toEqual({ file: 'one.json', path, found: `"${unknownId}"`, expected });
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
    expect(misfits(parts)).toEqual([]);
    const expected = 'an id that no other fault of the sandbox has';
    const found = '"lost"';
    expect(misfits(parts, true)).toEqual([{ file: 'two.json', path: '$.faults[1].id', found, expected }]);
    const implicit = misfits([{ faults: [{ id: 'one-2', status: 500 }, { status: 500 }] }]);
    expect(implicit).toMatchObject([{ path: '$.faults[1].id', found: '"one-2"' }]);
  });

  test('have data that fits together; the last switch, assumption and patch wins', () => {
    const same = [1, 2].map((n) => ({ data: { users: [{ id: user(n), username: 'same' }] } }));
    expect(misfits(same)).toEqual([]);
    expect(misfits(same, true)).toMatchObject([{ file: 'two.json', path: '$.data.users[0].username' }]);
    const parts = (n: number) => ({
      switches: { rate_limit: { burst: n } },
      assumptions: { max_limit: n === 1 ? '50' : '100' },
      data: { pags: [{ id: pag, duration: n }] },
    });
    expect(misfits([parts(1), parts(2)], true)).toEqual([]);
  });
});

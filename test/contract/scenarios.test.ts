// Scenario files are refused with the file, the place, what stands there and what should; every fault of every file is told.
import { describe, expect, test } from 'vitest';
import { type FileFault, ScenariosError } from '../../src/contract/file-errors.ts';
import { readScenarios } from '../../src/contract/scenarios.ts';

const good = { intent: 'To see.', right_client: 'Looks.' };

/** The faults of files, by name and content; a content given as text is parsed. */
function faultsOf(...files: readonly (readonly [name: string, content: unknown])[]): readonly FileFault[] {
  try {
    readScenarios(
      files.map(([name, content]) => ({ name, content: typeof content === 'string' ? JSON.parse(content) : content })),
    );
  } catch (error) {
    if (error instanceof ScenariosError) return error.faults;
    throw error;
  }
  return [];
}

/** A good file with these members, as text, so that keys stand as JSON.parse makes them. */
const fileWith = (members: string): string => `{"intent": "To see.", "right_client": "Looks.", ${members}}`;

describe('the name of a scenario', () => {
  test.each([
    ['scenarios/no-pag.json', 'no-pag'],
    ['../mine/no-pag.json', 'no-pag'],
    ['/abs/a.b_c-1.json', 'a.b_c-1'],
    ['7.json', '7'],
    [`${'a'.repeat(63)}.json`, 'a'.repeat(63)],
  ])('of %s is %s', (file, name) => {
    expect(readScenarios([{ name: file, content: good }])).toEqual([{ ...good, name }]);
  });

  test.each([
    'x/.json',
    'x/..json',
    'x/...json',
    '.hidden.json',
    '-flag.json',
    'No-Pag.json',
    'no pag.json',
    '..\\secret.json',
    '..%2fsecret.json',
    'a\u0000.json',
    'a\n.json',
    'é.json',
    `${'a'.repeat(64)}.json`,
    'no-pag',
    'no-pag.json/',
    'scenarios/../',
    '',
  ])('%j is refused with its path', (file) => {
    const base = JSON.stringify(file.split('/').at(-1));
    expect(faultsOf([file, good])).toEqual([
      {
        file,
        path: '$',
        found: `the file name ${base.length > 80 ? `${base.slice(0, 77)}…` : base}`,
        expected: expect.stringContaining('token-expiry.json'),
      },
    ]);
  });

  test('stands once', () => {
    expect(faultsOf(['a/x.json', good], ['b/x.json', good])).toEqual([
      { file: 'b/x.json', path: '$', found: 'another one in a/x.json', expected: expect.any(String) },
    ]);
  });
});

describe('a value of the wrong form', () => {
  test.each<[members: string, path: string, found: string, expected: RegExp]>([
    ['"extra": 1', '$', 'the unknown key "extra"', /one of intent, switches, faults.*conduct/],
    ['"intent": ""', '$.intent', '""', /1 char/],
    ['"intent": 7', '$.intent', '7', /string/],
    ['"right_client": null', '$.right_client', 'null', /string/],
    ['"switches": {"token_expirey": {}}', '$.switches', 'the unknown key "token_expirey"', /token_expiry.*maintenance/],
    ['"switches": {"latency": {"milliseconds": 1, "who": 1}}', '$.switches.latency', 'key "who"', /probability, match/],
    ['"switches": {"rate_limit": {"burst": 0}}', '$.switches.rate_limit.burst', '0', /^a number of at least 1$/],
    ['"switches": {"rate_limit": {"burst": 1, "for_seconds": 1}}', '$.switches.rate_limit', '{"burst":1', /one of/],
    ['"switches": {"maintenance": true}', '$.switches.maintenance', 'true', /object/],
    ['"switches": []', '$.switches', '[]', /object/],
    ['"faults": {}', '$.faults', '{}', /^a list$/],
    ['"faults": [{}]', '$.faults[0]', '{}', /status, delay and drop/],
    ['"faults": [{"status": 418}]', '$.faults[0].status', '418', /429/],
    ['"faults": [{"status": 500, "id": "latency"}]', '$.faults[0].id', '"latency"', /not the name of a switch/],
    [
      '"faults": [{"status": 500, "match": {"path": "v2"}}]',
      '$.faults[0].match.path',
      '"v2"',
      /a path of the contract/,
    ],
    ['"faults": [{"status": 500, "match": {"rule": "ORD-1"}}]', '$.faults[0].match', 'the unknown key "rule"', /body/],
    ['"faults": [{"status": 500, "id": "a"}, {"drop": "mid_body", "id": "a"}]', '$.faults[1].id', '"a"', /not used/],
    ['"assumptions": {"next_cursor": "metta"}', '$.assumptions.next_cursor', '"metta"', /link_header/],
    ['"assumptions": {"next_curser": "meta"}', '$.assumptions', 'the unknown key "next_curser"', /next_cursor/],
    ['"clock": {"now": "yesterday"}', '$.clock.now', '"yesterday"', /ISO 8601/],
    ['"data": {"operator": []}', '$.data', 'the unknown key "operator"', /accounts.*pags/],
    ['"data": {"pags": []}', '$.data.pags', '[]', /1 item/],
    ['"data": {"pags": [{"name": "x"}]}', '$.data.pags[0].id', 'nothing', /string/],
    ['"data": {"pags": [null]}', '$.data.pags[0]', 'null', /object/],
    ['"expect": [{"match": {}, "count": -1}]', '$.expect[0].count', '-1', /number/],
    ['"expect": [{"match": {}, "count": {"at_least": 3, "at_most": 1}}]', '$.expect[0].count.at_most', '1', /at_least/],
    ['"expect": [{"match": {"status": 418}, "count": 1}]', '$.expect[0].match.status', '418', /200, 201, .*, 504/],
    ['"expect": [{"match": {"rule": "ORD-99"}, "count": 1}]', '$.expect[0].match.rule', '"ORD-99"', /ORD-23/],
    ['"conduct": ["patience"]', '$.conduct[0]', '"patience"', /retry_after/],
  ])('%s', (members, path, found, expected) => {
    expect(faultsOf(['x.json', fileWith(members)])).toEqual([
      { file: 'x.json', path, found: expect.stringContaining(found), expected: expect.stringMatching(expected) },
    ]);
  });

  test.each(['null', '7', '"text"', 'true', '[]', '[{}]'])('a file that holds %s', (text) => {
    expect(faultsOf(['x.json', text])).toMatchObject([
      { path: '$', found: text, expected: expect.stringContaining('object') },
    ]);
  });

  test('a file that holds nothing', () => {
    expect(() => readScenarios([{ name: 'x.json', content: undefined }])).toThrow(ScenariosError);
  });

  test('an empty object: both fields it needs', () => {
    expect(faultsOf(['x.json', {}]).map(({ path, found }) => [path, found])).toEqual([
      ['$.intent', 'nothing'],
      ['$.right_client', 'nothing'],
    ]);
  });
});

describe('the nearest name is asked for', () => {
  test.each([
    ['"switches": {"token_expirey": {}}', 'token_expiry'],
    ['"switches": {"missing_permission": {"permissions": ["order:write"]}}', 'orders:write'],
    ['"faults": [{"status": 500, "match": {"operation": "order.create"}}]', 'orders.create'],
    ['"expect": [{"match": {"operation": "orders.creat"}, "count": 1}]', 'orders.create'],
    ['"data": {"consumer": []}', 'consumers'],
    ['"conduct": ["retry_afer"]', 'retry_after'],
  ])('%s', (members, name) => {
    expect(faultsOf(['x.json', fileWith(members)])).toMatchObject([
      { expected: expect.stringMatching(new RegExp(`\\. Did you mean "${name}"\\?$`)) },
    ]);
  });
});

describe('what is unsound is refused wherever it stands', () => {
  test.each([
    ['"__proto__": {"intent": "x"}', '$'],
    ['"constructor": {"prototype": {"x": 1}}', '$'],
    ['"switches": {"__proto__": null}', '$.switches'],
    ['"data": {"pags": [{"id": "x", "__proto__": {"duration": 30}}]}', '$.data.pags[0]'],
    ['"data": {"pags": [{"id": "x", "deep": {"list": [{"prototype": 1}]}}]}', '$.data.pags[0].deep.list[0]'],
    ['"expect": [{"match": {"body": {"a b": {"constructor": 1}}}, "count": 1}]', '$.expect[0].match.body["a b"]'],
  ])('%s', (members, path) => {
    const [fault, ...others] = faultsOf(['x.json', fileWith(members)]);
    expect(others).toEqual([]);
    expect(fault).toEqual({
      file: 'x.json',
      path,
      found: expect.stringMatching(/^the key "(?:__proto__|constructor|prototype)"$/),
      expected: expect.stringContaining('no key called'),
    });
    expect(({} as { intent?: string }).intent).toBeUndefined();
  });

  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  const body = (levels: number): string => fileWith(`"expect": [{"match": {"body": ${nested(levels)}}, "count": 1}]`);

  test('values nested 64 deep are taken, deeper ones are told with their place', () => {
    // The body stands in four levels: the file, expect, its item, match.
    expect(faultsOf(['x.json', body(60)])).toEqual([]);
    expect(faultsOf(['x.json', body(61)])).toEqual([
      {
        file: 'x.json',
        path: `$.expect[0].match.body${'[0]'.repeat(60)}`,
        found: 'values nested more than 64 deep',
        expected: 'at most 64 levels',
      },
    ]);
    expect(faultsOf(['x.json', body(100_000)])).toHaveLength(1);
  });

  test.each([
    ['a list', JSON.stringify(Array.from({ length: 1_000_000 }, () => 0))],
    ['lists', JSON.stringify(Array.from({ length: 1000 }, () => Array.from({ length: 1000 }, () => 0)))],
    ['an object', JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 0])))],
  ])('%s without end', (_, text) => {
    expect(faultsOf(['x.json', fileWith(`"faults": ${text}`)])).toEqual([
      {
        file: 'x.json',
        path: '$',
        found: 'more than 100000 values',
        expected: expect.stringContaining('100000'),
      },
    ]);
  });

  test('a list of 90,000 wrong values is told value by value', () => {
    const text = JSON.stringify(Array.from({ length: 90_000 }, () => 0));
    expect(faultsOf(['x.json', fileWith(`"expect": ${text}`)])).toHaveLength(90_000);
  });
});

test('every fault of every file is told, a line each, the first twenty in the message', () => {
  const files = [
    ['b.json', fileWith('"clock": {"rate": -1}, "extra": 1')],
    ['A.json', { intent: 1 }],
    ['c.json', good],
  ] as const;
  const faults = faultsOf(...files);
  expect(faults.map(({ file, path }) => `${file} ${path}`)).toEqual([
    'b.json $.clock.rate',
    'b.json $',
    'A.json $',
    'A.json $.intent',
    'A.json $.right_client',
  ]);
  expect(new ScenariosError(faults).message.split('\n')).toHaveLength(5);
  const many = new ScenariosError(Array.from({ length: 25 }, () => faults).flat()).message.split('\n');
  expect(many).toHaveLength(21);
  expect(many.at(-1)).toBe('… and 105 more');
});

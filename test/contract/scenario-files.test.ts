// Scenario files are rejected with the file, the path, the value that was found and what is expected; each error of each file is reported.
import { describe, expect, test } from 'vitest';
import { type FileFault, ScenariosError } from '../../src/contract/file-errors.ts';
import { readScenarios } from '../../src/contract/scenarios.ts';

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

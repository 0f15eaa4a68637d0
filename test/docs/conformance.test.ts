// docs/reference/conformance.md shows the ledger of these sources and tests, the ledger has no gap, and its check finds gaps.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { assumptionRegister } from '../../src/contract/assumptions.ts';
import { numberedRules, ruleGroups, rules } from '../../src/contract/rules.ts';
import { sections } from '../contract/statements/all.ts';
import { root } from '../support/command.ts';
import { enforces, type ListedTest, listedTests, type SourceFile, sourceFiles } from '../support/ledger-inputs.ts';
import { follows, isAbout, rulesOfSource, rulesOfTest } from '../support/ledger-mentions.ts';
import { everyReading, gapsOf, type Ledger, ledgerOf } from './conformance-ledger.ts';
import { conformancePage } from './conformance-page.ts';

const page = join(root, 'docs/reference/conformance.md');

describe('the numbered rules', () => {
  test('have each number of a refusal, and a sentence each', () => {
    const refusals = Object.keys(rules).filter((id) => /^[A-Z]+-\d+$/.test(id));
    expect(numberedRules.map(({ id }) => id)).toEqual(expect.arrayContaining(refusals));
    for (const { id, contract, requires } of numberedRules) expect(contract ?? requires, id).toMatch(/\S{3}/);
  });

  test('are those of each group by their numbers, from 1 on', () => {
    for (const { letters } of ruleGroups) {
      const numbers = numberedRules.map(({ id }) => id).filter((id) => id.startsWith(`${letters}-`));
      expect(numbers.length, letters).toBeGreaterThan(0);
      expect(numbers).toEqual(numbers.map((_, index) => `${letters}-${index + 1}`));
    }
  });
});

describe('the ledger', () => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = ledgerOf(await listedTests(), sourceFiles());
  }, 180_000);

  test('has a source for every rule and assumption, and a proof for every rule and reading', () => {
    expect(gapsOf(ledger)).toEqual([]);
  });

  test('is the page docs/reference/conformance.md (`npm run docs` writes it)', () => {
    if (process.env.UPDATE_DOCS) writeFileSync(page, conformancePage(ledger));
    else expect(readFileSync(page, 'utf8'), 'stale: run `npm run docs`').toBe(conformancePage(ledger));
  });
});

test.each(sections.flatMap(({ statements }) => statements))('the rules behind "%s" exist: %s', (_says, heldBy) => {
  const ids = [...numberedRules.map(({ id }) => id), ...Object.keys(assumptionRegister)];
  expect(ids).toEqual(expect.arrayContaining(heldBy.split(', ')));
});

describe('the check', () => {
  const reading = (id: 'max_limit', n: 0 | 1) => {
    const { question, choices } = assumptionRegister[id];
    return { file: everyReading, name: `${id}: ${question} > ${choices[n].join(': ')}` };
  };
  const source = (text: string, file = 'src/http/a.ts'): SourceFile => ({ file, text });
  const gaps = (tests: readonly ListedTest[], sources: readonly SourceFile[] = []) => gapsOf(ledgerOf(tests, sources));

  test('finds every gap where there is nothing', () => {
    const all = gaps([]);
    const readings = Object.values(assumptionRegister).flatMap((assumption) => [...assumption.choices]);
    expect(all).toHaveLength(2 * numberedRules.length + Object.keys(assumptionRegister).length + readings.length + 2);
    expect(all).toEqual(expect.arrayContaining(['ORD-1: no test names it', 'ORD-1: no source names it']));
  });

  test('takes no rule for another that begins as it does', () => {
    const found = gaps([{ file: 'test/a.test.ts', name: 'refuses by ORD-12' }], [source('// An e-mail (ORD-12).')]);
    expect(found).toEqual(expect.arrayContaining(['ORD-1: no test names it', 'ORD-1: no source names it']));
    expect(found.filter((gap) => gap.startsWith('ORD-12:'))).toEqual([]);
  });

  test('finds the reading that alone is not shown, and takes no other test for it', () => {
    const found = gaps([reading('max_limit', 0), { file: 'test/a.test.ts', name: reading('max_limit', 1).name }]);
    expect(found).not.toContain('max_limit=100: no test shows it');
    expect(found).toContain('max_limit=50: no test shows it');
  });

  test('does not take a rule that a gloss of a reading names for one that is proved', () => {
    expect(gaps([{ file: everyReading, name: 'pack_id: its format > known: checked after ORD-18' }])).toContain(
      'ORD-18: no test names it',
    );
  });

  test.each([
    ['refuses by ORD-9', ['ORD-9']],
    ['a consumer (ORD-9 to ORD-11, ORD-26)', ['ORD-10', 'ORD-11', 'ORD-26', 'ORD-9']],
    ['the match {"rule":"ORD-15"} means the call', []],
    ['orders.create refused by ORD-1 changes nothing (ORD-27)', ['ORD-27']],
    ['WORD-1 and ORD-1b', ['WORD-1']],
  ])('reads the name of a test: %s', (name, expected) => {
    expect([...rulesOfTest(name)].sort()).toEqual(expected);
  });

  test.each([
    ["// Its length (ORD-13).\nconst refusals = [\n  'ORD-14',\n];", ['ORD-13']],
    ["    refusals: ['ORD-1', 'ORD-2'],", []],
    ["  429: 'LIM-1',\n", []],
    ["if (over) throw new Refusal('LIM-1');", ['LIM-1']],
    [" * @example throw new Refusal('ORD-11')", []],
  ])('reads what a source enforces: %s', (text, expected) => {
    expect([...rulesOfSource(text)]).toEqual(expected);
  });

  test('does not look in a catalogue for the code that enforces', () => {
    expect(enforces(source('', 'src/contract/rules.ts'))).toBe(false);
    expect(enforces(source('', 'src/contract/order-request.ts'))).toBe(true);
  });

  test.each([
    ['list_order', 'under list_order: oldest_first', true],
    ['list_order', 'where list_order is newest_first', true],
    ['malformed_body', 'by the reading 422 of malformed_body', true],
    ['malformed_body', 'orders.create refuses by malformed_body', true],
    ['permissions', 'Insufficient permissions for all', false],
    ['permissions', 'a user with all permissions', false],
    ['permissions', '{"permissions":["all"]}', false],
    ['max_limit', 'over_max_limit: 100', false],
    ['rate_limit', 'the switch rate_limit, a burst', false],
    ['rate_limit', 'null turns rate_limit off', false],
    ['max_limit', 'where max_limit is 1000', false],
  ] as const)('of %s, reads the name of a test: %s: %s', (id, name, expected) => {
    expect(isAbout(id, assumptionRegister[id], name)).toBe(expected);
  });

  test.each([
    ["assumptions.get('max_limit')", true],
    ["assumptions.get('over_max_limit')", false],
    ['// The largest (`max_limit`).', true],
    ["const name = 'max_limit';", false],
  ])('of max_limit, reads a source: %s: %s', (text, expected) => {
    expect(follows('max_limit', text)).toBe(expected);
  });
});

// Each generated table is on a page and up to date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rules } from '../../src/contract/rules.ts';
import { prepare } from '../cases/rejected.ts';
import { rows } from '../cases/table.ts';
import { root } from '../support/command.ts';
import { missingTables, readPages, withTables } from './generated-tables.ts';
import { assumptionsOf, clientRules } from './tables/errors.ts';

const pages = readPages();

test('each table is on one page, between its markers, and up to date (`npm run docs` writes them)', () => {
  expect(missingTables(pages)).toEqual([]);
  for (const { file, text } of pages) {
    if (process.env.UPDATE_DOCS) writeFileSync(join(root, file), withTables(text));
    else expect(text, file).toBe(withTables(text));
  }
});

test('the table of errors has each rule, except the faults and limits that testers set', () => {
  const others = Object.keys(rules).filter((rule) => !clientRules.some((known) => known === rule));
  const faults = [400, 401, 404, 422, 502, 503, 504].map((status) => `fault_${status}`);
  expect(others.sort()).toEqual([...faults, 'max_delayed', 'max_memory', 'max_records']);
});

test('the rules that the table of errors shows as off by default do not reject then', async () => {
  const rejecting: string[] = [];
  for (const rule of clientRules.filter((one) => assumptionsOf(one).length > 0)) {
    const [assumption = '', ...more] = assumptionsOf(rule);
    expect(more, rule).toEqual([]);
    for (const { id, given } of rows.filter((row) => row.rule === rule)) {
      const { [assumption]: _, ...others } = { ...given.assumptions } as Record<string, string>;
      const { headers } = await (await prepare(id, { ...given, assumptions: others })).send();
      if (headers.get('sandbox-rule') === rule) rejecting.push(`${id} ${rule}`);
    }
  }
  expect(rejecting).toEqual([]);
});

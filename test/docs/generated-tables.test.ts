// Each generated table is on a page and up to date, and a stale or missing one is found.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../support/command.ts';
import { markerFaults, markersOf, readPages, tableNames, withTables } from './generated-tables.ts';

const pages = readPages();
const tablePages = pages.filter(({ text }) => markersOf(text).length > 0);

test('each table is on one page, between its markers', () => {
  expect(markerFaults(pages)).toEqual([]);
});

test.each(tablePages)('the tables of $file are up to date (`npm run docs` writes them)', ({ file, text }) => {
  if (process.env.UPDATE_DOCS) writeFileSync(join(root, file), withTables(text));
  else expect(text).toBe(withTables(text));
});

describe('the check', () => {
  const [page] = tablePages.map(({ file, text }) => ({ file, text: withTables(text) }));
  const { file = '', text = '' } = page ?? {};
  const [name = ''] = markersOf(text);
  const others = pages.filter((other) => other.file !== file);
  const faults = (changed: string) => markerFaults([...others, { file, text: changed }]);

  test('finds a stale table', () => {
    const stale = text.replace(`\n\n<!-- /${name} -->`, ` stale\n\n<!-- /${name} -->`);
    expect(stale).not.toBe(text);
    expect(withTables(stale)).toBe(text);
  });

  test('finds a missing table', () => {
    expect(markerFaults([])).toHaveLength(tableNames.length);
    expect(faults(text.replace(`<!-- ${name} -->`, '').replace(`<!-- /${name} -->`, ''))).toHaveLength(1);
  });

  test('finds a table that is on two pages', () => {
    expect(markerFaults([...pages, { file, text }])).toContain(`the table "${name}" must be on exactly one page`);
  });

  test('finds a marker without its partner', () => {
    expect(faults(text.replace(`<!-- /${name} -->`, ''))).toContain(`${file}: the marker "${name}" has no partner`);
    expect(faults(text.replace(`<!-- ${name} -->`, ''))).toContain(`${file}: the marker "/${name}" has no partner`);
  });
});

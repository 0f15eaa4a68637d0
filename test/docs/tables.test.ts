// That a stale table is found, and that what the tables are made of says something of itself.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fault, switches } from '../../src/contract/control/switches.ts';
import { rules } from '../../src/contract/rules.ts';
import { serveFlags } from '../../src/node/cli/serve-flags.ts';
import { rows } from '../cases/table.ts';
import { prepare } from '../support/refused.ts';
import { tableNames, withTables } from './readme-tables.ts';
import { casesOf, clientRules, errorsTable, kindOf, turnedFor } from './tables/errors.ts';
import { descriptionOf } from './tables/levers.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const current = withTables(readme);

describe.each(tableNames)('the table %s', (name) => {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];

  test('is found stale by one changed word', () => {
    const at = current.indexOf(end) - 3;
    const stale = `${current.slice(0, at)} stale${current.slice(at)}`;
    expect(stale).not.toBe(current);
    expect(withTables(stale)).toBe(current);
  });

  test.each([start, end])('needs its marker %s, once', (marker) => {
    expect(() => withTables(readme.replace(marker, ''))).toThrow(`README.md must have ${marker} once`);
    expect(() => withTables(`${readme}\n${marker}\n`)).toThrow(`README.md must have ${marker} once`);
  });

  test('does not end before it begins', () => {
    const turned = readme.replace(start, '<!---->').replace(end, start).replace('<!---->', end);
    expect(() => withTables(turned)).toThrow(`ends the table "${name}" before it begins`);
  });
});

test('no other comment of the README looks like a marker', () => {
  const markers = Array.from(readme.matchAll(/<!-- *(\/?)(.*?) *-->/g), ([, slash, name]) => `${slash}${name}`);
  expect(markers.sort()).toEqual(tableNames.flatMap((name) => [name, `/${name}`]).sort());
});

describe('what is told of itself', () => {
  const overrides = Object.entries<z.ZodObject>({ ...switches, fault });
  const fields = overrides.flatMap(([name, { shape }]) =>
    Object.entries(shape).map(([field, schema]) => [`${name}.${field}`, schema as z.ZodType] as const),
  );

  test.each([...overrides, ...fields])('%s has a description', (name, schema) => {
    expect(descriptionOf(name, schema)).toMatch(/^\S.*\S$/);
  });

  test('a schema without one is found', () => {
    expect(() => descriptionOf('it', z.string().optional())).toThrow('it has no description');
  });

  test.each(serveFlags().map((flag) => [flag.flags, flag] as const))('%s has a description', (_, { description }) => {
    expect(description).toMatch(/^\S.*\S$/);
  });
});

describe('the errors', () => {
  const told = errorsTable();

  test('have a row for each rule of a client, and none for those that a tester sets', () => {
    expect(Array.from(told.matchAll(/^\| `(.*?)` \|/gm), ([, rule]) => rule)).toEqual(clientRules);
    const others = Object.keys(rules).filter((rule) => !clientRules.some((known) => known === rule));
    expect(others.sort()).toEqual(['fault_400', 'fault_404', 'fault_422', 'max_delayed', 'max_memory', 'max_records']);
  });

  test.each(clientRules)('%s shows each of its refusals that differs in more than a name of a field', (rule) => {
    const kinds = rows.filter((row) => row.rule === rule).map(({ given }) => kindOf(given.refused));
    expect(
      casesOf(rule)
        .map(({ given }) => kindOf(given.refused))
        .sort(),
    ).toEqual([...new Set(kinds)].sort());
  });

  test.each(clientRules.filter((rule) => turnedFor(rule).length > 0))('%s does not refuse by default', async (rule) => {
    expect(turnedFor(rule)).toHaveLength(1);
    for (const { id, given } of rows.filter((row) => row.rule === rule)) {
      const { [turnedFor(rule)[0] ?? '']: _, ...others } = { ...given.assumptions } as Record<string, string>;
      const { send } = await prepare(id, { ...given, assumptions: others });
      expect((await send()).headers.get('sandbox-rule'), id).not.toBe(rule);
    }
  });
});

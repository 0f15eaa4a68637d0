// The sources of the tables: every schema and flag has a description, and the errors are complete.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fault, switches } from '../../src/contract/control/switches.ts';
import { rules } from '../../src/contract/rules.ts';
import { serveFlags } from '../../src/node/cli/serve-flags.ts';
import { rows } from '../cases/table.ts';
import { prepare } from '../support/refused.ts';
import { assumptionsOf, casesOf, clientRules, errorsTable, kindOf } from './tables/errors.ts';
import { descriptionOf } from './tables/switches.ts';

describe('the descriptions', () => {
  const overrides = Object.entries<z.ZodObject>({ ...switches, fault });
  const fields = overrides.flatMap(([name, { shape }]) =>
    Object.entries(shape).map(([field, schema]) => [`${name}.${field}`, schema as z.ZodType] as const),
  );

  test.each([...overrides, ...fields])('%s has a description', (name, schema) => {
    expect(descriptionOf(name, schema)).toMatch(/^\S.*\S$/);
  });

  test('a schema without a description is found', () => {
    expect(() => descriptionOf('it', z.string().optional())).toThrow('it has no description');
  });

  test.each(serveFlags().map((flag) => [flag.flags, flag] as const))('%s has a description', (_, { description }) => {
    expect(description).toMatch(/^\S.*\S$/);
  });
});

describe('the errors', () => {
  const shown = errorsTable();

  test('have a row for each rule that a client can break, and no other', () => {
    expect(Array.from(shown.matchAll(/^\| `(.*?)` \|/gm), ([, rule]) => rule)).toEqual(clientRules);
    const others = Object.keys(rules).filter((rule) => !clientRules.some((known) => known === rule));
    const faults = [400, 401, 404, 422, 502, 503, 504].map((status) => `fault_${status}`);
    expect(others.sort()).toEqual([...faults, 'max_delayed', 'max_memory', 'max_records']);
  });

  test.each(clientRules)('%s shows each refusal that differs by more than a field name', (rule) => {
    const kinds = rows.filter((row) => row.rule === rule).map(({ given }) => kindOf(given.refused));
    expect(
      casesOf(rule)
        .map(({ given }) => kindOf(given.refused))
        .sort(),
    ).toEqual([...new Set(kinds)].sort());
  });

  test.each(clientRules.filter((rule) => assumptionsOf(rule).length > 0))(
    '%s does not refuse by default',
    async (rule) => {
      expect(assumptionsOf(rule)).toHaveLength(1);
      for (const { id, given } of rows.filter((row) => row.rule === rule)) {
        const { [assumptionsOf(rule)[0] ?? '']: _, ...others } = { ...given.assumptions } as Record<string, string>;
        const { send } = await prepare(id, { ...given, assumptions: others });
        expect((await send()).headers.get('sandbox-rule'), id).not.toBe(rule);
      }
    },
  );
});

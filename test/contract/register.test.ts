// The register of assumptions, how choices are resolved, and which of them a request has used.
import { describe, expect, test } from 'vitest';
import { assumptionIds, assumptionRegister, profiles } from '../../src/contract/assumptions.ts';
import { orderRequest } from '../../src/contract/order-request.ts';
import {
  Assumptions,
  choicesText,
  internChoices,
  perAssumptions,
  resolveChoices,
  UnknownChoiceError,
} from '../../src/contract/resolved-assumptions.ts';

const table = assumptionIds.map((id) => [id, ...assumptionRegister[id].choices.map(([choice]) => choice)] as const);
const defaults = Object.fromEntries(table.map(([id, first]) => [id, first]));

describe('resolving choices', () => {
  test('uses the default, then the profile, then the single choice', () => {
    expect(resolveChoices()).toEqual(defaults);
    expect(resolveChoices({ next_cursor: 'meta' })).toEqual({ ...defaults, next_cursor: 'meta' });
    expect(resolveChoices({}, 'strict')).toEqual({ ...defaults, order_endpoints: 'absent' });
    expect(resolveChoices({ order_endpoints: 'assumed' }, 'strict')).toEqual(defaults);
    expect(Object.keys(profiles)).toEqual(['default', 'strict']);
    const changed = resolveChoices({ list_order: 'oldest_first', next_cursor: 'meta' });
    expect(choicesText(changed)).toBe('next_cursor=meta,list_order=oldest_first');
    expect(Object.isFrozen(resolveChoices({ next_cursor: 'meta' }))).toBe(true);
  });

  test.each([
    ['assumption', { next_courser: 'meta' }, 'default', ['next_courser', 'next_cursor', 'validation_placement']],
    ['inherited name', { toString: 'meta' }, 'default', ['toString', 'next_cursor']],
    ['choice', { next_cursor: 'footer' }, 'default', ['next_cursor', 'footer', 'body, meta, link_header, header']],
    ['profile', {}, 'lax', ['lax', 'default, strict']],
    ['inherited profile', {}, 'constructor', ['constructor', 'default, strict']],
  ])('rejects an unknown %s with the known ones', (_, choices, profile, named) => {
    const choose = () => resolveChoices(choices as Record<string, string>, profile);
    expect(choose).toThrow(UnknownChoiceError);
    for (const name of named) expect(choose).toThrow(name);
  });
});

describe('the assumptions of a request', () => {
  const times = ['Morning'];
  const newAssumptions = (choices: Record<string, string> = {}, values = times) =>
    new Assumptions(resolveChoices(choices), values);
  const used = (assumptions: Assumptions) => [...assumptions.used].sort();
  const cursorSchema = () =>
    perAssumptions((assumptions) => ({
      cursor: assumptions.get('next_cursor'),
      times: assumptions.administrationTimes,
    }));

  test('build a schema once per combination of the choices and times that it reads', () => {
    const build = cursorSchema();
    const first = build(newAssumptions());
    expect([build(newAssumptions()) === first, build(newAssumptions({ next_cursor: 'body' })) === first]).toEqual([
      true,
      true,
    ]);
    expect(build(newAssumptions({ next_cursor: 'meta' }))).toEqual({ cursor: 'meta', times: ['Morning'] });
    expect(build(newAssumptions({}, ['Evening']))).toEqual({ cursor: 'body', times: ['Evening'] });
  });

  test('record the choices of a schema at each use, also of nested ones, but no others', () => {
    const build = cursorSchema();
    const outer = perAssumptions((assumptions) => [build(assumptions), assumptions.get('list_order')]);
    const first = newAssumptions();
    first.get('max_limit');
    build(first);
    for (const [schema, expected] of [
      [build, ['next_cursor']],
      [outer, ['list_order', 'next_cursor']],
      [outer, ['list_order', 'next_cursor']],
    ] as const) {
      const assumptions = newAssumptions();
      schema(assumptions);
      expect(used(assumptions)).toEqual(expected);
    }
  });

  test('of an order are those that shape its schema', () => {
    for (let use = 0; use < 2; use += 1) {
      const assumptions = newAssumptions();
      orderRequest(assumptions).safeParse({ consumer: {}, order_lines: [{ pouches: [{}] }] });
      expect(used(assumptions).join(' ')).toBe(
        'blank_strings empty_arrays new_consumer_contact numeric_strings phone_format pouch_both time_of_administration unknown_fields wrong_type_words',
      );
    }
  });
});

test('choices are one object per combination: among the last 100 combinations, and while they are held', () => {
  /** The n-th combination of the first two choices of each. */
  const combination = (n: number) => Object.fromEntries(table.map(([id, ...all], bit) => [id, all[(n >> bit) & 1]]));
  const strict = resolveChoices({}, 'strict');
  for (let n = 0; n < 100; n += 1) resolveChoices(combination(n));
  expect(resolveChoices({ order_endpoints: 'absent', next_cursor: 'body' })).toBe(strict);
  expect([internChoices(structuredClone(strict)) === strict, resolveChoices() === strict]).toEqual([true, false]);
  const all = Array.from({ length: 300 }, (_, n) => resolveChoices(combination(n)));
  expect(new Set(all).size).toBe(300);
  for (const [n, choices] of all.entries()) {
    expect(internChoices(choices)).toBe(choices);
    expect(choices).toEqual({ ...defaults, ...combination(n) });
  }
});

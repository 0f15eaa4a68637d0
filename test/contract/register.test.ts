// The register of assumptions, and how choices are resolved.
import { describe, expect, test } from 'vitest';
import { type Assumption, assumptionIds, assumptionRegister, profiles } from '../../src/contract/assumptions.ts';
import { internChoices, resolveChoices, UnknownChoiceError } from '../../src/contract/resolved-assumptions.ts';

/** The first assumptions, which others rely on: id and choices, the default first. New ones need no row here. */
const published = [
  ['validation_placement', 'both', 'details', 'message', 'joined'],
  ['validation_report', 'all', 'first'],
  ['field_path', 'dotted', 'brackets'],
  ['business_rule_status', '422', '400', 'per_kind'],
  ['order_created_status', '201', '200'],
  ['malformed_body', '400', '422'],
  ['malformed_parameter', '400', '422'],
  ['malformed_path_id', '400', '404', '422'],
  ['unauthorized_message', 'Token expired', 'Invalid token', 'Unauthorized'],
  ['bad_credentials', '401', '400', '403'],
  ['bad_refresh_token', '401', '400'],
  ['refresh_token_lifetime', '30d', '24h', 'never', 'single_use'],
  ['new_consumer_contact', 'none', 'email', 'phone_number', 'either', 'both'],
  ['new_consumer_match', 'always_new', 'by_email'],
  ['phone_format', 'pattern', 'length_only'],
  ['unknown_fields', 'reject', 'ignore'],
  ['numeric_strings', 'reject', 'accept'],
  ['empty_arrays', 'reject', 'accept'],
  ['pouch_both', 'documented', 'joi'],
  ['time_of_administration', 'any', 'closed'],
  ['pack_id', 'any', 'known'],
  ['order_fields', 'documented', 'echo'],
  ['order_endpoints', 'assumed', 'absent'],
  ['consumer_endpoints', 'absent', 'assumed'],
  ['single_read_body', 'wrapped', 'bare'],
  ['product_list', 'all', 'active_only'],
  ['foreign_resource', '404', '403'],
  ['next_cursor', 'body', 'meta', 'link_header', 'header'],
  ['max_limit', '100', '50'],
  ['over_max_limit', 'clamp', 'reject'],
  ['list_order', 'newest_first', 'oldest_first'],
  ['absent_values', 'null', 'omitted'],
  ['status_id', 'slug', 'uuid'],
  ['order_transitions', 'documented_path', 'any'],
  ['fulfillment_timeline', 'manual', 'automatic'],
  ['pag_lookup', 'brand_duration', 'brand'],
  ['permissions', 'per_endpoint', 'all'],
  ['rate_limit', 'off', '100/60s'],
] as const;
const table = assumptionIds.map((id) => [id, ...assumptionRegister[id].choices.map(([choice]) => choice)] as const);
const defaults = Object.fromEntries(table.map(([id, first]) => [id, first]));

test('the published assumptions keep their ids, their choices and their defaults', () => {
  expect(table).toEqual(expect.arrayContaining([...published]));
});

test('every assumption has a question, and every reading a gloss', () => {
  const all: readonly Assumption[] = Object.values(assumptionRegister);
  for (const { question, choices } of all) {
    expect(question).toMatch(/\S{3}/);
    for (const [, gloss] of choices) expect(gloss).toMatch(/\S{3}/);
  }
});

describe('choosing readings', () => {
  test('what is not chosen is read by default', () => {
    expect(resolveChoices()).toEqual(defaults);
    expect(resolveChoices({ next_cursor: 'meta' })).toEqual({ ...defaults, next_cursor: 'meta' });
  });

  test('the profile strict differs from the default in the endpoints of orders alone', () => {
    expect(resolveChoices({}, 'strict')).toEqual({ ...defaults, order_endpoints: 'absent' });
    expect(Object.keys(profiles)).toEqual(['default', 'strict']);
  });

  test('a single choice beats the profile', () => {
    expect(resolveChoices({ order_endpoints: 'assumed' }, 'strict')).toEqual(defaults);
  });

  test('the chosen readings cannot be changed', () => {
    expect(Object.isFrozen(resolveChoices({ next_cursor: 'meta' }))).toBe(true);
  });

  test.each([
    ['an assumption', { next_courser: 'meta' }, 'default', ['next_courser', 'next_cursor', 'validation_placement']],
    ['an inherited name', { toString: 'meta' }, 'default', ['toString', 'next_cursor']],
    ['a reading', { next_cursor: 'footer' }, 'default', ['next_cursor', 'footer', 'body, meta, link_header, header']],
    ['a profile', {}, 'lax', ['lax', 'default, strict']],
    ['an inherited profile', {}, 'constructor', ['constructor', 'default, strict']],
  ])('%s that is not there is refused by a message that names what is', (_, choices, profile, named) => {
    const choose = () => resolveChoices(choices as Record<string, string>, profile);
    expect(choose).toThrow(UnknownChoiceError);
    for (const name of named) expect(choose).toThrow(name);
  });
});

describe('interned readings', () => {
  /** The n-th combination of readings, distinct for more than 4,000 of them. */
  const combination = (n: number) => {
    const choices: Record<string, string> = {};
    let rest = n;
    for (const [id, ...offered] of table) {
      choices[id] = offered[rest % offered.length] ?? '';
      rest = Math.floor(rest / offered.length);
    }
    return choices;
  };

  test('the same combination is the same object, however it is chosen', () => {
    const strict = resolveChoices({}, 'strict');
    for (let n = 0; n < 100; n += 1) resolveChoices(combination(n));
    expect(resolveChoices({ order_endpoints: 'absent', next_cursor: 'body' })).toBe(strict);
    expect(internChoices(structuredClone(strict))).toBe(strict);
    expect(resolveChoices()).not.toBe(strict);
  });

  test('300 distinct combinations stay what they are, and themselves while they are held', () => {
    const all = Array.from({ length: 300 }, (_, n) => resolveChoices(combination(n)));
    expect(new Set(all).size).toBe(300);
    for (const [n, choices] of all.entries()) {
      expect(internChoices(choices)).toBe(choices);
      expect(resolveChoices(combination(n))).toEqual({ ...defaults, ...combination(n) });
    }
    expect(resolveChoices(combination(299))).toBe(resolveChoices(combination(299)));
  });
});

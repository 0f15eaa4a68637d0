// The assumptions of a request: what was asked for is known, also where the asking was done earlier, by something built and kept.
import { describe, expect, test } from 'vitest';
import { orderRequest } from '../../src/contract/order-request.ts';
import { Assumptions, perAssumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';

const times = ['Morning'];
const newAssumptions = (choices: Record<string, string> = {}, values: readonly string[] = times) =>
  new Assumptions(resolveChoices(choices), values);

test('they give the choices and remember what was asked', () => {
  const assumptions = newAssumptions({ next_cursor: 'meta' });
  expect([...assumptions.used]).toEqual([]);
  expect([assumptions.get('next_cursor'), assumptions.get('list_order'), assumptions.get('next_cursor')]).toEqual([
    'meta',
    'newest_first',
    'meta',
  ]);
  expect(assumptions.used).toEqual(new Set(['next_cursor', 'list_order']));
});

describe('what is built per combination of choices', () => {
  function builder() {
    const built: Assumptions[] = [];
    const make = perAssumptions((assumptions) => {
      built.push(assumptions);
      return { cursor: assumptions.get('next_cursor'), times: assumptions.administrationTimes };
    });
    return { built, make };
  }

  test('is built once per combination', () => {
    const { built, make } = builder();
    const first = make(newAssumptions());
    expect(make(newAssumptions())).toBe(first);
    expect(make(newAssumptions({ next_cursor: 'body' }))).toBe(first);
    expect(built).toHaveLength(1);
    expect(make(newAssumptions({ next_cursor: 'meta' }))).toEqual({ cursor: 'meta', times });
    expect(make(newAssumptions({}, ['Evening']))).toEqual({ cursor: 'body', times: ['Evening'] });
    expect(built).toHaveLength(3);
  });

  test('counts what it asked as asked, at each use', () => {
    const { make } = builder();
    for (const assumptions of [newAssumptions(), newAssumptions(), newAssumptions()]) {
      make(assumptions);
      expect(assumptions.used).toEqual(new Set(['next_cursor']));
    }
  });

  test('does not count as asked what its first user asked besides', () => {
    const { make } = builder();
    const first = newAssumptions();
    first.get('list_order');
    make(first);
    const second = newAssumptions();
    make(second);
    expect(second.used).toEqual(new Set(['next_cursor']));
  });

  test('counts what a part of it asked, too', () => {
    const { make } = builder();
    const whole = perAssumptions((assumptions) => [make(assumptions), assumptions.get('list_order')]);
    for (const assumptions of [newAssumptions({ next_cursor: 'meta' }), newAssumptions({ next_cursor: 'meta' })]) {
      whole(assumptions);
      expect(assumptions.used).toEqual(new Set(['next_cursor', 'list_order']));
    }
  });
});

test('the schema of an order asks for the assumptions that shape it, and for no other', () => {
  for (let use = 0; use < 2; use += 1) {
    const assumptions = newAssumptions();
    orderRequest(assumptions).safeParse({ consumer: {}, order_lines: [{ pouches: [{}] }] });
    expect([...assumptions.used].sort()).toEqual([
      'blank_strings',
      'empty_arrays',
      'new_consumer_contact',
      'numeric_strings',
      'phone_format',
      'pouch_both',
      'time_of_administration',
      'unknown_fields',
      'wrong_type_words',
    ]);
  }
});

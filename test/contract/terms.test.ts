// The terms of a request: what was asked for is known, also where the asking was done earlier, by something built and kept.
import { describe, expect, test } from 'vitest';
import { orderRequest } from '../../src/contract/order-request.ts';
import { resolveChoices } from '../../src/contract/readings.ts';
import { perAssumptions, Assumptions } from '../../src/contract/terms.ts';

const times = ['Morning'];
const newTerms = (choices: Record<string, string> = {}, values: readonly string[] = times) =>
  new Assumptions(resolveChoices(choices), values);

test('terms give the chosen readings and remember what was asked', () => {
  const terms = newTerms({ next_cursor: 'meta' });
  expect([...terms.asked]).toEqual([]);
  expect([terms.get('next_cursor'), terms.get('list_order'), terms.get('next_cursor')]).toEqual([
    'meta',
    'newest_first',
    'meta',
  ]);
  expect(terms.asked).toEqual(new Set(['next_cursor', 'list_order']));
});

describe('what is built per terms', () => {
  function builder() {
    const built: Assumptions[] = [];
    const make = perAssumptions((terms) => {
      built.push(terms);
      return { cursor: terms.get('next_cursor'), times: terms.administrationTimes };
    });
    return { built, make };
  }

  test('is built once per distinct terms', () => {
    const { built, make } = builder();
    const first = make(newTerms());
    expect(make(newTerms())).toBe(first);
    expect(make(newTerms({ next_cursor: 'body' }))).toBe(first);
    expect(built).toHaveLength(1);
    expect(make(newTerms({ next_cursor: 'meta' }))).toEqual({ cursor: 'meta', times });
    expect(make(newTerms({}, ['Evening']))).toEqual({ cursor: 'body', times: ['Evening'] });
    expect(built).toHaveLength(3);
  });

  test('counts what it asked as asked, at each use', () => {
    const { make } = builder();
    for (const terms of [newTerms(), newTerms(), newTerms()]) {
      make(terms);
      expect(terms.asked).toEqual(new Set(['next_cursor']));
    }
  });

  test('does not count as asked what its first user asked besides', () => {
    const { make } = builder();
    const first = newTerms();
    first.get('list_order');
    make(first);
    const second = newTerms();
    make(second);
    expect(second.asked).toEqual(new Set(['next_cursor']));
  });

  test('counts what a part of it asked, too', () => {
    const { make } = builder();
    const whole = perAssumptions((terms) => [make(terms), terms.get('list_order')]);
    for (const terms of [newTerms({ next_cursor: 'meta' }), newTerms({ next_cursor: 'meta' })]) {
      whole(terms);
      expect(terms.asked).toEqual(new Set(['next_cursor', 'list_order']));
    }
  });
});

test('the schema of an order asks for the assumptions that shape it, and for no other', () => {
  for (let use = 0; use < 2; use += 1) {
    const terms = newTerms();
    orderRequest(terms).safeParse({ consumer: {}, order_lines: [{ pouches: [{}] }] });
    expect([...terms.asked].sort()).toEqual([
      'empty_arrays',
      'new_consumer_contact',
      'numeric_strings',
      'phone_format',
      'pouch_both',
      'time_of_administration',
      'unknown_fields',
    ]);
  }
});

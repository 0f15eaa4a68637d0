// Records from the newest on: every page of them, those of a kind alone, and the bound of what is looked at.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NewestQuery, newestRecords } from '../../src/sandbox/records.ts';
import { TestState } from '../support/drafts.ts';
import { brandOfDemo, type Fulfillment, fulfillmentRow, otherBrand } from '../support/fulfillment-rows.ts';

type Asked = NewestQuery<Fulfillment>;

/** A sandbox with so many fulfillments, every third of another brand, and none of the fixtures. */
function stateOf(count: number): TestState {
  const state = new TestState();
  state.write((draft) => {
    const table = draft.table('fulfillments');
    for (const [, { id }] of [...table.entries()]) table.remove(id);
    for (let n = 0; n < count; n += 1)
      table.insert(fulfillmentRow(n, { brand_id: n % 3 === 0 ? otherBrand : brandOfDemo }));
  });
  return state;
}

const isOther = ({ brand_id }: Fulfillment): boolean => brand_id === otherBrand;
const numberOf = ({ id }: Fulfillment): number => Number(id.slice(-12));
const pageOf = (state: TestState, asked: Asked) => {
  const { records, ...rest } = state.write((draft) => newestRecords(draft, 'fulfillments', asked));
  return { numbers: records.map(numberOf), ...rest };
};

/** All pages, one after the other. */
function pagesOf(state: TestState, asked: Omit<Asked, 'before'>) {
  const pages = [pageOf(state, asked)];
  for (let before = pages[0]?.before; before !== undefined; before = pages.at(-1)?.before) {
    expect(pages.length).toBeLessThan(500);
    pages.push(pageOf(state, { ...asked, before }));
  }
  return pages;
}

const downFrom = (count: number): number[] => Array.from({ length: count }, (_, n) => count - 1 - n);

describe('without a filter', () => {
  test.each([
    [0, 5, [0]],
    [5, 5, [5]],
    [6, 5, [5, 1]],
    [10, 5, [5, 5]],
    [11, 5, [5, 5, 1]],
  ])('%i records by %i are pages of %j', (count, limit, lengths) => {
    const pages = pagesOf(stateOf(count), { limit });
    expect(pages.map(({ numbers }) => numbers.length)).toEqual(lengths);
    expect(pages.flatMap(({ numbers }) => numbers)).toEqual(downFrom(count));
    expect(pages.some(({ isCut }) => isCut)).toBe(false);
  });

  test('what is made or removed meanwhile moves none of the older', () => {
    const state = stateOf(10);
    const first = pageOf(state, { limit: 4 });
    state.write((draft) => {
      draft.table('fulfillments').insert(fulfillmentRow(10));
      for (const n of [6, 5]) draft.table('fulfillments').remove(fulfillmentRow(n).id);
    });
    expect(first.numbers).toEqual([9, 8, 7, 6]);
    expect(pageOf(state, { limit: 4, before: first.before }).numbers).toEqual([4, 3, 2, 1]);
    expect(pageOf(state, { limit: 2 }).numbers).toEqual([10, 9]);
  });
});

describe('of a kind alone', () => {
  test('a last page that is full leads to no empty one', () => {
    // Behind 2 there are 1 and 0, which are not wanted.
    const pages = pagesOf(stateOf(12), { limit: 2, isWanted: (record) => numberOf(record) % 3 === 2 });
    expect(pages.map(({ numbers }) => numbers)).toEqual([
      [11, 8],
      [5, 2],
    ]);
  });

  test('the search ends at its bound, says so, and goes on from there', () => {
    const state = stateOf(10);
    const first = pageOf(state, { limit: 9, maxExamined: 5, isWanted: isOther });
    expect(first).toMatchObject({ numbers: [9, 6], isCut: true });
    const second = pageOf(state, { limit: 9, maxExamined: 5, isWanted: isOther, before: first.before });
    expect(second).toEqual({ numbers: [3, 0], isCut: false });
  });

  test('a bound at which nothing is left cuts nothing', () => {
    expect(pageOf(stateOf(10), { limit: 9, maxExamined: 10, isWanted: isOther })).toEqual({
      numbers: [9, 6, 3, 0],
      isCut: false,
    });
  });

  test('a page within which nothing was found leads on', () => {
    const nothing = pageOf(stateOf(10), { limit: 9, maxExamined: 4, isWanted: () => false });
    expect(nothing).toMatchObject({ numbers: [], isCut: true, before: expect.any(Number) });
  });
});

test('each record that is wanted comes once, newest first, whatever the page and the bound', () => {
  const property = fc.property(
    fc.nat(40),
    fc.integer({ min: 1, max: 7 }),
    fc.integer({ min: 1, max: 9 }),
    fc.boolean(),
    (count, limit, maxExamined, isFiltered) => {
      const pages = pagesOf(stateOf(count), { limit, maxExamined, ...(isFiltered ? { isWanted: isOther } : {}) });
      const wanted = downFrom(count).filter((n) => !isFiltered || n % 3 === 0);
      expect(pages.flatMap(({ numbers }) => numbers)).toEqual(wanted);
      for (const { numbers } of pages) expect(numbers.length).toBeLessThanOrEqual(Math.min(limit, maxExamined));
    },
  );
  fc.assert(property, { numRuns: 60 });
});

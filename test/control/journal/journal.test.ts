// The journal of a sandbox, its bounds, and the budget that all journals of a server share.
import { describe, expect, test, vi } from 'vitest';
import { type Journal, JournalBudget } from '../../../src/journal/journal.ts';
import { answered, call, idsIn, newJournal, received } from './calls.ts';

/** The bytes of one such call. */
function bytesOf(body: string | null = null, response: string | null = null): number {
  const journal = newJournal();
  call(journal, { body }, { body: response });
  return journal.bytes;
}
const times = (count: number, act: () => unknown): void => {
  for (let n = 0; n < count; n += 1) act();
};

describe('a bound', () => {
  test('of entries: one more call drops the oldest', () => {
    const journal = newJournal({ maxEntries: 3 });
    const [a, b, c] = [call(journal), call(journal), call(journal)];
    expect([idsIn(journal), journal.dropped, journal.oldest]).toEqual([[a.id, b.id, c.id], 0, a.id]);
    const d = call(journal);
    expect([idsIn(journal), journal.dropped, journal.oldest]).toEqual([[b.id, c.id, d.id], 1, b.id]);
    expect([journal.get(a.id), journal.get(d.id)]).toEqual([undefined, d]);
    times(97, () => call(journal, { body: 'x'.repeat(50) }, { body: 'x'.repeat(50) }));
    expect([journal.dropped, journal.bytes]).toEqual([98, 3 * bytesOf('x'.repeat(50), 'x'.repeat(50))]);
  });

  test('of bytes holds exactly: one byte more drops the oldest', () => {
    const maxBytes = 2 * bytesOf('1234');
    const journal = newJournal({ maxBytes });
    times(2, () => call(journal, { body: '1234' }));
    expect([journal.bytes, journal.dropped]).toEqual([maxBytes, 0]);
    const tight = newJournal({ maxBytes });
    call(tight, { body: '1234' });
    call(tight, { body: '12345' });
    expect([tight.bytes, tight.dropped]).toEqual([bytesOf('12345'), 1]);
  });

  test('of bytes counts the response when it comes', () => {
    const journal = newJournal({ maxBytes: bytesOf('1234') + bytesOf() });
    call(journal, { body: '1234' });
    const second = journal.receive(received());
    expect(journal.dropped).toBe(0);
    journal.complete(second, answered({ body: '1' }));
    expect(idsIn(journal)).toEqual([second.id]);
  });

  test('of bytes keeps no call that is larger than the whole', () => {
    const journal = newJournal({ maxBytes: 5000 });
    call(journal);
    call(journal, { path: `/${'x'.repeat(5000)}` });
    expect([journal.bytes, journal.dropped, journal.oldest]).toEqual([0, 2, null]);
  });

  test('of bytes counts headers, paths, queries and bodies as they are in memory', () => {
    const sizes = ['xxxx', 'x\n\tx', 'äöü', 'äö€'].map((body) => bytesOf(body) - bytesOf());
    expect(sizes).toEqual([4, 4, 3, 6]);
    const grown = (changes: Parameters<typeof received>[0]) => {
      const [journal, plain] = [newJournal(), newJournal()];
      journal.receive(received(changes));
      plain.receive(received());
      return journal.bytes - plain.bytes;
    };
    expect([grown({ path: '/v2/products/12' }), grown({ query: '?limit=5' })]).toEqual([3, 8]);
    expect(grown({ headers: ['accept', '*/*'] })).toBeGreaterThanOrEqual('accept*/*'.length);
  });

  test('keeps only the length of a body of more than 1 MiB', () => {
    const bodies = [1_048_576, 1_048_577].map(
      (size) => newJournal().receive(received({ body: 'x'.repeat(size) })).body,
    );
    expect([bodies[0]?.length, bodies[1]]).toEqual([1_048_576, '[not kept: 1048577 characters]']);
  });
});

describe('a call in progress', () => {
  test('that was evicted is reported to listeners, and takes no room', () => {
    const journal = newJournal({ maxEntries: 1 });
    const completed = vi.fn();
    const stop = journal.listen({ completed });
    const entry = journal.receive(received());
    const next = journal.receive(received());
    const { bytes } = journal;
    journal.complete(entry, answered({ body: 'late' }));
    expect([idsIn(journal), journal.bytes]).toEqual([[next.id], bytes]);
    expect(completed).toHaveBeenCalledExactlyOnceWith(entry);
    stop();
    call(journal);
    expect(completed).toHaveBeenCalledTimes(1);
  });

  test.each(['clear', 'close'] as const)('when the journal does %s is not reported', (forget) => {
    const journal = newJournal();
    const completed = vi.fn();
    journal.listen({ completed });
    const entry = journal.receive(received());
    journal[forget]();
    journal.complete(entry, answered());
    expect([idsIn(journal), journal.bytes, completed.mock.calls.length]).toEqual([[], 0, 0]);
  });
});

test('a closed journal tells its listeners, and keeps no call', () => {
  const journal = newJournal();
  const closed = vi.fn();
  journal.listen({ closed });
  journal.close();
  journal.listen({ closed });
  expect(closed).toHaveBeenCalledTimes(2);
  const entry = call(journal);
  expect([idsIn(journal), journal.get(entry.id), journal.dropped, journal.bytes]).toEqual([[], undefined, 0, 0]);
});

describe('the budget of all journals', () => {
  const oneCall = bytesOf();
  /** So many journals with a budget of so many calls. */
  function sharing(calls: number, journals: number, bounds: Parameters<typeof newJournal>[0] = {}) {
    const budget = new JournalBudget(calls * oneCall);
    const all = Array.from({ length: journals }, () => newJournal(bounds, budget)) as [Journal, Journal, Journal];
    return { budget, journals: all, dropped: () => all.map(({ dropped }) => dropped) };
  }

  test('is used exactly; one call more drops the oldest of the largest journal', () => {
    const { budget, journals, dropped } = sharing(4, 2);
    const [small, large] = journals;
    const oldest = call(large);
    for (const journal of [large, large, small]) call(journal);
    expect([budget.bytes, dropped()]).toEqual([4 * oneCall, [0, 0]]);
    call(small);
    expect([budget.bytes, dropped()]).toEqual([4 * oneCall, [0, 1]]);
    expect(large.get(oldest.id)).toBeUndefined();
    small.clear();
    for (const response of [{}, { body: '1' }]) call(newJournal({}, budget), {}, response);
    expect(dropped()).toEqual([0, 2]);
  });

  test.each(['clear', 'close'] as const)('gets the bytes back on %s', (forget) => {
    const { budget, journals } = sharing(2, 2);
    times(2, () => call(journals[0]));
    journals[0][forget]();
    expect(budget.bytes).toBe(0);
    times(2, () => call(journals[1]));
    expect([journals[1].dropped, budget.bytes]).toEqual([0, 2 * oneCall]);
  });

  test('takes an eighth of the largest at once, of equal ones each in turn', () => {
    const { journals } = sharing(1000, 1, { maxEntries: 5000 });
    times(1000, () => call(journals[0]));
    expect(journals[0].dropped).toBe(0);
    call(journals[0]);
    expect(journals[0].dropped).toBe(126);

    const many = sharing(80, 11);
    const equal = many.journals.slice(0, 10);
    times(8, () => equal.map((journal) => call(journal)));
    times(8, () => call(many.journals.at(10) as Journal));
    expect(many.dropped().slice(0, 10).sort()).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect([many.dropped().at(10), many.budget.bytes]).toEqual([0, 80 * oneCall]);
  });
});

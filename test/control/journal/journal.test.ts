import { describe, expect, test, vi } from 'vitest';
import type { Journal } from '../../../src/journal/journal.ts';
import { answered, call, idsIn, newJournal, noon, received } from './calls.ts';

/** The bytes that one such call holds. */
function bytesOf(body: string | null, answer: string | null = null): number {
  const journal = newJournal();
  call(journal, { body }, { body: answer });
  return journal.bytes;
}

describe('the bound of entries', () => {
  test('holds as many as it says, and drops the oldest for one more', () => {
    const journal = newJournal({ maxEntries: 3 });
    const [a, b, c] = [call(journal), call(journal), call(journal)];
    expect([idsIn(journal), journal.dropped, journal.oldest]).toEqual([[a.id, b.id, c.id], 0, a.id]);
    const d = call(journal);
    expect([idsIn(journal), journal.dropped, journal.oldest]).toEqual([[b.id, c.id, d.id], 1, b.id]);
    expect([journal.get(a.id), journal.get(d.id)]).toEqual([undefined, d]);
  });

  test('is 1,000 where nothing is said', () => {
    const journal = newJournal();
    for (let index = 0; index < 1000; index += 1) call(journal);
    expect(journal.dropped).toBe(0);
    call(journal);
    expect([journal.dropped, idsIn(journal).length]).toEqual([1, 1000]);
  });

  test('holds over many rounds, and the bytes stay those of what is kept', () => {
    const journal = newJournal({ maxEntries: 3 });
    for (let index = 0; index < 100; index += 1) {
      call(journal, { body: 'x'.repeat(index) }, { body: 'x'.repeat(100 - index) });
    }
    expect(journal.dropped).toBe(97);
    expect(journal.bytes).toBe(3 * bytesOf('x'.repeat(50), 'x'.repeat(50)));
  });
});

describe('the bound of bytes', () => {
  test('holds exactly, and drops the oldest for one byte more', () => {
    const maxBytes = 2 * bytesOf('1234');
    const journal = newJournal({ maxBytes });
    call(journal, { body: '1234' });
    call(journal, { body: '1234' });
    expect([journal.bytes, journal.dropped]).toEqual([maxBytes, 0]);
    const tight = newJournal({ maxBytes });
    call(tight, { body: '1234' });
    call(tight, { body: '12345' });
    expect([tight.bytes, tight.dropped]).toEqual([bytesOf('12345'), 1]);
  });

  test('counts what a text takes in memory', () => {
    const counted = ['xxxx', 'x\n\tx', 'xxx\u0001', 'xxx\u0100'].map((body) => bytesOf(body) - bytesOf(null));
    expect(counted).toEqual([4, 4, 4, 8]);
  });

  test('counts the answer when it comes', () => {
    const journal = newJournal({ maxBytes: bytesOf('1234') + bytesOf(null) });
    call(journal, { body: '1234' });
    const second = journal.receive(received());
    expect(journal.dropped).toBe(0);
    journal.complete(second, answered({ body: '1' }));
    expect(idsIn(journal)).toEqual([second.id]);
  });

  test('keeps no call that is larger than the whole', () => {
    const journal = newJournal({ maxBytes: 5000 });
    call(journal);
    call(journal, { path: `/${'x'.repeat(5000)}` });
    expect([journal.bytes, journal.dropped, journal.oldest]).toEqual([0, 2, null]);
  });

  test('counts headers, paths and queries, and two bytes for each character of a text that needs them', () => {
    const grown = (given: Parameters<typeof received>[0]) => {
      const journal = newJournal();
      journal.receive(received(given));
      const plain = newJournal();
      plain.receive(received());
      return journal.bytes - plain.bytes;
    };
    expect(grown({ headers: ['accept', '*/*'] })).toBeGreaterThanOrEqual('accept*/*'.length);
    expect(grown({ path: '/v2/products/12' })).toBe(3);
    expect(grown({ query: '?limit=5' })).toBe(8);
    expect(grown({ body: 'äöü' })).toBe(3);
    expect(grown({ body: 'äö€' })).toBe(6);
  });

  test('tells a body of more than 1 MiB by its length', () => {
    const journal = newJournal();
    const kept = journal.receive(received({ body: 'x'.repeat(1_048_576) }));
    const told = journal.receive(received({ body: 'x'.repeat(1_048_577) }));
    expect([kept.body?.length, told.body]).toEqual([1_048_576, '[not kept: 1048577 characters]']);
  });
});

describe('a call under way', () => {
  test('can be seen at once, and is completed later', () => {
    const journal = newJournal();
    const entry = journal.receive(received());
    expect([journal.get(entry.id)?.answer, idsIn(journal)]).toEqual([null, [entry.id]]);
    journal.complete(entry, answered({ status: 201 }));
    expect(journal.get(entry.id)?.answer?.status).toBe(201);
  });

  test('that was evicted meanwhile is still told of, and takes no room', () => {
    const journal = newJournal({ maxEntries: 1 });
    const told = vi.fn();
    journal.listen({ completed: told });
    const entry = journal.receive(received());
    const next = journal.receive(received());
    const { bytes } = journal;
    journal.complete(entry, answered({ body: 'late' }));
    expect([idsIn(journal), journal.bytes]).toEqual([[next.id], bytes]);
    expect(told).toHaveBeenCalledExactlyOnceWith(entry);
  });

  test.each<[string, (journal: Journal) => void]>([
    ['cleared', (journal) => journal.clear()],
    ['closed', (journal) => journal.close()],
  ])('when the journal was %s concerns nobody any more', (_, forget) => {
    const journal = newJournal();
    const told = vi.fn();
    journal.listen({ completed: told });
    const entry = journal.receive(received());
    forget(journal);
    journal.complete(entry, answered());
    expect([idsIn(journal), journal.bytes, told.mock.calls.length]).toEqual([[], 0, 0]);
  });
});

describe('clear', () => {
  test('forgets the entries and what was dropped, and goes on', () => {
    const journal = newJournal({ maxEntries: 2 });
    const [first] = [call(journal), call(journal), call(journal)];
    journal.clear();
    expect([idsIn(journal), journal.dropped, journal.oldest, journal.bytes]).toEqual([[], 0, null, 0]);
    const [, b, c] = [call(journal), call(journal), call(journal)];
    expect([idsIn(journal), journal.dropped, journal.get(first.id)]).toEqual([[b.id, c.id], 1, undefined]);
  });
});

describe('list', () => {
  test('gives what is asked for, oldest first', () => {
    const journal = newJournal();
    const product = { operation: 'products.get', path: '/v2/products/42' } as const;
    const list = call(journal);
    const one = call(journal, product, { status: 404, outcome: { stage: 'operation' } });
    const post = call(journal, { method: 'POST', path: '/v2/nothing', operation: null }, { status: 404 });
    const pending = journal.receive(received(product));
    const found = (filter: Parameters<Journal['list']>[0]) => journal.list(filter).map(({ id }) => id);
    expect(found({})).toEqual([list.id, one.id, post.id, pending.id]);
    expect(found({ operation: 'products.get' })).toEqual([one.id, pending.id]);
    expect(found({ method: 'POST' })).toEqual([post.id]);
    expect(found({ path: '/v2/products/{id}' })).toEqual([one.id, pending.id]);
    expect(found({ status: 404 })).toEqual([one.id, post.id]);
    expect(found({ status: 404, limit: 1 })).toEqual([one.id]);
    expect(found({ since: one.id })).toEqual([post.id, pending.id]);
    expect(found({ since: one.id, after: post.id })).toEqual([pending.id]);
    expect(found({ since: pending.id })).toEqual([]);
  });

  test('gives what was received at an instant or later, also where the clock was set back', () => {
    const journal = newJournal();
    const times = [noon, noon + 1, noon - 1, noon + 2];
    const ids = times.map((receivedAt) => call(journal, { receivedAt }).id);
    const found = journal.list({ since: '2026-11-20T13:00:00.001+01:00' }).map(({ id }) => id);
    expect(found).toEqual([ids[1], ids[3]]);
  });

  test('gives all that is kept after an entry that is not', () => {
    const journal = newJournal({ maxEntries: 1 });
    const gone = call(journal);
    const kept = call(journal);
    expect(journal.list({ since: gone.id })).toEqual([kept]);
  });
});

describe('listeners', () => {
  test('are called for answers until they end it', () => {
    const journal = newJournal();
    const completed = vi.fn();
    const stop = journal.listen({ completed });
    const entry = call(journal);
    stop();
    call(journal);
    expect(completed).toHaveBeenCalledExactlyOnceWith(entry);
  });

  test('of the closing are told once', () => {
    const journal = newJournal();
    const closed = vi.fn();
    journal.listen({ closed });
    journal.close();
    journal.listen({ closed });
    expect(closed).toHaveBeenCalledTimes(2);
  });
});

test('a closed journal takes calls and keeps none', () => {
  const journal = newJournal();
  journal.close();
  const entry = call(journal);
  expect([idsIn(journal), journal.get(entry.id), journal.dropped, journal.bytes]).toEqual([[], undefined, 0, 0]);
});

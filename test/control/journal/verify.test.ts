// Verify against a model that never forgets: what it says is true, and it says `evicted` only where it cannot know.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Count } from '../../../src/contract/control/match.ts';
import type { Entry } from '../../../src/journal/entry.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { verify } from '../../../src/journal/verify.ts';
import { answered, call, newJournal, noon, received } from './calls.ts';

const maxEntries = 4;
const posts = { method: 'POST' } as const;

interface Known {
  readonly entry: Entry;
  readonly isMeant: boolean;
  readonly at: number;
  isCompleted: boolean;
}

/** Everything that came since the last clear. */
class Model {
  readonly journal: Journal = newJournal({ maxEntries });
  known: Known[] = [];
  readonly everSeen: string[] = [];

  receive(isMeant: boolean, minute: number): void {
    const at = noon + minute * 60_000;
    const entry = this.journal.receive(received({ method: isMeant ? 'POST' : 'GET', receivedAt: at }));
    this.known.push({ entry, isMeant, at, isCompleted: false });
    this.everSeen.push(entry.id);
  }

  complete(which: number): void {
    const open = this.known.filter(({ isCompleted }) => !isCompleted);
    const one = open[which % Math.max(open.length, 1)];
    if (!one) return;
    one.isCompleted = true;
    this.journal.complete(one.entry, answered());
  }

  clear(): void {
    this.known = [];
    this.journal.clear();
  }

  /** The calls in the window; undefined where it begins at a call that the journal has no more. */
  window(since: string | undefined): Known[] | undefined {
    if (since === undefined) return this.known;
    if (since.includes(':')) return this.known.filter(({ at }) => at >= Date.parse(since));
    const index = this.known.findIndex(({ entry }) => entry.id === since);
    return this.journal.get(since) && this.known.slice(index + 1);
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ isMeant: fc.boolean(), minute: fc.nat(5) }) },
  { weight: 6, arbitrary: fc.record({ complete: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.constant('clear' as const) },
);

const countAsked: fc.Arbitrary<Count | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.nat(8),
  fc.nat(8).map((at_least) => ({ at_least })),
  fc.nat(8).map((at_most) => ({ at_most })),
  fc.record({ at_least: fc.nat(8), at_most: fc.nat(8) }),
);

const sinceAsked = fc.oneof(
  fc.constant(undefined),
  fc.nat(30),
  fc.nat(6).map((minute) => new Date(noon + minute * 60_000).toISOString()),
);

function isAsked(count: Count | undefined, number: number): boolean {
  if (count === undefined) return number >= 1;
  if (typeof count === 'number') return number === count;
  return number >= (count.at_least ?? 0) && number <= (count.at_most ?? number);
}

/** What can be said of a window: whether the count holds for every number that there may have been. */
function sayable(model: Model, count: Count | undefined, since: string | undefined): 'evicted' | boolean {
  const window = model.window(since);
  if (!window) return 'evicted';
  const counted = window.filter(({ isMeant, isCompleted }) => isMeant && isCompleted);
  const kept = counted.filter(({ entry }) => model.journal.get(entry.id)).length;
  const isTouched = window.some(({ entry }) => !model.journal.get(entry.id));
  const possible = Array.from({ length: (isTouched ? model.journal.dropped : 0) + 1 }, (_, more) => kept + more);
  const said = new Set(possible.map((number) => isAsked(count, number)));
  return said.size > 1 ? 'evicted' : said.has(true);
}

test('verify says what is true, or that it cannot know', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), countAsked, sinceAsked, (steps, count, asked) => {
      const model = new Model();
      for (const one of steps) {
        if (one === 'clear') model.clear();
        else if ('complete' in one) model.complete(one.complete);
        else model.receive(one.isMeant, one.minute);
      }
      const since = typeof asked === 'number' ? (model.everSeen[asked] ?? 'unheard-of') : asked;
      const verdict = verify(model.journal, { match: posts, count, since });
      const said = verdict === 'evicted' ? verdict : verdict.satisfied;
      expect(said).toBe(sayable(model, count, since));
      if (said === 'evicted') return;
      const truth = model.window(since)?.filter(({ isMeant, isCompleted }) => isMeant && isCompleted).length ?? 0;
      expect(said).toBe(isAsked(count, truth));
    }),
    { numRuns: 3000 },
  );
});

describe('verify', () => {
  test('counts completed calls that are meant, and gives them oldest first', () => {
    const journal = newJournal();
    const [a] = [call(journal, posts), call(journal)];
    const b = call(journal, posts);
    journal.receive(received(posts));
    expect(verify(journal, { match: posts, count: 2 })).toEqual({ satisfied: true, count: 2, requests: [a, b] });
    expect(verify(journal, { match: posts, count: 3 })).toEqual({ satisfied: false, count: 2, requests: [a, b] });
  });

  test('asks for at least one where no count is said', () => {
    const journal = newJournal();
    expect(verify(journal, { match: posts })).toEqual({ satisfied: false, count: 0, requests: [] });
    call(journal, posts);
    expect(verify(journal, { match: posts })).toMatchObject({ satisfied: true });
  });

  test('knows how many calls were evicted, so what they could not change it still says', () => {
    const journal = newJournal({ maxEntries: 2 });
    for (let index = 0; index < 3; index += 1) call(journal, posts);
    const said = (count: Count) => {
      const verdict = verify(journal, { match: posts, count });
      return verdict === 'evicted' ? verdict : verdict.satisfied;
    };
    expect([said({ at_least: 2 }), said({ at_least: 3 }), said({ at_least: 4 })]).toEqual([true, 'evicted', false]);
    expect([said({ at_most: 1 }), said({ at_most: 2 }), said({ at_most: 3 })]).toEqual([false, 'evicted', true]);
    expect([said({ at_least: 4, at_most: 2 }), said({ at_least: 4, at_most: 3 })]).toEqual([false, false]);
    expect([said(1), said(2), said(3), said(4)]).toEqual([false, 'evicted', 'evicted', false]);
  });

  test('takes what was evicted for part of a window by its latest receipt since the last clear', () => {
    const journal = newJournal({ maxEntries: 1 });
    const [early, late] = [noon, noon + 60_000];
    for (const receivedAt of [late, early]) call(journal, { receivedAt });
    const since = new Date(late).toISOString();
    expect(verify(journal, { match: {}, since })).toBe('evicted');
    journal.clear();
    for (const receivedAt of [early, early]) call(journal, { receivedAt });
    expect(verify(journal, { match: {}, since })).toMatchObject({ satisfied: false, count: 0 });
  });

  test('matches bodies by what is kept of them', () => {
    const journal = newJournal();
    call(journal, { body: '{"consumer":{"first_name":"Ada"},"password":"p4ssw0rd"}' });
    call(journal, { body: '{"consumer":' });
    expect(verify(journal, { match: { body: { consumer: { first_name: 'Ada' } } }, count: 1 })).toMatchObject({
      satisfied: true,
    });
    expect(verify(journal, { match: { body: { password: 'p4ssw0rd' } }, count: 0 })).toMatchObject({ satisfied: true });
  });
});

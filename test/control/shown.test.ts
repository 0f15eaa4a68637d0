// What the console needs to know of records and overrides: the name of a consumer, and whether an override affects any more calls.
import { describe, expect, test } from 'vitest';
import type { RecordOf } from '../../src/contract/records.ts';
import { isSpent } from '../../src/sandbox/overrides.ts';
import { consumerName } from '../../src/sandbox/records.ts';
import { TestState } from '../support/drafts.ts';
import { fixtures, noon } from '../support/sachet.ts';

const now = Date.parse(noon);
const after = (seconds: number): string => new Date(now + seconds * 1000).toISOString();

test('a consumer is called by name, else by e-mail, else by id', () => {
  const [consumer] = fixtures.consumers;
  const id = String(consumer?.id);
  const called = (changes: object): string =>
    new TestState().write((draft) => {
      draft.table('consumers').replace({ ...consumer, ...changes } as RecordOf<'consumers'>);
      return consumerName(draft, id);
    });
  expect(called({ first_name: 'Ada', last_name: 'Lovelace' })).toBe('Ada Lovelace');
  expect(called({ first_name: null, last_name: 'Lovelace' })).toBe('Lovelace');
  expect(called({ first_name: null, last_name: null, email: 'ada@example.com' })).toBe('ada@example.com');
  expect(called({ first_name: null, last_name: null, email: null })).toBe(id);
});

describe('an override is spent', () => {
  test.each([
    ['where no calls are left', { remaining: 0 }, true],
    ['not where some are', { remaining: 1 }, false],
    ['where it has ended', { ends_at: noon }, true],
    ['not before it ends', { ends_at: after(1) }, false],
    ['not while it has a window, which opens again', { remaining: 0, limit: 3, ends_at: noon }, false],
    ['not where nothing bounds it', {}, false],
  ])('%s', (_, counts, spent) => {
    expect(isSpent(counts, now)).toBe(spent);
  });
});

// Whether a client can have known a response when it sent another call.
import { expect, test } from 'vitest';
import { CompletedCall, hadAnswer } from '../../../src/conduct/completed-call.ts';
import type { Answer, Entry } from '../../../src/journal/entry.ts';
import { nodeHashes } from '../../../src/node/platform.ts';
import { call, newJournal } from '../journal/calls.ts';

const timingOf = (entry: Entry) => new CompletedCall(entry, entry.answer as Answer, nodeHashes).timing;
const completed = (isOverPort: boolean) =>
  timingOf(call(newJournal(), { isOverPort, startedAt: 990 }, { durationMilliseconds: 10, answeredAt: 0 }));
const later = (isOverPort: boolean, startedAt: number, sequence = 0) => ({
  timing: { ...completed(isOverPort), startedAt, sequence },
});

test('over a port a call within a second after the response may have been sent before', () => {
  const known = [999, 1000, 2000, 2001].map((at) => hadAnswer(later(true, at), completed(true)));
  expect(known).toEqual(['no', 'perhaps', 'perhaps', 'yes']);
});

test('in process a response is known sixteen steps after it could be read', async () => {
  expect(hadAnswer(later(false, Number.MAX_VALUE, 6), completed(false))).toBe('no');
  const journal = newJournal();
  const entry = call(journal, { startedAt: 990 }, { durationMilliseconds: 10, answeredAt: 0 });
  journal.delivered(entry);
  const timing = timingOf(entry);
  const known = () => hadAnswer(later(false, Number.MAX_VALUE, 1), timing);
  expect(known()).toBe('perhaps');
  for (let step = 0; step < 15; step += 1) await undefined;
  expect(known()).toBe('perhaps');
  for (let step = 0; step < 3; step += 1) await undefined;
  expect(known()).toBe('yes');
});

// Who may have known an answer when a call was made.
import { expect, test } from 'vitest';
import { CompletedCall, hadAnswer } from '../../../src/conduct/completed-call.ts';
import type { Answer, Entry } from '../../../src/journal/entry.ts';
import { nodeHashes } from '../../../src/node/platform.ts';
import { call, newJournal } from '../journal/calls.ts';

const timingOf = (entry: Entry) => new CompletedCall(entry, entry.answer as Answer, nodeHashes).timing;
const answered = (isOverPort: boolean) =>
  timingOf(call(newJournal(), { isOverPort, startedAt: 990 }, { durationMilliseconds: 10, answeredAt: 0 }));
const came = (isOverPort: boolean, startedAt: number, sequence = 0) => ({
  timing: { ...answered(isOverPort), startedAt, sequence },
});

test('over a port what comes within a second may have been under way, or have waited for its connection', () => {
  const known = [999, 1000, 2000, 2001].map((at) => hadAnswer(came(true, at), answered(true)));
  expect(known).toEqual(['no', 'perhaps', 'perhaps', 'yes']);
});

test('in process what was sent before the answer could be read was under way', () => {
  expect(hadAnswer(came(false, Number.MAX_VALUE, 6), answered(false))).toBe('no');
});

test('in process a client has handed an answer through its layers after sixteen steps', async () => {
  const journal = newJournal();
  const entry = call(journal, { startedAt: 990 }, { durationMilliseconds: 10, answeredAt: 0 });
  journal.delivered(entry);
  const timing = timingOf(entry);
  const known = () => hadAnswer(came(false, Number.MAX_VALUE, 1), timing);
  expect(known()).toBe('perhaps');
  for (let step = 0; step < 15; step += 1) await undefined;
  expect(known()).toBe('perhaps');
  for (let step = 0; step < 3; step += 1) await undefined;
  expect(known()).toBe('yes');
});

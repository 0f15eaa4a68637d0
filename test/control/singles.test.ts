// What a sandbox has one of is read and merge-patched, or left as it was.
import { describe, expect, test } from 'vitest';
import { type SingleName, singleNames } from '../../src/contract/records.ts';
import { getSingle, patchSingle } from '../../src/sandbox/records.ts';
import { TestState } from '../support/drafts.ts';
import { fixtures } from '../support/sachet.ts';

const patched = <Name extends SingleName>(state: TestState, name: Name, patch: object) =>
  state.write((draft) => patchSingle(draft, name, patch as Record<string, unknown>));

test.each(singleNames)('%s is as the fixtures have it', (name) => {
  expect(new TestState().write((draft) => getSingle(draft, name))).toEqual(fixtures[name]);
});

test('a patch merges, and the next read has it', () => {
  const state = new TestState();
  const timeline = { ...fixtures.timeline, accepted: { ...fixtures.timeline.accepted, delay_seconds: 5 } };
  expect(patched(state, 'timeline', { accepted: { delay_seconds: 5 } })).toEqual(timeline);
  expect(patched(state, 'operator', { name: 'Else' })).toEqual({ name: 'Else' });
  expect(state.state.value('timeline')).toEqual(timeline);
  expect(state.state.value('operator')).toEqual({ name: 'Else' });
});

test('the same times of administration are one object in every sandbox, so that they share their schemas', () => {
  const [one, other] = [new TestState(), new TestState()];
  const values = ['Dawn', 'Dusk'];
  expect(patched(one, 'administration_times', { values: [...values] })).toBe(
    patched(other, 'administration_times', { values: [...values] }),
  );
});

describe('a patch that leaves nothing whole is refused', () => {
  test.each<[SingleName, object, string, string]>([
    ['operator', { name: null }, 'name', 'found nothing, expected a string'],
    ['operator', { colour: 'red' }, '', 'found the unknown key "colour", expected one of name'],
    ['administration_times', { values: ['Dawn', 5] }, 'values[1]', 'found 5, expected a string'],
    [
      'administration_times',
      { values: ['x'.repeat(61)] },
      'values[0]',
      `found "${'x'.repeat(61)}", expected a text of at most 60 characters`,
    ],
    [
      'timeline',
      { shipped: { delay_seconds: -1 } },
      'shipped.delay_seconds',
      'found -1, expected a number of at least 0',
    ],
  ])('%s %j', (name, patch, field, message) => {
    const refusal = new TestState().refused((draft) => patchSingle(draft, name, patch as Record<string, unknown>));
    expect(refusal).toMatchObject({ status: 422, details: [{ field, message }] });
  });
});

test('there are at most 100 times of administration', () => {
  const values = Array.from({ length: 100 }, (_, at) => `Time ${at}`);
  expect(patched(new TestState(), 'administration_times', { values })).toEqual({ values });
  const refusal = new TestState().refused((draft) =>
    patchSingle(draft, 'administration_times', { values: [...values, 'One more'] }),
  );
  const message = expect.stringContaining('expected a list with at most 100 items');
  expect(refusal).toMatchObject({ status: 422, details: [{ field: 'values', message }] });
});

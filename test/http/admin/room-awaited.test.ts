// Room that a login under way keeps (product.md, --max-sandboxes): not for longer than a login takes, however long its answer is delayed.
import { afterEach, expect, test, vi } from 'vitest';
import { readScenarios } from '../../../src/contract/scenarios.ts';
import { controlled, namesOf } from '../../support/control.ts';
import { passwordOf } from '../../support/sachet.ts';
import { logIn } from '../../support/tokens.ts';

afterEach(() => void vi.useRealTimers());

const match = { operation: 'authentication.token' };
const content = { intent: 'To wait.', right_client: 'Waits.', faults: [{ match, delay: { milliseconds: 60_000 } }] };
const scenarios = readScenarios([{ name: 'waiting.json', content }]);

/** Takes turns of the loop, for the clock stands, until it is met; a store may be at a disk meanwhile. */
async function until(what: string, isMet: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 20_000; turn += 1) {
    if (await isMet()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`there is no ${what}`);
}

test('a login whose answer is delayed for a minute keeps another from its room for ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const server = controlled({ maxSandboxes: 3, scenarios, scenario: ['waiting'] });
  const isMade = (name: string) => until(name, async () => (await namesOf(server)).includes(name));
  const isWaiting = (timers: number) => until('wait', async () => vi.getTimerCount() === timers);
  const first = logIn(server.sachet, 'demo+first', passwordOf('demo'));
  await isMade('first');
  await isWaiting(1);
  const second = logIn(server.sachet, 'demo+second', passwordOf('demo'));
  await isWaiting(2);
  await vi.advanceTimersByTimeAsync(9000);
  expect(await namesOf(server)).toContain('first');
  await vi.advanceTimersByTimeAsync(2000);
  await isMade('second');
  await isWaiting(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([(await first).status, (await second).status]).toEqual([500, 200]);
});

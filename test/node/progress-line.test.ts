// The progress of a long command, with and without a terminal.
import { expect, onTestFinished, test, vi } from 'vitest';
import { ProgressLine } from '../../src/node/progress-line.ts';

async function outputOf(isTTY: boolean): Promise<string> {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let output = '';
  const write = (text: unknown) => {
    output += text;
    return true;
  };
  const progress = new ProgressLine('runs', { isTTY, columns: 40, write });
  progress.expect(4);
  for (const [seconds, passed] of [
    [1, true],
    [29, false],
    [29, true],
  ] as const) {
    vi.advanceTimersByTime(seconds * 1000);
    await progress.during('first', Promise.resolve(passed), (run) => run);
  }
  progress.clear();
  return output;
}

test('a terminal shows each change on one line', async () => {
  const output = await outputOf(true);
  expect(output.split('\r\u001b[K')).toEqual([
    '',
    '0 of 4 runs, 0 failed; running: first',
    '1 of 4 runs, 0 failed',
    '1 of 4 runs, 0 failed; running: first',
    '2 of 4 runs, 1 failed',
    '2 of 4 runs, 1 failed; running: first',
    '3 of 4 runs, 1 failed',
    '',
  ]);
});

test('without a terminal there is one line in half a minute', async () => {
  expect(await outputOf(false)).toBe('1 of 4 runs, 0 failed; running: first\n');
});

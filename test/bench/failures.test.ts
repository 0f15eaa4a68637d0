// What the benchmark ends with 1 for.
import { describe, expect, test } from 'vitest';
import { benchModule } from './support.ts';

interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}
interface Figure {
  readonly words: string;
  readonly measurement?: string;
  readonly bound?: number;
  readonly direction?: string;
  readonly value?: Spread;
  readonly failed?: string;
  readonly serverBusy?: { sachet: number; other: number };
  readonly byProcessorTime?: Spread;
}
interface Failures {
  failuresOf(report: { isQuick: boolean; figures: Figure[]; journals: object[] }): string[];
}

const { failuresOf } = await benchModule<Failures>('report/failures.mjs');
const at = (value: number): Spread => ({ median: value, min: value, max: value });

describe('the benchmark fails', () => {
  const figure = { words: 'orders / echo', measurement: 'orders', bound: 0.4, direction: 'at least', value: at(0.15) };

  test('by --quick where a figure is far worse than usual, and tells what it must be', () => {
    expect(failuresOf({ isQuick: true, figures: [figure], journals: [] })).toEqual([
      'orders / echo: 0.150, must be at least 0.160',
    ]);
    expect(failuresOf({ isQuick: true, figures: [{ ...figure, value: at(0.16) }], journals: [] })).toEqual([]);
  });

  test('by --quick where others had the core by what was done in the processor’s time', () => {
    const disturbed = { ...figure, serverBusy: { sachet: 0.2, other: 0.9 } };
    const failing = (byProcessorTime: number, value: number) =>
      failuresOf({
        isQuick: true,
        figures: [{ ...disturbed, byProcessorTime: at(byProcessorTime), value: at(value) }],
        journals: [],
      });
    expect(failing(0.3, 0.1)).toEqual([]);
    expect(failing(0.15, 0.3)).toEqual(['orders / echo: 0.150, must be at least 0.160']);
  });

  test('in full not for a goal, but for a failed measurement and a journal', () => {
    const failed = { words: 'start', measurement: 'start', failed: 'no dist' };
    const journals = [{ measurement: 'page', fault: 'the journal holds 9' }, { measurement: 'orders' }];
    expect(failuresOf({ isQuick: false, figures: [figure, failed, failed], journals })).toEqual([
      'start failed: no dist',
      'the journal behind page: the journal holds 9',
    ]);
  });
});

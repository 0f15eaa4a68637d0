// The readings of the rate limit (LIM-1).
import { expect } from 'vitest';
import type { Cases } from '../assumption-cases.ts';
import type { Answer, TestSachet } from '../sachet.ts';

/** The answers to so many calls, one after the other. */
async function answersTo(sachet: TestSachet, calls: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let call = 0; call < calls; call += 1) answers.push(await sachet.call('GET', '/v2/products'));
  return answers;
}

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

export const rateLimitCases: Pick<Cases, 'rate_limit'> = {
  rate_limit: {
    off: async (sachet) => {
      expect(new Set(statuses(await answersTo(sachet, 102)))).toEqual(new Set([401]));
    },
    '100/60s': async (sachet) => {
      expect(new Set(statuses(await answersTo(sachet, 100)))).toEqual(new Set([401]));
      const [over] = await answersTo(sachet, 1);
      expect([over?.status, over?.headers.get('retry-after'), over?.body]).toEqual([
        429,
        '60',
        { statusCode: 429, error: 'Too Many Requests', message: 'Too Many Requests' },
      ]);
      await sachet.advance(58_500);
      expect((await answersTo(sachet, 1))[0]?.headers.get('retry-after')).toBe('2');
      await sachet.advance(1499);
      expect(statuses(await answersTo(sachet, 1))).toEqual([429]);
      await sachet.advance(1);
      expect(statuses(await answersTo(sachet, 101))).toEqual([...Array<number>(100).fill(401), 429]);
    },
  },
};

// An expectation in words, for the terminal and for the reports.

import type { Expectation } from '../../contract/admin/count.ts';
import { boundsOf } from '../../contract/admin/count.ts';
import type { DeepReadonly } from '../../contract/records.ts';

/** Which calls: `orders.create, status 201`. */
export function matchInWords(match: DeepReadonly<Expectation['match']>): string {
  const { operation, method, path, status, rule, body } = match;
  const call = [operation, method, path].filter((part) => part !== undefined).join(' ') || 'any call';
  return [
    call,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(body === undefined ? [] : [`body ${JSON.stringify(body)}`]),
  ].join(', ');
}

/** How many: `exactly 1`, `at least 1`, `1 to 20`, `none`. */
export function countInWords(count: DeepReadonly<Expectation['count']>): string {
  const { least, most } = boundsOf(count);
  if (most === 0) return 'none';
  if (least === most) return `exactly ${least}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`;
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}

/** What is waited for: `orders.create, status 201: at least 1`. */
export const awaited = ({ expect }: { readonly expect: readonly DeepReadonly<Expectation>[] }): string[] =>
  expect.length === 0
    ? ['any call']
    : expect.map(({ match, count }) => `${matchInWords(match)}: ${countInWords(count)}`);

// The rules about pauses: by the sandbox's clock, and only for calls after the response was received.
import { expect, test } from 'vitest';
import { afterSteps, type ConductCase, expectOutcomes, type Judged, type Step, turn } from './judged.ts';

const limit = turn({ rate_limit: { burst: 1, retry_after: 30 } });
const fail = (burst: number, match = {}) => turn({ server_error: { burst, ...match } });
const setBack = ({ setTo }: Judged) => setTo(-60_000);
const early = /^The client called orders\.create 12 s after a 429 with Retry-After 30\. /;
const products = 'GET products';

test.each<ConductCase>([
  ['a call that is 18 seconds early', { retry_after: early }, [limit, 'order', '12 s', 'order']],
  ['another call', { retry_after: 'not_exercised' }, [limit, 'order', products]],
  [
    'calls at the same time',
    { retry_after: 'pass' },
    [turn({ rate_limit: { burst: 5 } }), Array(5).fill(products).join(' + '), '60 s', products],
  ],
  ['a call after the clock was set back', { retry_after: 'pass' }, [limit, 'order', setBack, 'order']],
  [
    'a call after the 429 of another user',
    { retry_after: 'not_exercised' },
    [limit, products, 'log in read-only', products],
  ],
  [
    'a call after the 500 of another user',
    { backoff_on_500: 'not_exercised' },
    [fail(1), products, 'log in read-only', products],
  ],
  [
    'looks for an order between two attempts',
    { backoff_on_500: 'pass' },
    [
      fail(4, { match: { method: 'POST' } }),
      'order',
      '1 s',
      'GET orders',
      '4 s',
      'GET orders',
      'order',
      '2 s',
      'GET orders',
      'GET orders',
      'order',
    ],
  ],
])('%s', expectOutcomes);

test.each([
  [[100], 'pass'],
  [[99], 'fail'],
  [[1000, 1200, 1440], 'pass'],
  [[1000, 1000], 'fail'],
  [[1000, 10_000, 10_000], 'pass'],
  [[1000, 2000, 1000], 'fail'],
  // A pause in which the tester advanced the clock says nothing about the next one.
  [[1000, 300_000, 4000], 'pass'],
])('pauses of %j ms after a 500: %s', async (pauses, outcome) => {
  const steps = pauses.flatMap((pause) => [`${pause} ms`, products]);
  const world = await afterSteps([fail(pauses.length), products, ...steps]);
  expect(await world.outcome('backoff_on_500')).toBe(outcome);
});

test.each([502, 503, 504])('a %i of a gateway is like a 500', async (status) => {
  const advice = new RegExp(`^The client repeated products.list 99 ms after a ${status}\\. `);
  const repeated: Step[] = [`${status} fails`, products, '99 ms', products];
  await expectOutcomes('', { backoff_on_500: advice }, repeated);
  await expectOutcomes('', { no_double_submit: 'fail' }, [`${status} fails`, 'order', 'order']);
});

test.each([
  ['demo', 'pass'],
  ['other-brand', 'fail'],
] as const)('looking for an order after a 500 takes its client time, by %s: %s', async (username, outcome) => {
  const look = async ({ sachet }: Judged) => {
    const other = await sachet.login(username);
    return other.get('/v2/orders');
  };
  const failed = fail(2, { match: { operation: 'orders.create' } });
  const world = await afterSteps([failed, 'order', '100 ms', look, '900 ms', 'order', '200 ms', 'order']);
  expect(await world.outcome('backoff_on_500')).toBe(outcome);
});

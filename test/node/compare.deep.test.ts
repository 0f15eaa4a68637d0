// `sachet compare`: equal services have no differences, an assumption that differs is named, and a target that is no service of the kind is
// reported.
import { describe, expect, test } from 'vitest';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import type { Comparison } from '../../src/node/fidelity/compare.ts';
import { compareWith, engineOf, randomCalls, tour } from './compare.ts';

/** The differing calls, each with what differs. */
const differing = ({ calls }: Comparison) =>
  calls
    .filter(({ differences }) => differences.length > 0)
    .map(({ request, differences }) => ({
      request: `${request.method} ${request.target} ${request.body}`,
      differences,
    }));

test('two equal sandboxes do not differ in 500 random calls', async () => {
  const calls = await randomCalls(500, 33);
  expect(calls.length).toBeGreaterThan(500);
  expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200, 201, 400, 401, 403, 404, 422]));
  const comparison = await compareWith(calls, engineOf());
  expect(differing(comparison)).toEqual([]);
  expect(comparison.calls).toHaveLength(calls.length);
});

describe('the assumption that differs is named', async () => {
  /** Why the calls of a recording cannot show an assumption. */
  const unseen: Partial<Record<AssumptionId, string>> = {
    storage_auth: 'downloads of labels are not sent again',
    order_transitions: 'only actions of the operator depend on it',
    fulfillment_timeline: 'the calls come within seconds, and the first step takes longer',
    rate_limit: 'a call that gets 429 is sent again after Retry-After',
    rate_limit_scope: 'the same',
  };
  /** Choices that differ only after days. */
  const laterChoices = ['refresh_token_lifetime=24h', 'refresh_token_lifetime=never'];
  /** What both have besides, so that the assumption has an effect. */
  const both: Partial<Record<AssumptionId, Partial<Choices>>> = { max_limit: { over_max_limit: 'reject' } };
  const calls = await tour();
  const rows = assumptionIds
    .filter((id) => !(id in unseen))
    .flatMap((id) => assumptionRegister[id].choices.slice(1).map(([choice]) => [id, choice] as const))
    .filter(([id, choice]) => !laterChoices.includes(`${id}=${choice}`));

  test.each(rows)('%s=%s', async (id, choice) => {
    const comparison = await compareWith(calls, engineOf({ ...both[id], [id]: choice }), both[id]);
    const [first, ...others] = comparison.explanations;
    expect(first).toMatchObject({ assumption: id, choice, or: [] });
    expect(others).toEqual([]);
    expect(differing(comparison).length).toBe(first?.calls.size);
  });
});

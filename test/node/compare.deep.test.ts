// `sachet compare`: equal services have no differences, an assumption that differs is named, and a target that is no service of the kind is
// reported.
import { describe, expect, test } from 'vitest';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import type { RecordedCall } from '../../src/fidelity/recorded-call.ts';
import type { Comparison } from '../../src/node/fidelity/compare-report.ts';
import { countOf } from '../../src/node/fidelity/sandbox-run.ts';
import { unknownId } from '../support/order-requests.ts';
import { compareWith, discovery, engineOf, otherData, randomCalls, tour } from './compare.ts';

/** The differing calls, each with what differs. */
const differing = ({ calls }: Comparison) =>
  calls
    .filter((one) => countOf(one) > 0)
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

test('several assumptions that differ are named, and a difference without an explanation stays', async () => {
  const calls = await randomCalls(300, 7);
  const choices = { absent_values: 'omitted', status_id: 'uuid', list_order: 'oldest_first' } as const;
  const target = engineOf(choices);
  const fetch: typeof target.fetch = async (...asked) => {
    const { status, headers, ...answer } = await target.fetch(...asked).then(async (response) => ({
      ...{ status: response.status, headers: response.headers, text: await response.text() },
    }));
    return new Response(answer.text.replace('"Order not found"', '"No order"'), { status, headers });
  };
  const comparison = await compareWith(calls, { ...target, fetch });
  const found = comparison.explanations.map(({ assumption, choice, or }) => [assumption, choice, or]);
  expect(found.sort()).toEqual(
    Object.entries(choices)
      .map((one) => [...one, []])
      .sort(),
  );
  const unexplained = differing(comparison).filter(({ differences }) =>
    differences.some(({ one }) => one === 'No order'),
  );
  expect(unexplained.length).toBeGreaterThan(0);
});

test('a list with one order more is not explained by a choice with another status', async () => {
  const target = engineOf();
  const calls = (await tour()).filter(({ method, path }) => method === 'GET' || path.startsWith('/v2/auth'));
  const fetch: typeof target.fetch = async (...asked) => {
    const response = await target.fetch(...asked);
    if (!String(asked[0]).includes('/v2/orders?')) return response;
    const { orders, ...page } = (await response.json()) as { orders: object[] };
    const body = { ...page, orders: [{ id: unknownId, status: 'Pending' }, ...orders] };
    return Response.json(body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
  };
  const comparison = await compareWith(calls, { ...target, fetch });
  expect(differing(comparison)).toHaveLength(1);
  expect(comparison.explanations).toEqual([]);
});

test('a choice that explains other calls is not named as an alternative', async () => {
  const isTokenless = ({ status, path, requestHeaders }: RecordedCall) =>
    status === 401 && path === '/v2/products' && ['Bearer x', undefined].includes(requestHeaders.get('authorization'));
  const calls = (await tour()).filter((call) => call.at === 0 || isTokenless(call));
  const choices = { unauthorized_message: 'Invalid token', missing_token_message: 'Token expired' } as const;
  const comparison = await compareWith(calls, engineOf(choices));
  expect(comparison.explanations.map(({ or }) => or)).toEqual([[], []]);
});

describe('a service with data of its own', () => {
  const service = (assumptions: Partial<Choices> = {}) => engineOf(assumptions, { fixtures: otherData });

  test('does not differ, but for records that the sandbox does not have', async () => {
    const comparison = await compareWith(await discovery(service()), service());
    const lacking = comparison.calls.filter(({ lacks }) => lacks !== undefined);
    expect(lacking.map(({ request: { method, target }, lacks }) => `${method} ${target}: ${lacks}`)).toEqual([
      'POST /v2/orders: the target',
    ]);
    expect(differing(comparison)).toEqual([]);
  });

  test.each([
    ['status_id', 'uuid'],
    ['absent_values', 'omitted'],
    ['next_cursor', 'meta'],
    ['order_created_status', '200'],
    ['order_fields', 'echo'],
    ['single_read_body', 'bare'],
    ['validation_placement', 'details'],
  ] as const)('shows that it has %s=%s', async (assumption, choice) => {
    const comparison = await compareWith(await discovery(service()), service({ [assumption]: choice }));
    expect(comparison.explanations).toMatchObject([{ assumption, choice, or: [] }]);
  });
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

// The probes of the register: what they send is refused or reads only, and their answers tell the choices apart.
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { filled } from '../../src/contract/addresses.ts';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import { malformedToken, nextOf, openingCalls, type ProbeCall } from '../../src/contract/probes.ts';
import { roundsOfChoices } from '../cases/common.ts';
import { fulfillmentRow, insertFulfillments, productId, products, unknownId } from '../support/order-requests.ts';
import { type Answer, passwordOf, testSachet } from '../support/sachet.ts';

const probes = assumptionIds.flatMap((id) => {
  const { probe } = assumptionRegister[id];
  return 'unobservable' in probe ? [] : [[id, probe] as const];
});
const reading = probes.flatMap(([, { calls, writes }]) => (writes ? [] : calls));

const undelivered = { delivery_date: null, pickup_date: null, tracking_info: null };

/** Sends the calls to a Sachet with these choices, which has more fulfillments than a page. */
async function answersTo(calls: readonly ProbeCall[], choices: Partial<Choices>) {
  const sachet = testSachet({ assumptions: choices });
  const sandbox = await sachet.sandbox();
  await insertFulfillments(
    sandbox,
    Array.from({ length: 51 }, (_, n) => fulfillmentRow(n, undelivered)),
  );
  const stored = () =>
    JSON.stringify((['orders', 'consumers'] as const).map((name) => [...sandbox.state.table(name).entries()]));
  const before = stored();
  const values: Record<string, string> = {
    ...{ username: 'demo', password: passwordOf('demo'), unknown: unknownId, email: 'sachet-probe+1@example.com' },
    ...{ product: productId(1), inactive_product: products.inactive, foreign_product: products.foreign },
  };
  const value = (name: string) => values[name] ?? `no ${name}`;
  const answers: Answer[] = [];
  for (const { method, path, body, raw, token = 'valid' } of [...openingCalls, ...calls]) {
    const bearer = {
      valid: values.access_token,
      malformed: malformedToken,
      replaced: values.replaced,
      none: undefined,
    }[token];
    const answer = await sachet.call(method, filled(path, value), {
      headers: {
        'content-type': 'application/json',
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      ...(body !== undefined && { raw: filled(JSON.stringify(body), value) }),
      ...(raw !== undefined && { raw }),
    });
    answers.push(answer);
    const { access_token, refresh_token, fulfillments } = answer.body ?? {};
    if (path.endsWith('/refresh-token') && access_token) values.replaced = values.access_token ?? '';
    Object.assign(values, access_token && { access_token }, refresh_token && { refresh_token });
    if (fulfillments?.[0]) values.label_url = fulfillments[0].label_url;
  }
  return { answers, isUnchanged: stored() === before };
}

/** The answers with the lifetime of each token instead of the token. The seed makes all other values the same. */
const comparable = (answers: readonly Answer[]): string =>
  JSON.stringify(
    answers.map(({ status, text, headers }) => [
      status,
      text,
      ...['www-authenticate', 'link', 'x-next-cursor'].map((name) => headers.get(name)),
    ]),
  ).replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, (token) => {
    const { exp, iat = 0 } = decodeJwt(token);
    return exp === undefined ? 'never' : String(exp - iat);
  });

describe('a probe', () => {
  test.each(probes)('tells the choices of %s apart', async (id, { calls }) => {
    const answers = await Promise.all(
      assumptionRegister[id].choices.map(async ([choice]) =>
        comparable((await answersTo(calls, { [id]: choice })).answers),
      ),
    );
    expect(new Set(answers).size).toBe(answers.length);
  });

  test.each(roundsOfChoices.map((choices, round) => [round, choices] as const))(
    'that does not write changes nothing, with the choices of round %i',
    async (_, choices) => {
      const { answers, isUnchanged } = await answersTo(reading, choices);
      const orders = [...openingCalls, ...reading].map(
        ({ method, path }) => method === 'POST' && path === '/v2/orders',
      );
      const statuses = answers.flatMap(({ status }, at) => (orders[at] ? [status] : []));
      expect(statuses.length).toBeGreaterThan(10);
      expect(statuses.filter((status) => status < 400)).toEqual([]);
      expect(isUnchanged).toBe(true);
    },
  );
});

test('a probe is one line for people, with the value that the user must give; so is the reason for a missing one', () => {
  const next = (id: AssumptionId) => nextOf(assumptionRegister[id].probe);
  expect(next('numeric_strings')).toBe('POST /v2/orders with duration "30"');
  expect(next('missing_token_message')).toBe('GET /v2/products without a token');
  expect(next('product_list')).toMatch(/^GET \S+, then GET \S+ \(give inactive_product with --known\)$/);
  expect(next('foreign_resource')).toMatch(/^GET \S+, then POST \S+ with another client's product \(give /);
  expect(next('pack_id')).toBe('POST /v2/orders with pack_id "Sachet probe" (creates an order)');
  expect(next('rate_limit')).toBe('a probe would disturb other clients; `sachet learn` finds it in recordings');
});

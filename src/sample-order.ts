// An order that the service accepts: of the first user who may log in, for the first product that they can order.
import type { Fixtures } from './contract/fixtures.ts';
import { type RecordOf, unknownId } from './contract/records.ts';
import { mayLogIn } from './domain/tokens.ts';
import { isOrderable, orderFor, type SampleOrder } from './sandbox/sample-calls.ts';
import { shippedFixtures } from './shipped.ts';

/**
 * A body for `POST /v2/orders` that a sandbox with the shipped fixtures accepts: 201, Pending.
 * @param changes fields that replace its own, each as a whole
 * @example
 * await client.post('/v2/orders', sampleOrder());
 * await client.post('/v2/orders', sampleOrder({ order_lines: [] })); // 422
 */
export const sampleOrder = <Changes extends Partial<Record<keyof SampleOrder, unknown>> = object>(
  changes?: Changes,
): Omit<SampleOrder, keyof Changes> & Changes => ({ ...orderOf(shippedFixtures()), ...(changes as Changes) });

/** The same with other fixtures. */
export function orderOf(fixtures: Fixtures): SampleOrder {
  const user = firstReadyUser(fixtures);
  const operatorProducts = byId(fixtures.operator_products);
  const product = fixtures.products.find(
    (one) => one.brand_id === user?.brand_id && isOrderable(one, operatorProducts),
  );
  return orderFor(product?.id ?? unknownId, fixtures.administration_times.values);
}

/** The first user who may log in. */
export function firstReadyUser(
  fixtures: Pick<Fixtures, 'users' | 'brands' | 'accounts'>,
): RecordOf<'users'> | undefined {
  const owners = { brands: byId(fixtures.brands), accounts: byId(fixtures.accounts) };
  return fixtures.users.find((user) => mayLogIn(user, owners));
}

const byId = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.id, record]));

// An order that the service takes: of the first user who may log in, for the first product of theirs that can be ordered.
import type { Fixtures } from './contract/fixtures.ts';
import type { RecordOf } from './contract/records.ts';
import { firstWhoMayLogIn } from './domain/tokens.ts';
import { unknownId } from './openapi/samples.ts';
import { firstOrdering, orderFor, type SampleOrder } from './sandbox/sample-order.ts';
import { shippedFixtures } from './shipped.ts';

/**
 * A body for `POST /v2/orders` that is taken wherever the shipped fixtures are: 201, Pending.
 * @param changes fields that stand in place of its own, each whole.
 * @example
 * await client.post('/v2/orders', sampleOrder());
 * await client.post('/v2/orders', sampleOrder({ order_lines: [] })); // 422
 */
export const sampleOrder = <Changes extends Partial<Record<keyof SampleOrder, unknown>> = object>(
  changes?: Changes,
): Omit<SampleOrder, keyof Changes> & Changes => ({ ...orderOf(shippedFixtures()), ...(changes as Changes) });

/** The same with other fixtures. */
export function orderOf({ users, brands, accounts, products, operator_products, ...fixtures }: Fixtures): SampleOrder {
  const ordering = firstOrdering({
    users,
    brands: byId(brands),
    accounts: byId(accounts),
    operatorProducts: byId(operator_products),
    productsOf: (brandId) => products.filter(({ brand_id }) => brand_id === brandId),
  });
  return orderFor(ordering?.product?.id ?? unknownId, fixtures.administration_times.values);
}

/** The first user of the fixtures who may log in. */
export function readyUser({
  users,
  ...fixtures
}: Pick<Fixtures, 'users' | 'brands' | 'accounts'>): RecordOf<'users'> | undefined {
  return firstWhoMayLogIn(users, { brands: byId(fixtures.brands), accounts: byId(fixtures.accounts) });
}

const byId = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.id, record]));

// An order that the service takes: of the first user who may log in, for the first product of theirs that can be ordered.
import type { Fixtures } from './contract/fixtures.ts';
import { unknownId } from './contract/openapi/samples.ts';
import type { RecordOf } from './contract/records.ts';
import { firstWhoMayLogIn } from './domain/tokens.ts';
import { shippedFixtures } from './shipped.ts';

const consumer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone_number: '+15550100' };
const shipping_address = {
  address1: '1 Main Street',
  city: 'Springfield',
  country_name: 'United States',
  postal_code: '62701',
};

/**
 * The body of a new order, for a new consumer.
 * @example const order: SampleOrder = sampleOrder();
 */
export interface SampleOrder {
  readonly consumer: typeof consumer;
  readonly shipping_address: typeof shipping_address;
  readonly order_lines: {
    readonly duration: number;
    readonly pouches: {
      readonly time_of_administration: string;
      readonly contents: { readonly client_product_id: string; readonly serving_size: number }[];
    }[];
  }[];
}

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
export function orderOf({ products, operator_products, administration_times, ...fixtures }: Fixtures): SampleOrder {
  const user = readyUser(fixtures);
  const discontinued = new Set(operator_products.filter((behind) => behind.discontinued).map(({ id }) => id));
  const product = products.find(
    ({ brand_id, active, operator_product_id }) =>
      brand_id === user?.brand_id && active && !discontinued.has(operator_product_id),
  );
  const [time_of_administration = 'Morning'] = administration_times.values;
  const contents = [{ client_product_id: product?.id ?? unknownId, serving_size: 1 }];
  return {
    consumer: { ...consumer },
    shipping_address: { ...shipping_address },
    order_lines: [{ duration: 30, pouches: [{ time_of_administration, contents }] }],
  };
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

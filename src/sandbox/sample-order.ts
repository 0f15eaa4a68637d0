// An order that the service takes, made of records: whose it is, of what, and its body.
import type { RecordOf } from '../contract/records.ts';
import { firstWhoMayLogIn } from '../domain/tokens.ts';
import type { State } from '../state/state.ts';

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

interface ById<Name extends 'brands' | 'accounts' | 'operator_products'> {
  get(id: string): RecordOf<Name> | undefined;
}

/** Records, wherever they are kept. Of the iterables no more is taken than is needed. */
export interface Orderable {
  readonly users: Iterable<RecordOf<'users'>>;
  readonly brands: ById<'brands'>;
  readonly accounts: ById<'accounts'>;
  readonly operatorProducts: ById<'operator_products'>;
  readonly productsOf: (brandId: string) => Iterable<RecordOf<'products'>>;
}

export interface Ordering {
  readonly user: RecordOf<'users'>;
  /** undefined where the user's brand has nothing that can be ordered. */
  readonly product: RecordOf<'products'> | undefined;
}

/** The first user who may log in, and the first product of theirs that can be ordered; undefined where nobody may. */
export function firstOrdering(records: Orderable): Ordering | undefined {
  const user = firstWhoMayLogIn(records.users, records);
  return user && { user, product: firstToOrder(records, user.brand_id) };
}

/** Active, and not discontinued behind it (ORD-19, ORD-20). */
function firstToOrder({ productsOf, operatorProducts }: Orderable, brandId: string): RecordOf<'products'> | undefined {
  for (const product of productsOf(brandId))
    if (product.active && operatorProducts.get(product.operator_product_id)?.discontinued !== true) return product;
  return undefined;
}

/** Each an object of its own. @param administrationTimes the values that a pouch may have; the first is taken */
export function orderFor(productId: string, [time_of_administration = 'Morning']: readonly string[]): SampleOrder {
  const contents = [{ client_product_id: productId, serving_size: 1 }];
  return {
    consumer: { ...consumer },
    shipping_address: { ...shipping_address },
    order_lines: [{ duration: 30, pouches: [{ time_of_administration, contents }] }],
  };
}

/** The same of a sandbox's own records. */
export function orderingIn(state: State): Ordering | undefined {
  const [users, products] = [state.table('users'), state.table('products')];
  return firstOrdering({
    users: rowsOf(users.entries()),
    brands: state.table('brands'),
    accounts: state.table('accounts'),
    operatorProducts: state.table('operator_products'),
    productsOf: (brandId) => rowsOf(products.walk('brand', brandId)),
  });
}

function* rowsOf<Row>(numbered: Iterable<readonly [sequence: number, row: Row]>): Generator<Row> {
  for (const [, row] of numbered) yield row;
}

// What a consumer is called where people read.

/** First and last name, else the e-mail address, else the id. */
export function consumerName(state: State, id: string): string {
  const { first_name = null, last_name = null, email = null } = state.table('consumers').get(id) ?? {};
  return [first_name, last_name].filter(Boolean).join(' ') || email || id;
}

// The users who can log in to a sandbox, and the products that they can order: for sample calls in docs and console.
import { shellWord } from '../contract/addresses.ts';
import { authenticationOperations } from '../contract/authentication.ts';
import { orderOperations } from '../contract/orders.ts';
import { type RecordOf, unknownId } from '../contract/records.ts';
import type { Hashes } from '../domain/hashes.ts';
import { withTag } from '../domain/login-tags.ts';
import { accessOf, mayLogIn } from '../domain/tokens.ts';
import { timeOf } from '../state/clock.ts';
import type { State } from '../state/state.ts';
import { requestId } from '../system/random.ts';
import { resolvedAssumptions, SandboxWorld } from './sandbox-world.ts';

type User = RecordOf<'users'>;
type Product = RecordOf<'products'>;

export interface Login {
  /** With the username to log in with: it has the sandbox's tag. */
  readonly user: User;
  readonly mayLogIn: boolean;
}

/** The users: those who may log in come first. */
export function* loginsOf(state: State): Generator<Login> {
  const owners = { brands: state.table('brands'), accounts: state.table('accounts') };
  const users = state.table('users');
  for (const may of [true, false])
    for (const [, user] of users.entries())
      if (mayLogIn(user, owners) === may)
        yield { user: { ...user, username: withTag(user.username, state.initial.identity, users) }, mayLogIn: may };
}

/** The claims of an access token, as a login would give it. The sandbox counts no login. */
export function claimsFor(user: User, state: State, hashes: Hashes, machine: number) {
  const { username, password } = user;
  const { method, path } = authenticationOperations['authentication.token'];
  // A switch may shorten the tokens of some logins.
  const facts = { operation: 'authentication.token', method, path, body: { username, password } };
  const now = timeOf(state.value('clock'), machine);
  const world = new SandboxWorld(state, { now, hashes }, { baseUrl: '', facts }, resolvedAssumptions(state));
  return accessOf(world, user, requestId());
}

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
export type SampleOrder = ReturnType<typeof orderFor>;

/** A new order of this product. @param administrationTimes the pouch gets the first */
export function orderFor(productId: string, [time_of_administration = 'Morning']: readonly string[]) {
  const contents = [{ client_product_id: productId, serving_size: 1 }];
  return {
    consumer: { ...consumer },
    shipping_address: { ...shipping_address },
    order_lines: [{ duration: 30, pouches: [{ time_of_administration, contents }] }],
  };
}

/** Whether orders of this product are accepted (ORD-19, ORD-20). */
export const isOrderable = (
  { active, operator_product_id }: Product,
  operatorProducts: { get(id: string): RecordOf<'operator_products'> | undefined },
): boolean => active && operatorProducts.get(operator_product_id)?.discontinued !== true;

/** The first user who may log in, with the first product that they can order, if their brand has one. */
export type ReadyUser = NonNullable<ReturnType<typeof readyUser>>;

export function readyUser(state: State) {
  const [first] = loginsOf(state);
  if (!first?.mayLogIn) return undefined;
  const { user } = first;
  for (const [, product] of state.table('products').walk('brand', user.brand_id))
    if (isOrderable(product, state.table('operator_products'))) return { user, product };
  return { user, product: undefined };
}

export interface FirstCalls {
  readonly baseUrl: string;
  readonly login: { readonly username: string; readonly password: string };
  readonly order: SampleOrder;
}

/** The calls of this user. Without a product to order, the order is of an unknown one. */
export function firstCallsOf({ user, product }: ReadyUser, state: State, baseUrl: string): FirstCalls {
  const { username, password } = user;
  const order = orderFor(product?.id ?? unknownId, state.value('administration_times').values);
  return { baseUrl, login: { username, password }, order };
}

const post = (curl: string, url: string, headers: readonly string[], body: object): string =>
  [`${curl} ${shellWord(url)}`, ...headers, `-d ${shellWord(JSON.stringify(body))}`].join(' \\\n  ');

const json = "-H 'Content-Type: application/json'";

/** A shell command that logs in. @param curl with its flags */
export const loginCommand = ({ baseUrl, login }: Omit<FirstCalls, 'order'>, curl = 'curl -s'): string =>
  post(curl, baseUrl + authenticationOperations['authentication.token'].path, [json], login);

/** The sed command that prints the token of a login's response. */
export const tokenInSed = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`;

/** Shell commands that log in, then create the order. */
export const orderCommands = (calls: FirstCalls, curl = 'curl -s'): string =>
  `TOKEN=$(${loginCommand(calls, curl)} | ${tokenInSed})\n` +
  post(
    curl,
    calls.baseUrl + orderOperations['orders.create'].path,
    ['-H "Authorization: Bearer $TOKEN"', json],
    calls.order,
  );

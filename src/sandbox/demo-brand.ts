// Demo data: a brand with a catalog and a login, and orders over the last days of the sandbox's clock.
import { ControlRefusal } from '../contract/control/control-operation.ts';
import type { DemoBody } from '../contract/control/demo.ts';
import { permissions } from '../contract/operation.ts';
import {
  type CollectionName,
  type FulfillmentStatus,
  fulfillmentStatuses,
  type OrderStatus,
  orderStatuses,
} from '../contract/records.ts';
import { isServiceStatus } from '../domain/fulfillments.ts';
import type { Caller, RowOf, World } from '../domain/world.ts';
import type { State } from '../state/state.ts';
import { type Catalog, Draws, historyOf } from './demo-orders.ts';
import { freshPassword } from './new-sandbox.ts';
import { durationInReview, type Persona, personas } from './personas.ts';
import { resolvedAssumptions, SandboxWorld, type WriteContext } from './sandbox-world.ts';

const dayMilliseconds = 86_400_000;

/** A world at some time of a demo. The ids that it draws do not change the next ones of the sandbox. */
class DemoWorld extends SandboxWorld {
  readonly #draws: Draws;

  constructor(state: State, context: WriteContext, draws: Draws, caller?: Caller) {
    super(state, context, { baseUrl: '', caller }, resolvedAssumptions(state));
    this.#draws = draws;
  }

  protected override get seed(): string {
    return this.#draws.seed;
  }

  override count(purpose: string): number {
    return this.#draws.count(purpose);
  }
}

/**
 * Adds the brand of a persona. The functions of the domain create, move and ship its orders, each in a world at the
 * time of the action.
 * @param hasFreshPassword whether the password is one of its own, instead of a known one
 * @throws ControlRefusal 409 if the sandbox has the brand already, Refusal max_records
 */
export function addDemoBrand(state: State, demo: DemoBody, hasFreshPassword: boolean, context: WriteContext) {
  const persona = personas[demo.persona];
  const { username } = persona;
  const brands = Array.from(state.table('brands').entries(), ([, { name }]) => name);
  if (brands.includes(persona.brand)) throw alreadyThere(demo, `brand ${persona.brand}, that`);
  if (state.table('users').firstOf('username', username)) throw alreadyThere(demo, `user ${username}, the login`);
  const password = hasFreshPassword ? freshPassword(state, context.hashes, username) : `sachet-${username}`;
  const draws = new Draws(context.hashes, `demo ${demo.persona} ${demo.seed}`);
  const span = { start: context.now - demo.days * dayMilliseconds, now: context.now, orders: demo.orders };
  const catalog = addCatalog(new DemoWorld(state, { ...context, now: span.start }, draws), persona, password);
  for (const { at, run } of historyOf(state, persona, catalog, draws, span))
    run(new DemoWorld(state, { ...context, now: at }, draws, catalog.caller));
  return { persona: demo.persona, seed: demo.seed, login: { username, password }, ...summaryOf(state, catalog) };
}

const alreadyThere = ({ persona }: DemoBody, what: string): ControlRefusal =>
  new ControlRefusal(
    409,
    `The sandbox already has the ${what} of the persona ${persona}; choose another persona, or reset the sandbox first`,
  );

/** Adds the brand with its user, its products, packs and packaging. */
function addCatalog(world: World, { account, brand, username, ...persona }: Persona, password: string): Catalog {
  const add = <Name extends CollectionName>(name: Name, fields: Omit<RowOf<Name>, 'id'>): RowOf<Name> => {
    const row = { id: world.newId(name), ...fields } as unknown as RowOf<Name>;
    world.table(name).insert(row);
    return row;
  };
  const { id: account_id } = add('accounts', { name: account, active: true });
  const { id: brand_id } = add('brands', { account_id, name: brand });
  const user = add('users', { brand_id, username, password, active: true, permissions: [...permissions] });
  const addProduct = ([product_name, name, serving_size]: Persona['retired'], active: boolean) => {
    const { id: operator_product_id } = add('operator_products', { name, discontinued: !active });
    return add('products', { brand_id, operator_product_id, product_name, active, serving_size });
  };
  const products = persona.products.map((product) => addProduct(product, true));
  addProduct(persona.retired, false);
  const packs = persona.packs.map((name) => add('packs', { brand_id, name }));
  add('pags', { brand_id, name: `${brand} Standard Box`, status: 'Active', duration: null });
  const duration = durationInReview;
  add('pags', { brand_id, name: `${brand} ${duration}-Day Carton`, status: 'In Review', duration });
  return { brand, caller: { user, brandId: brand_id }, products, packs };
}

const noneOf = <Status extends string>(statuses: readonly Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;

function summaryOf(state: State, { brand, caller: { brandId: id } }: Catalog) {
  const orders: Record<OrderStatus, number> = noneOf(orderStatuses);
  for (const [, { status }] of state.table('orders').walk('brand', id)) orders[status] += 1;
  const fulfillments: Record<FulfillmentStatus, number> = noneOf(fulfillmentStatuses);
  for (const [, { status_id }] of state.table('fulfillments').walk('brand', id))
    if (isServiceStatus(status_id)) fulfillments[status_id] += 1;
  const consumers = [...state.table('consumers').walk('brand', id)].length;
  return { brand: { id, name: brand }, consumers, orders, fulfillments };
}

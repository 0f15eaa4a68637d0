// A client of the Order and Fulfillment Service: products, orders, fulfillments and their labels.
import createClient, { type Client } from 'openapi-fetch';
import type { operations, paths } from '../generated/service.ts';
import { authorization } from './authorization.ts';
import { download } from './label.ts';
import { placeOnce } from './place-once.ts';
import { unwrap } from './result.ts';
import { createRateLimitFetch, createRetryFetch, realSleep, type Sleep } from './retry-fetch.ts';
import { Session } from './session.ts';
import type { ClientProduct, Fulfillment, Login, Order, OrderRequest } from './wire.ts';

export interface Settings extends Login {
  readonly baseUrl: string;
  /** Ids of the orders placed so far. They identify an order whose response was lost: its id is not in the set. */
  readonly placed?: Set<string>;
}

type FulfillmentQuery = Omit<NonNullable<operations['listFulfillments']['parameters']['query']>, 'cursor'>;

export class ServiceClient {
  /** Calls any operation of the document, with the token and with retries. */
  readonly api: Client<paths>;
  readonly #placed: Set<string>;
  readonly #sleep: Sleep;

  constructor({ baseUrl, username, password, placed = new Set() }: Settings, sleep: Sleep = realSleep) {
    const fetch = createRetryFetch(sleep);
    const [http, api] = [createClient<paths>({ baseUrl, fetch }), createClient<paths>({ baseUrl, fetch })];
    api.use(authorization(new Session(http, { username, password })));
    this.api = api;
    this.#placed = placed;
    this.#sleep = sleep;
  }

  async products(): Promise<readonly ClientProduct[]> {
    return unwrap(await this.api.GET('/v2/products')).client_products;
  }

  /** Returns the stored order, whatever its status. Do not place it again. */
  async placeOrder(body: OrderRequest): Promise<Order> {
    const fetch = createRateLimitFetch(this.#sleep);
    const send = async () => unwrap(await this.api.POST('/v2/orders', { body, fetch })).order;
    const order = await placeOnce({ send, find: () => this.#findStored(body), sleep: this.#sleep });
    this.#placed.add(order.id);
    return order;
  }

  /** Finds the consumer's order among the newest orders, without those in `placed`. */
  async #findStored({ consumer }: OrderRequest): Promise<Order | undefined> {
    const { orders } = unwrap(await this.api.GET('/v2/orders'));
    return orders.find((order) => !this.#placed.has(order.id) && isSameConsumer(consumer, order));
  }

  async orderFulfillments(orderId: string): Promise<readonly Fulfillment[]> {
    const path = { orderId };
    return unwrap(await this.api.GET('/v2/orders/{orderId}/fulfillments', { params: { path } })).fulfillments;
  }

  async fulfillment(fulfillmentId: string): Promise<Fulfillment> {
    const path = { fulfillmentId };
    return unwrap(await this.api.GET('/v2/fulfillments/{fulfillmentId}', { params: { path } })).fulfillment;
  }

  /** Iterates over all fulfillments. Requests the next page when it is needed. */
  async *fulfillments(query: FulfillmentQuery = {}): AsyncGenerator<Fulfillment, void> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const params = { query: { ...query, ...(cursor === undefined ? {} : { cursor }) } };
      const page = unwrap(await this.api.GET('/v2/fulfillments', { params }));
      yield* page.fulfillments;
      cursor = page.next_cursor;
      if (cursor === undefined) throw new Error('The page has no next_cursor, so more pages may follow.');
    }
  }

  /** Downloads the label as a PDF. If the URL has expired, reads the fulfillment again for a fresh one. */
  async label({ id, label_url }: Fulfillment): Promise<ArrayBuffer> {
    const label = (await download(label_url)) ?? (await download((await this.fulfillment(id)).label_url));
    if (!label) throw new Error(`The storage also rejects a fresh label_url of fulfillment ${id}.`);
    return label;
  }
}

const isSameConsumer = (wanted: OrderRequest['consumer'], { consumer }: Order): boolean =>
  'id' in wanted
    ? consumer.id === wanted.id
    : consumer.first_name === wanted.first_name && consumer.last_name === wanted.last_name;

// A client of the Order and Fulfillment Service: products, orders, fulfillments and their labels.
import createClient, { type Client } from 'openapi-fetch';
import type { operations, paths } from '../generated/service.ts';
import { dataOf } from './answer.ts';
import { authorization } from './authorization.ts';
import { download } from './label.ts';
import { patientFetch, realSleep, type Sleep, waitingFetch } from './patient-fetch.ts';
import { placeOnce } from './place-once.ts';
import { Session } from './session.ts';
import type { ClientProduct, Fulfillment, Login, Order, OrderRequest } from './wire.ts';

export interface Settings extends Login {
  readonly baseUrl: string;
  /** The ids of the orders on record, by which one whose answer was lost is told from those before it. */
  readonly placed?: Set<string>;
}

type FulfillmentQuery = Omit<NonNullable<operations['fulfillments.list']['parameters']['query']>, 'cursor'>;

export class ServiceClient {
  /** Any operation of the document, with a token, and patient. */
  readonly api: Client<paths>;
  readonly #placed: Set<string>;
  readonly #sleep: Sleep;

  constructor({ baseUrl, username, password, placed = new Set() }: Settings, sleep: Sleep = realSleep) {
    const fetch = patientFetch(sleep);
    const [http, api] = [createClient<paths>({ baseUrl, fetch }), createClient<paths>({ baseUrl, fetch })];
    api.use(authorization(new Session(http, { username, password })));
    this.api = api;
    this.#placed = placed;
    this.#sleep = sleep;
  }

  async products(): Promise<readonly ClientProduct[]> {
    return dataOf(await this.api.GET('/v2/products')).client_products;
  }

  /** The order was taken, whatever its status is: it is not to be placed again. */
  async placeOrder(body: OrderRequest): Promise<Order> {
    const fetch = waitingFetch(this.#sleep);
    const send = async () => dataOf(await this.api.POST('/v2/orders', { body, fetch })).order;
    const order = await placeOnce({ send, find: () => this.#stored(body), sleep: this.#sleep });
    this.#placed.add(order.id);
    return order;
  }

  /** Among the newest orders the consumer's that is not on record. */
  async #stored({ consumer }: OrderRequest): Promise<Order | undefined> {
    const { orders } = dataOf(await this.api.GET('/v2/orders'));
    return orders.find((order) => !this.#placed.has(order.id) && isOf(consumer, order));
  }

  async orderFulfillments(orderId: string): Promise<readonly Fulfillment[]> {
    const path = { orderId };
    return dataOf(await this.api.GET('/v2/orders/{orderId}/fulfillments', { params: { path } })).fulfillments;
  }

  async fulfillment(fulfillmentId: string): Promise<Fulfillment> {
    const path = { fulfillmentId };
    return dataOf(await this.api.GET('/v2/fulfillments/{fulfillmentId}', { params: { path } })).fulfillment;
  }

  /** All of them, page after page, as the caller goes on. */
  async *fulfillments(query: FulfillmentQuery = {}): AsyncGenerator<Fulfillment, void> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const params = { query: { ...query, ...(cursor === undefined ? {} : { cursor }) } };
      const page = dataOf(await this.api.GET('/v2/fulfillments', { params }));
      yield* page.fulfillments;
      cursor = page.next_cursor;
      if (cursor === undefined) throw new Error('A page without next_cursor does not say whether it is the last.');
    }
  }

  /** The label, a PDF. A label_url that the storage has refused is dead; a fresh one comes with the fulfillment. */
  async label({ id, label_url }: Fulfillment): Promise<ArrayBuffer> {
    const label = (await download(label_url)) ?? (await download((await this.fulfillment(id)).label_url));
    if (!label) throw new Error(`The storage refuses a fresh label_url of fulfillment ${id}, too.`);
    return label;
  }
}

const isOf = (wanted: OrderRequest['consumer'], { consumer }: Order): boolean =>
  'id' in wanted
    ? consumer.id === wanted.id
    : consumer.first_name === wanted.first_name && consumer.last_name === wanted.last_name;

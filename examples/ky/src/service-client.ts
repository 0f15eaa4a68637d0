// A client of the Order and Fulfillment Service: products, orders, fulfillments and their labels.
import ky, { type KyInstance } from 'ky';
import { authorization } from './authorization.ts';
import { download } from './label.ts';
import { placeOnce } from './place-once.ts';
import { orderRetry, retry } from './retry.ts';
import { type Credentials, Session } from './session.ts';
import type { Fulfillment, FulfillmentPage, Order, OrderRequest, Product } from './wire.ts';

export interface Settings extends Credentials {
  readonly baseUrl: string;
  /** The ids of the orders on record, by which one whose answer was lost is told from those before it. */
  readonly placed?: Set<string>;
}

export class ServiceClient {
  readonly #api: KyInstance;
  readonly #placed: Set<string>;

  constructor({ baseUrl, username, password, placed = new Set() }: Settings) {
    const http = ky.create({ prefixUrl: baseUrl, retry });
    this.#api = http.extend({ hooks: authorization(new Session(http, { username, password })) });
    this.#placed = placed;
  }

  async products(): Promise<readonly Product[]> {
    const { client_products } = await this.#api.get('v2/products').json<{ client_products: Product[] }>();
    return client_products;
  }

  /** The order was taken, whatever its status is: it is not to be placed again. */
  async placeOrder(request: OrderRequest): Promise<Order> {
    const send = async () => {
      const answer = this.#api.post('v2/orders', { json: request, retry: orderRetry });
      return (await answer.json<{ order: Order }>()).order;
    };
    const order = await placeOnce({ send, find: () => this.#stored(request) });
    this.#placed.add(order.id);
    return order;
  }

  /** Among the newest orders the consumer's that is not on record. */
  async #stored({ consumer }: OrderRequest): Promise<Order | undefined> {
    const { orders } = await this.#api.get('v2/orders').json<{ orders: Order[] }>();
    return orders.find((order) => !this.#placed.has(order.id) && isOf(consumer, order));
  }

  async orderFulfillments(orderId: string): Promise<readonly Fulfillment[]> {
    const answer = this.#api.get(`v2/orders/${orderId}/fulfillments`);
    return (await answer.json<Pick<FulfillmentPage, 'fulfillments'>>()).fulfillments;
  }

  async fulfillment(id: string): Promise<Fulfillment> {
    const { fulfillment } = await this.#api.get(`v2/fulfillments/${id}`).json<{ fulfillment: Fulfillment }>();
    return fulfillment;
  }

  /** All of them, page after page, as the caller goes on. */
  async *fulfillments(query: { limit?: number; order_id?: string } = {}): AsyncGenerator<Fulfillment, void> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const searchParams = { ...query, cursor };
      const page = await this.#api.get('v2/fulfillments', { searchParams }).json<FulfillmentPage>();
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

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
  /** Ids of the orders placed so far. They identify an order whose response was lost: its id is not in the set. */
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

  /** Returns the stored order, whatever its status. Do not place it again. */
  async placeOrder(request: OrderRequest): Promise<Order> {
    const send = async () => {
      const response = this.#api.post('v2/orders', { json: request, retry: orderRetry });
      return (await response.json<{ order: Order }>()).order;
    };
    const order = await placeOnce({ send, find: () => this.#findStored(request) });
    this.#placed.add(order.id);
    return order;
  }

  /** Finds the consumer's order among the newest orders, without those in `placed`. */
  async #findStored({ consumer }: OrderRequest): Promise<Order | undefined> {
    const { orders } = await this.#api.get('v2/orders').json<{ orders: Order[] }>();
    return orders.find((order) => !this.#placed.has(order.id) && isSameConsumer(consumer, order));
  }

  async orderFulfillments(orderId: string): Promise<readonly Fulfillment[]> {
    const response = this.#api.get(`v2/orders/${orderId}/fulfillments`);
    return (await response.json<Pick<FulfillmentPage, 'fulfillments'>>()).fulfillments;
  }

  async fulfillment(id: string): Promise<Fulfillment> {
    const { fulfillment } = await this.#api.get(`v2/fulfillments/${id}`).json<{ fulfillment: Fulfillment }>();
    return fulfillment;
  }

  /** Iterates over all fulfillments. Requests the next page when it is needed. */
  async *fulfillments(query: { limit?: number; order_id?: string } = {}): AsyncGenerator<Fulfillment, void> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const searchParams = { ...query, cursor };
      const page = await this.#api.get('v2/fulfillments', { searchParams }).json<FulfillmentPage>();
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

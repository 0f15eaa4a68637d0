// A client of the Order and Fulfillment Service: products, orders, fulfillments and their labels.
import axios, { type AxiosInstance } from 'axios';
import { authorize } from './authorization.ts';
import { download } from './label.ts';
import { placeOnce } from './place-once.ts';
import { realSleep, retryFailures, type Sleep } from './retry.ts';
import { type Credentials, Session } from './session.ts';
import type { Fulfillment, FulfillmentPage, Order, OrderRequest, Product } from './wire.ts';

export interface Settings extends Credentials {
  readonly baseUrl: string;
  /** Ids of the orders placed so far. They identify an order whose response was lost: its id is not in the set. */
  readonly placed?: Set<string>;
}

export class ServiceClient {
  readonly #api: AxiosInstance;
  readonly #placed: Set<string>;
  readonly #sleep: Sleep;

  constructor({ baseUrl, username, password, placed = new Set() }: Settings, sleep: Sleep = realSleep) {
    const [http, api] = [axios.create({ baseURL: baseUrl }), axios.create({ baseURL: baseUrl })];
    retryFailures(http, sleep);
    retryFailures(api, sleep);
    authorize(api, new Session(http, { username, password }));
    this.#api = api;
    this.#placed = placed;
    this.#sleep = sleep;
  }

  async products(): Promise<readonly Product[]> {
    const { data } = await this.#api.get<{ client_products: Product[] }>('/v2/products');
    return data.client_products;
  }

  /** Returns the stored order, whatever its status. Do not place it again. */
  async placeOrder(request: OrderRequest): Promise<Order> {
    const send = async () => {
      const { data } = await this.#api.post<{ order: Order }>('/v2/orders', request, { retryRateLimitOnly: true });
      return data.order;
    };
    const order = await placeOnce({ send, find: () => this.#findStored(request), sleep: this.#sleep });
    this.#placed.add(order.id);
    return order;
  }

  /** Finds the consumer's order among the newest orders, without those in `placed`. */
  async #findStored({ consumer }: OrderRequest): Promise<Order | undefined> {
    const { data } = await this.#api.get<{ orders: Order[] }>('/v2/orders');
    return data.orders.find((order) => !this.#placed.has(order.id) && isSameConsumer(consumer, order));
  }

  async orderFulfillments(orderId: string): Promise<readonly Fulfillment[]> {
    const { data } = await this.#api.get<Pick<FulfillmentPage, 'fulfillments'>>(`/v2/orders/${orderId}/fulfillments`);
    return data.fulfillments;
  }

  async fulfillment(id: string): Promise<Fulfillment> {
    const { data } = await this.#api.get<{ fulfillment: Fulfillment }>(`/v2/fulfillments/${id}`);
    return data.fulfillment;
  }

  /** Iterates over all fulfillments. Requests the next page when it is needed. */
  async *fulfillments(query: { limit?: number; order_id?: string } = {}): AsyncGenerator<Fulfillment, void> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data } = await this.#api.get<FulfillmentPage>('/v2/fulfillments', { params: { ...query, cursor } });
      yield* data.fulfillments;
      cursor = data.next_cursor;
      if (cursor === undefined) throw new Error('The page has no next_cursor, so more pages may follow.');
    }
  }

  /** Downloads the label as a PDF. If the URL has expired, reads the fulfillment again for a fresh one. */
  async label({ id, label_url }: Fulfillment): Promise<Buffer> {
    const label = (await download(label_url)) ?? (await download((await this.fulfillment(id)).label_url));
    if (!label) throw new Error(`The storage also rejects a fresh label_url of fulfillment ${id}.`);
    return label;
  }
}

const isSameConsumer = (wanted: OrderRequest['consumer'], { consumer }: Order): boolean =>
  'id' in wanted
    ? consumer.id === wanted.id
    : consumer.first_name === wanted.first_name && consumer.last_name === wanted.last_name;

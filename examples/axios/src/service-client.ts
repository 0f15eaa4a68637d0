// A client of the Order and Fulfillment Service: products, orders, fulfillments and their labels.
import axios, { type AxiosInstance } from 'axios';
import { authorize } from './authorization.ts';
import { download } from './label.ts';
import { bePatient, realSleep, type Sleep } from './patience.ts';
import { placeOnce } from './place-once.ts';
import { type Credentials, Session } from './session.ts';
import type { Fulfillment, FulfillmentPage, Order, OrderRequest, Product } from './wire.ts';

export interface Settings extends Credentials {
  readonly baseUrl: string;
  /** The ids of the orders on record, by which one whose answer was lost is told from those before it. */
  readonly placed?: Set<string>;
}

export class ServiceClient {
  readonly #api: AxiosInstance;
  readonly #placed: Set<string>;
  readonly #sleep: Sleep;

  constructor({ baseUrl, username, password, placed = new Set() }: Settings, sleep: Sleep = realSleep) {
    const [http, api] = [axios.create({ baseURL: baseUrl }), axios.create({ baseURL: baseUrl })];
    bePatient(http, sleep);
    bePatient(api, sleep);
    authorize(api, new Session(http, { username, password }));
    this.#api = api;
    this.#placed = placed;
    this.#sleep = sleep;
  }

  async products(): Promise<readonly Product[]> {
    const { data } = await this.#api.get<{ client_products: Product[] }>('/v2/products');
    return data.client_products;
  }

  /** The order was taken, whatever its status is: it is not to be placed again. */
  async placeOrder(request: OrderRequest): Promise<Order> {
    const send = async () => {
      const { data } = await this.#api.post<{ order: Order }>('/v2/orders', request, { once: true });
      return data.order;
    };
    const order = await placeOnce({ send, find: () => this.#stored(request), sleep: this.#sleep });
    this.#placed.add(order.id);
    return order;
  }

  /** Among the newest orders the consumer's that is not on record. */
  async #stored({ consumer }: OrderRequest): Promise<Order | undefined> {
    const { data } = await this.#api.get<{ orders: Order[] }>('/v2/orders');
    return data.orders.find((order) => !this.#placed.has(order.id) && isOf(consumer, order));
  }

  async orderFulfillments(orderId: string): Promise<readonly Fulfillment[]> {
    const { data } = await this.#api.get<Pick<FulfillmentPage, 'fulfillments'>>(`/v2/orders/${orderId}/fulfillments`);
    return data.fulfillments;
  }

  async fulfillment(id: string): Promise<Fulfillment> {
    const { data } = await this.#api.get<{ fulfillment: Fulfillment }>(`/v2/fulfillments/${id}`);
    return data.fulfillment;
  }

  /** All of them, page after page, as the caller goes on. */
  async *fulfillments(query: { limit?: number; order_id?: string } = {}): AsyncGenerator<Fulfillment, void> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data } = await this.#api.get<FulfillmentPage>('/v2/fulfillments', { params: { ...query, cursor } });
      yield* data.fulfillments;
      cursor = data.next_cursor;
      if (cursor === undefined) throw new Error('A page without next_cursor does not say whether it is the last.');
    }
  }

  /** The label, a PDF. A label_url that the storage has refused is dead; a fresh one comes with the fulfillment. */
  async label({ id, label_url }: Fulfillment): Promise<Buffer> {
    const label = (await download(label_url)) ?? (await download((await this.fulfillment(id)).label_url));
    if (!label) throw new Error(`The storage refuses a fresh label_url of fulfillment ${id}, too.`);
    return label;
  }
}

const isOf = (wanted: OrderRequest['consumer'], { consumer }: Order): boolean =>
  'id' in wanted
    ? consumer.id === wanted.id
    : consumer.first_name === wanted.first_name && consumer.last_name === wanted.last_name;

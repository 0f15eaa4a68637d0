// A client of the Order and Fulfillment Service: products, orders, fulfillments and their labels.
import ky, { type KyInstance } from 'ky';
import { authorization } from './authorization.ts';
import { download } from './label.ts';
import { retry } from './rate-limit.ts';
import { type Credentials, Session } from './session.ts';
import type { Fulfillment, FulfillmentPage, Order, OrderRequest, Product } from './wire.ts';

export interface Settings extends Credentials {
  readonly baseUrl: string;
}

export class ServiceClient {
  readonly #api: KyInstance;

  constructor({ baseUrl, username, password }: Settings) {
    const http = ky.create({ prefixUrl: baseUrl, retry });
    this.#api = http.extend({ hooks: authorization(new Session(http, { username, password })) });
  }

  async products(): Promise<readonly Product[]> {
    const { client_products } = await this.#api.get('v2/products').json<{ client_products: Product[] }>();
    return client_products;
  }

  /** The order was taken, whatever its status is: it is not to be placed again. */
  async placeOrder(request: OrderRequest): Promise<Order> {
    const { order } = await this.#api.post('v2/orders', { json: request }).json<{ order: Order }>();
    return order;
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

// A client of the Order and Fulfillment Service: products, orders, fulfillments and their labels.
import createClient, { type Client } from 'openapi-fetch';
import type { operations, paths } from '../generated/service.ts';
import { dataOf } from './answer.ts';
import { authorization } from './authorization.ts';
import { download } from './label.ts';
import { patientFetch, realSleep, type Sleep } from './patient-fetch.ts';
import { Session } from './session.ts';
import type { ClientProduct, Fulfillment, Login, Order, OrderRequest } from './wire.ts';

export interface Settings extends Login {
  readonly baseUrl: string;
}

type FulfillmentQuery = Omit<NonNullable<operations['fulfillments.list']['parameters']['query']>, 'cursor'>;

export class ServiceClient {
  /** Any operation of the document, with a token, and patient. */
  readonly api: Client<paths>;

  constructor({ baseUrl, username, password }: Settings, sleep: Sleep = realSleep) {
    const fetch = patientFetch(sleep);
    const [http, api] = [createClient<paths>({ baseUrl, fetch }), createClient<paths>({ baseUrl, fetch })];
    api.use(authorization(new Session(http, { username, password })));
    this.api = api;
  }

  async products(): Promise<readonly ClientProduct[]> {
    return dataOf(await this.api.GET('/v2/products')).client_products;
  }

  /** The order was taken, whatever its status is: it is not to be placed again. */
  async placeOrder(body: OrderRequest): Promise<Order> {
    return dataOf(await this.api.POST('/v2/orders', { body })).order;
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

// Orders that are told apart by a mark of their own, which every list shows.
import { validOrder } from '../cases/requests.ts';
import type { StressedServer } from './server.ts';

/** Who asks, and where. */
export type Caller = Pick<StressedServer, 'url' | 'token'>;

export interface Posted {
  readonly status: number;
  readonly text: string;
  /** Of an order that was made. */
  readonly id: string;
}

/** An order whose consumer and address have the mark. */
export const markedOrder = (mark: string, lines = 1): string =>
  JSON.stringify({
    ...validOrder,
    consumer: { ...validOrder.consumer, last_name: mark },
    order_lines: Array.from({ length: lines }, () => validOrder.order_lines[0]),
    shipping_address: { ...validOrder.shipping_address, address1: mark },
  });

/** Posts one; over when its answer is there whole. */
export async function postOrder({ url, token }: Caller, mark: string, lines = 1): Promise<Posted> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v2/orders`, { method: 'POST', headers, body: markedOrder(mark, lines) });
  const text = await answer.text();
  const { order } = JSON.parse(text) as { readonly order?: { readonly id: string } };
  return { status: answer.status, text, id: order?.id ?? '' };
}

/** The marks of all orders that a client is shown, page by page, without those of the fixtures. */
export async function marksShown({ url, token }: Caller, isMark: RegExp): Promise<string[]> {
  const marks: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await fetch(`${url}/v2/orders?limit=100${query}`, { headers: { authorization: `Bearer ${token}` } });
    if (answer.status !== 200) throw new Error(`the list of orders was answered with ${answer.status}`);
    const { orders, next_cursor } = (await answer.json()) as Page;
    marks.push(...orders.map(({ consumer }) => consumer.last_name).filter((name) => isMark.test(name)));
    cursor = next_cursor;
  }
  return marks;
}

interface Page {
  readonly orders: readonly { readonly consumer: { readonly last_name: string } }[];
  readonly next_cursor: string | null;
}

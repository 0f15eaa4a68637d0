// Orders that carry a mark, and a record of the writes that the server acknowledged.
import { validOrder } from '../cases/requests.ts';
import type { Client, StressServer } from './server.ts';

export interface MarkedOrder {
  readonly id: string;
  readonly mark: string;
}

/** Posts an order with this mark as last name and address. */
export async function postOrder({ url, token }: Client, mark: string, lines = 1) {
  const response = await fetch(`${url}/v2/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...validOrder,
      consumer: { ...validOrder.consumer, last_name: mark },
      order_lines: Array.from({ length: lines }, () => validOrder.order_lines[0]),
      shipping_address: { ...validOrder.shipping_address, address1: mark },
    }),
  });
  const text = await response.text();
  const { order } = JSON.parse(text) as { readonly order?: { readonly id: string } };
  return { status: response.status, text, id: order?.id ?? '' };
}

/** The same, and throws if the order is rejected. */
export async function createOrder(client: Client, mark: string, lines?: number): Promise<MarkedOrder> {
  const { status, id, text } = await postOrder(client, mark, lines);
  if (status !== 201) throw new Error(`an order got ${status}: ${text}`);
  return { id, mark };
}

/** The orders of a sandbox whose mark has this form. */
export async function ordersIn({ control }: StressServer, form: RegExp, sandbox = 'stage'): Promise<MarkedOrder[]> {
  const { orders } = await control.sandbox(sandbox).records.orders.list();
  const marked = orders.map(({ id, shipping_address }) => ({ id, mark: shipping_address.address1 }));
  return marked.filter(({ mark }) => form.test(mark));
}

export class AcknowledgedWrites {
  count = 0;
  /** Marks by ids. */
  readonly #orders = new Map<string, string>();
  readonly #values = new Map<string, string>();
  /** Marks of orders that a reset deleted. */
  readonly #deleted = new Set<string>();

  addOrder({ id, mark }: MarkedOrder): void {
    this.count += 1;
    this.#orders.set(id, mark);
  }

  /** Writes a value. It is unknown until the server acknowledges it. */
  async write(key: string, value: string, write: () => Promise<unknown>): Promise<void> {
    this.#values.delete(key);
    await write();
    this.count += 1;
    this.#values.set(key, value);
  }

  forget(key: string): void {
    this.#values.delete(key);
  }

  deleteOrders(): void {
    for (const mark of this.#orders.values()) this.#deleted.add(mark);
    this.#orders.clear();
  }

  /** Orders that are missing. */
  lost(found: readonly MarkedOrder[]): string[] {
    const marks = new Map(found.map(({ id, mark }) => [id, mark]));
    const missing = [...this.#orders].filter(([id, mark]) => marks.get(id) !== mark);
    return missing.map(([id, mark]) => `order ${id} with the mark ${mark}`);
  }

  /** Marks of orders that were not acknowledged. */
  unexpected(found: readonly MarkedOrder[]): string[] {
    return found.filter(({ id }) => !this.#orders.has(id)).map(({ mark }) => mark);
  }

  /** Ids and marks that occur twice, and marks of deleted orders. */
  doubled(found: readonly MarkedOrder[]): string[] {
    const repeated = (texts: readonly string[]) => texts.filter((text, at) => texts.indexOf(text) !== at);
    const marks = found.map(({ mark }) => mark);
    return [
      ...repeated(found.map(({ id }) => id)),
      ...repeated(marks),
      ...marks.filter((mark) => this.#deleted.has(mark)),
    ];
  }

  /** Values that differ from what was acknowledged. */
  wrong(found: ReadonlyMap<string, string>, missing: string): string[] {
    const wrong = [...this.#values].filter(([key, value]) => (found.get(key) ?? missing) !== value);
    return wrong.map(([key, value]) => `${key} is ${found.get(key) ?? missing}, not ${value}`);
  }
}

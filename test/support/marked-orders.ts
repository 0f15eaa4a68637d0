// Orders that carry a mark, and a record of the writes that servers acknowledged.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ControlClient, Fetch } from '../../src/client/control-client.ts';
import { validOrder } from '../cases/requests.ts';

/** A server that calls go to: an engine of this process, or one behind a URL. */
export interface Place {
  readonly url: string;
  readonly fetch: Fetch;
}
type Client = Place & { readonly token: string };

export interface MarkedOrder {
  readonly id: string;
  readonly mark: string;
}

/** Posts an order with this mark as last name and address. */
export async function postOrder({ url, token, fetch }: Client, mark: string, lines = 1) {
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
export async function ordersIn(control: ControlClient, form: RegExp, sandbox = 'stage'): Promise<MarkedOrder[]> {
  const { orders } = await control.sandbox(sandbox).records.orders.list();
  const marked = orders.map(({ id, shipping_address }) => ({ id, mark: shipping_address.address1 }));
  return marked.filter(({ mark }) => form.test(mark));
}

export class AcknowledgedWrites {
  count = 0;
  /** Other responses of `writeOrders`, and broken connections as status 0. */
  readonly others: string[] = [];
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

/** Eight writers send orders with the marks `mark 0`, `mark 1` … to the servers in turn while `continues` is true. */
export async function writeOrders(
  places: readonly Place[],
  token: string,
  continues: () => boolean,
  writes = new AcknowledgedWrites(),
): Promise<AcknowledgedWrites> {
  let next = 0;
  const write = async () => {
    while (continues()) {
      const n = next++;
      const mark = `mark ${n}`;
      const posting = postOrder({ ...(places[n % places.length] as Place), token }, mark);
      const { status, id, text } = await posting.catch((error) => ({ status: 0, id: '', text: `${error}` }));
      if (status === 201) writes.addOrder({ id, mark });
      else {
        writes.others.push(`${status} ${text}`);
        await sleep(10);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
  return writes;
}

/** Writes orders before, during and after something happens: so many are acknowledged before it, and after it. */
export async function writeDuring(
  places: readonly Place[],
  token: string,
  orders: number,
  happen: (writes: AcknowledgedWrites) => Promise<unknown>,
): Promise<AcknowledgedWrites> {
  const writes = new AcknowledgedWrites();
  let enough = Number.POSITIVE_INFINITY;
  const writing = writeOrders(places, token, () => writes.count < enough, writes);
  try {
    await expect.poll(() => writes.count, { interval: 1 }).toBeGreaterThan(orders);
    await happen(writes);
    enough = writes.count + orders;
    return await writing;
  } finally {
    enough = 0;
  }
}

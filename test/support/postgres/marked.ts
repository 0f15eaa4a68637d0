// Orders that are told apart by a mark of their own, written by many at once through several servers, and whether they are there.
import { expect } from 'vitest';
import { someAddress, someOrder } from '../order-requests.ts';
import { type Answer, call, controlOf, type Place } from './partner.ts';

export interface Written {
  /** Ids by marks, of what was answered with 201. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Other answers, and connections that broke. */
  readonly others: readonly string[];
}

export interface Writers {
  readonly places: readonly Place[];
  readonly token: string;
  readonly writers: number;
  /** Whether another one is to be written, by what was done so far. */
  readonly goesOn: (written: Written) => boolean;
}

/** An order of this mark. */
export const postMarked = (place: Place, token: string, mark: string, base = ''): Promise<Answer> =>
  call(place, 'POST', `${base}/v2/orders`, {
    token,
    body: someOrder({ shipping_address: { ...someAddress, address1: mark } }),
  });

/** Each writer takes the servers by turns, and goes on whatever it meets. */
export async function writeOrders({ places, token, writers, goesOn }: Writers): Promise<Written> {
  const acknowledged = new Map<string, string>();
  const others: string[] = [];
  let next = 0;
  const write = async () => {
    while (goesOn({ acknowledged, others })) {
      const n = next++;
      const [place, mark] = [places[n % places.length] as Place, `mark ${n}`];
      const { status, body, text } = await postMarked(place, token, mark).catch(broken);
      if (status === 201) acknowledged.set(mark, body.order.id);
      else others.push(`${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return { acknowledged, others };
}

const broken = (error: unknown): Answer => ({ status: 0, text: String(error), body: undefined });

/** That a server has every order that was acknowledged, and none twice. Gives how many it has. */
export async function expectThere(place: Place, { acknowledged }: Written): Promise<number> {
  const { orders } = await controlOf(place).sandbox('stage').records.orders.list();
  const marked = orders.map(({ id, shipping_address }) => [shipping_address.address1, id] as const);
  const written = marked.filter(([mark]) => mark.startsWith('mark '));
  const there = new Map(written);
  expect([...acknowledged].filter(([mark, id]) => there.get(mark) !== id)).toEqual([]);
  expect(there.size, 'marks that are there twice').toBe(written.length);
  expect(new Set(marked.map(([, id]) => id)).size, 'ids that are there twice').toBe(marked.length);
  return written.length;
}

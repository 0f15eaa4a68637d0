// A parallel test worker: isolated by its login alone, it bends its sandbox, and expects exactly what it bent.
import { expect } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { products, someOrder } from './order-requests.ts';
import type { Client, TestSachet } from './sachet.ts';

/** What is seen of an order: the status of the refusal, that of the order made, or a broken connection. */
type Seen = number | 'Pending' | 'Needs Changes' | 'broken';

/** What a worker turns on, what it then sees of its orders until one is made, and how many that are. */
export interface Bend {
  readonly turn: (control: SandboxControl) => Promise<unknown>;
  /** Of each attempt until one succeeds. */
  readonly seen: readonly Seen[];
  /** Done between the last refusal and the success. */
  readonly mend?: (control: SandboxControl) => Promise<unknown>;
  /** Orders that were made before that: their answer was lost, or they need changes. */
  readonly more?: number;
}

const times = <T>(count: number, what: T): T[] => Array.from({ length: count }, () => what);
const onOrders = { operation: 'orders.create' } as const;
const clear = (control: SandboxControl) => control.switches.clear();

/** The kinds of bends; `n` is drawn, so that no two workers need bend alike. */
export const bends: Readonly<Record<string, (n: number) => Bend>> = {
  nothing: () => ({ turn: async () => undefined, seen: [] }),
  burstOf429: (n) => ({
    turn: (control) => control.switches.set({ rate_limit: { burst: n, match: onOrders } }),
    seen: times(n, 429),
  }),
  windowOf429: (n) => ({
    turn: (control) => control.switches.set({ rate_limit: { for_seconds: n * 60, match: onOrders } }),
    seen: times(n, 429),
    mend: (control) => control.clock.advance({ seconds: n * 60 }),
  }),
  burstOf500: (n) => ({
    turn: (control) => control.switches.set({ server_error: { burst: n, match: onOrders } }),
    seen: times(n, 500),
  }),
  maintenance: (n) => ({
    turn: (control) => control.switches.set({ maintenance: { for_seconds: n } }),
    seen: times(n, 500),
    mend: (control) => control.clock.advance({ seconds: n }),
  }),
  noPermission: (n) => ({
    turn: (control) => control.switches.set({ missing_permission: { permissions: ['orders:write'] } }),
    seen: times(n, 403),
    mend: clear,
  }),
  inactivePags: (n) => ({
    turn: (control) => control.switches.set({ inactive_pags: { all: true } }),
    seen: times(n, 'Needs Changes'),
    mend: clear,
    more: n,
  }),
  inactiveProduct: (n) => ({
    turn: (control) => control.records.products.update(products.good, { active: false }),
    seen: times(n, 422),
    mend: (control) => control.records.products.update(products.good, { active: true }),
  }),
  expiredTokens: () => ({
    turn: (control) => control.switches.set({ token_expiry: { expire_issued: true } }),
    seen: [401],
  }),
  aDayLater: () => ({ turn: (control) => control.clock.advance({ by: 'P1D' }), seen: [401] }),
  fault: (n) => ({
    turn: (control) => control.faults.create({ status: 404, times: n, match: onOrders }),
    seen: times(n, 404),
  }),
  lostCalls: (n) => ({
    turn: (control) => control.switches.set({ connection: { drop: 'before_processing', burst: n, match: onOrders } }),
    seen: times(n, 'broken'),
  }),
  lostAnswers: (n) => ({
    turn: (control) => control.switches.set({ connection: { drop: 'after_processing', burst: n, match: onOrders } }),
    seen: times(n, 'broken'),
    more: n,
  }),
};

/** Orders until one is made; a worker whose token is refused logs in again. */
async function orderUntilMade(worker: Worker, { seen, mend }: Bend, order: unknown): Promise<Seen[]> {
  const statuses: Seen[] = [];
  for (const _ of seen) {
    statuses.push(await worker.order(order));
    if (statuses.at(-1) === 401) await worker.logIn();
  }
  await mend?.(worker.control);
  return [...statuses, await worker.order(order)];
}

export class Worker {
  readonly #sachet: TestSachet;
  readonly #login: string;
  readonly control: SandboxControl;
  #client: Client | undefined;
  /** Calls of the round. */
  #calls = 0;

  constructor(sachet: TestSachet, name: string) {
    this.#sachet = sachet;
    this.#login = `demo+${name}`;
    this.control = sachet.control.sandbox(name);
  }

  async logIn(): Promise<void> {
    this.#calls += 1;
    this.#client = await this.#sachet.login(this.#login);
  }

  async order(order: unknown): Promise<Seen> {
    this.#calls += 1;
    const answering = this.#client?.post('/v2/orders', order);
    const answer = await answering?.catch(() => undefined);
    return answer?.body.order?.status ?? answer?.status ?? 'broken';
  }

  /** The mark of each order that is listed beside the fixtures' own. */
  async #listed(): Promise<string[]> {
    this.#calls += 1;
    const answer = await this.#client?.get('/v2/orders?limit=100');
    expect(answer?.status, answer?.text).toBe(200);
    const marks: string[] = answer?.body.orders.map((order: Marked) => order.consumer.last_name ?? '');
    return marks.filter((mark) => mark.startsWith(ownMark));
  }

  /** From one reset to the next: bends its sandbox, orders, and sees its own bends, orders and calls, each exactly once. */
  async round(mark: string, bend: Bend): Promise<void> {
    await this.control.reset();
    this.#calls = 0;
    await this.logIn();
    await bend.turn(this.control);
    const own = ownMark + mark;
    const consumer = { first_name: 'Ada', last_name: own };
    const order = someOrder({ consumer });
    expect(await orderUntilMade(this, bend, order), mark).toEqual([...bend.seen, 'Pending']);
    expect(await this.#listed()).toEqual(times((bend.more ?? 0) + 1, own));
    const { requests, dropped } = await this.control.requests.list();
    expect([requests.length, dropped], mark).toEqual([this.#calls, 0]);
  }
}

const ownMark = 'of the worker ';
interface Marked {
  readonly consumer: { readonly last_name?: string };
}

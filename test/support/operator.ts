// The sandbox `stage` with the operator's actions over the control API, and a partner who reads it over /v2.
import { expect } from 'vitest';
import type { EngineOptions } from '../../src/engine.ts';
import { controlled, failureOf } from './control.ts';
import { orderId, orderLine, someOrder } from './order-requests.ts';
import { type Answer, type CallInit, fixtures } from './sachet.ts';
import { testStage } from './stage.ts';

/** An order of `demo` in each status, without fulfillments. */
export const orderIn = {
  Pending: orderId(18),
  'On Hold': orderId(12),
  'Needs Changes': orderId(10),
  Accepted: orderId(17),
  'In Production': orderId(16),
  Canceled: orderId(5),
} as const;
export type Status = keyof typeof orderIn;
export const statuses = Object.keys(orderIn) as Status[];

/** The operator's actions on an order, and on a package. */
export const orderActions = ['accept', 'hold', 'release', 'start_production', 'cancel', 'approve_packaging'] as const;
export type OrderAction = (typeof orderActions)[number];
export const packageActions = ['pick_up', 'depart', 'delay', 'deliver', 'lose', 'return'] as const;
export type PackageAction = (typeof packageActions)[number];

/** Allowed actions that lead to each status of a package. */
const waysTo = {
  label_created: [],
  picked_up: ['pick_up'],
  in_transit: ['pick_up', 'depart'],
  delayed: ['pick_up', 'delay'],
  delivered: ['pick_up', 'deliver'],
  lost: ['pick_up', 'lose'],
  returned: ['pick_up', 'return'],
} as const satisfies Record<string, readonly PackageAction[]>;
export type PackageStatus = keyof typeof waysTo;
export const packageStatuses = Object.keys(waysTo) as PackageStatus[];
/** The actions that each status of a package allows. */
export const allowedActions: Readonly<Record<PackageStatus, readonly PackageAction[]>> = {
  label_created: ['pick_up'],
  picked_up: ['depart', 'delay', 'deliver', 'lose', 'return'],
  in_transit: ['delay', 'deliver', 'lose', 'return'],
  delayed: ['depart', 'deliver', 'lose', 'return'],
  delivered: ['return'],
  lost: ['depart', 'return'],
  returned: [],
};

export async function operatorStage(options: Partial<EngineOptions> = {}) {
  const { sachet, stage, client, setTo } = await testStage(options);
  const server = controlled({}, sachet);
  const post = (path: string, body?: unknown, init?: CallInit) =>
    server.admin('POST', `/sandboxes/stage${path}`, body, init);
  const act = (id: string, action: string, init?: CallInit) => post(`/orders/${id}/${action}`, undefined, init);
  const ship = (id: string, body?: unknown, init?: CallInit) => post(`/orders/${id}/fulfillments`, body, init);
  const move = (id: string, action: string, body?: unknown, init?: CallInit) =>
    post(`/fulfillments/${id}/${action}`, body, init);
  const good = async (answer: Promise<Answer>, status = 200) => {
    const { status: got, body, text } = await answer;
    expect(got, text).toBe(status);
    return body;
  };
  /** A new order of the partner that is In Production. */
  const inProduction = async (changes: object = {}): Promise<string> => {
    const { id } = (await good(client.post('/v2/orders', someOrder(changes)), 201)).order;
    for (const action of ['accept', 'start_production']) await good(act(id, action));
    return id;
  };
  return {
    ...server,
    stage,
    client,
    setTo,
    act,
    ship,
    move,
    inProduction,
    /** Expects that the call changes nothing; returns the status and message. */
    async expectRefusal(call: () => Promise<Answer>): Promise<unknown[]> {
      const before = (await sachet.sandbox()).version;
      const answer = await call();
      expect((await sachet.sandbox()).version, answer.text).toBe(before);
      return failureOf(answer);
    },
    /** A new package with this status. */
    async packageIn(status: PackageStatus): Promise<string> {
      const { id } = await good(ship(await inProduction()), 201);
      for (const action of waysTo[status]) await good(move(id, action));
      return id;
    },
    /** An order, and a package, as they are stored. */
    order: (id: string) => stage.records.orders.get(id),
    package: (id: string) => stage.records.fulfillments.get(id),
  };
}

export type OperatorStage = Awaited<ReturnType<typeof operatorStage>>;

/** The part of an order request with so many lines. */
export const linesOf = (count: number): object => ({ order_lines: Array.from({ length: count }, () => orderLine()) });

/** The part of an order request with an address in this country. */
export const addressIn = (country_name: string): object => ({
  shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name },
});

/** The ids of an order's lines. */
export const lineIds = async (world: OperatorStage, id: string): Promise<string[]> =>
  (await world.order(id)).order_lines.map((line) => line.id);

/** A package as the partner sees it. */
export const seen = async ({ client }: OperatorStage, id: string) =>
  (await client.get(`/v2/fulfillments/${id}`)).body.fulfillment;

/** The shipped fixtures without these fulfillment statuses, and without any fulfillment. */
export const withoutStatuses = (...ids: readonly string[]) => ({
  ...fixtures,
  fulfillments: [],
  fulfillment_statuses: fixtures.fulfillment_statuses.filter(({ id }) => !ids.includes(id)),
});

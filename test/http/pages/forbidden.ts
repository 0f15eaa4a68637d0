// Requests that the control API must turn away; and one good request per operation that would do something.
import { filled } from '../../../src/contract/addresses.ts';
import type { ControlOperation } from '../../../src/contract/control/control-operation.ts';
import { type ControlId, controlOperationList } from '../../../src/contract/control/operations.ts';
import { type Controlled, controlled } from '../../support/control.ts';
import { fulfillmentId, orderId } from '../../support/order-requests.ts';

export const adminKey = 'the-admin-key-of-this-test-server';
/** Keys of the sandboxes `mine` and `other` alone. */
export const mineKey = 'the-own-key-of-the-sandbox-mine';
export const otherKey = 'the-own-key-of-the-sandbox-other';
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const withKey = (headers: Readonly<Record<string, string>>) => ({ ...bearer(adminKey), ...headers });

export const forbidden = [
  { what: 'two hosts', status: 400, headers: withKey({ host: 'localhost, localhost' }) },
  { what: 'a foreign host', status: 403, headers: withKey({ host: 'evil.example' }) },
  { what: 'a foreign origin', status: 403, headers: withKey({ origin: 'http://evil.example' }) },
  { what: 'no key', status: 401, headers: {} },
  { what: "another sandbox's own key", status: 401, headers: bearer(otherKey) },
] as const;

/** A server where every operation has something to do, in the sandbox `mine`. */
export async function prepared(): Promise<Controlled & { readonly names: Readonly<Record<string, string>> }> {
  const server = controlled({ adminKey });
  const { control, login } = server.sachet;
  await control.create({ name: 'other', own_key: otherKey });
  await control.create({ name: 'mine', own_key: mineKey });
  const mine = control.sandbox('mine');
  await login('demo', { base: '/sandboxes/mine' });
  await mine.snapshots.create({ name: 'kept' });
  await mine.faults.create({ id: 'lost', status: 500 });
  await mine.switches.set({ maintenance: { for_seconds: 1 } });
  await mine.scenarios.apply('server-errors');
  await mine.clock.advance({ seconds: 1 });
  const [first] = (await mine.requests.list()).requests;
  return { ...server, names: { sandbox: 'mine', request: first?.id ?? '' } };
}

/** The name in the path and the body with which an operation changes something. */
const inputs: { readonly [Id in ControlId]?: { readonly name?: string; readonly body?: object } } = {
  'sandboxes.create': { body: { name: 'new' } },
  'snapshots.create': { body: { name: 'new' } },
  'snapshots.get': { name: 'kept' },
  'snapshots.delete': { name: 'kept' },
  'snapshots.restore': { name: 'kept' },
  'clock.set': { body: { now: '2030-01-01T00:00:00Z' } },
  'clock.advance': { body: { seconds: 1 } },
  'switches.set': { body: { server_error: {} } },
  'faults.create': { body: { status: 500 } },
  'faults.get': { name: 'lost' },
  'faults.delete': { name: 'lost' },
  'scenarios.apply': { name: 'no-pag' },
  'scenarios.take_back': { name: 'server-errors' },
  'assumptions.set': { body: { next_cursor: 'meta' } },
  'orders.accept': { name: orderId(18) },
  'orders.hold': { name: orderId(18) },
  'orders.release': { name: orderId(12) },
  'orders.start_production': { name: orderId(17) },
  'orders.cancel': { name: orderId(16) },
  'orders.approve_packaging': { name: orderId(10) },
  'orders.ship': { name: orderId(16) },
  'fulfillments.pick_up': { name: fulfillmentId(28) },
  'fulfillments.depart': { name: fulfillmentId(26) },
  'fulfillments.delay': { name: fulfillmentId(26) },
  'fulfillments.deliver': { name: fulfillmentId(26) },
  'fulfillments.lose': { name: fulfillmentId(26) },
  'fulfillments.return': { name: fulfillmentId(26) },
  'requests.verify': { body: { match: {} } },
  'requests.wait': { body: { match: {}, timeout_ms: 0 } },
};

/** A request that the operation accepts. */
export function validRequestOf(operation: ControlOperation, names: Readonly<Record<string, string>>) {
  const input = inputs[operation.id as ControlId];
  const id = operation.id.startsWith('requests.') ? names.request : input?.name;
  const all: Readonly<Record<string, string | undefined>> = { ...names, id, name: input?.name };
  const path = filled(operation.path, (name) => all[name] ?? 'x');
  const body = operation.body ? { body: input?.body ?? {} } : {};
  return { method: operation.method, path, init: body };
}

/** Whether the table has a valid request for the operation. */
export const hasValidRequest = ({ id, path, body }: ControlOperation): boolean =>
  Object.hasOwn(inputs, id) || (!body && !/\{(?!sandbox)/.test(path)) || id === 'requests.get';

export const operationRows = controlOperationList.map((operation) => [operation.id, operation] as const);

// Every operation of the control API on one sandbox, as a method with its words. A test of types keeps it equal to the table of operations.

import type { ControlArguments, ControlResult } from '../contract/control/control-operation.ts';
import type { ControlId, ControlOperations } from '../contract/control/operations.ts';
import type { CollectionName, FulfillmentAction, OrderAction, SingleName } from '../contract/records.ts';

/** What comes back. */
export type Result<Id extends ControlId> = Promise<ControlResult<ControlOperations[Id]>>;

export type Method<Id extends ControlId> = (...sent: ControlArguments<ControlOperations[Id]>) => Result<Id>;

/** What is sent: of an operation whose path has no name, of one that has. */
export type Sent<Id extends ControlId> = Parameters<Method<Id>>[0];
type SentBeside<Id extends ControlId> = Parameters<Method<Id>>[1];

/**
 * One sandbox under control.
 * @example await sandbox.clock.advance({ by: 'PT15M' }); await sandbox.switches.set({ rate_limit: { burst: 3 } });
 */
export interface SandboxControl {
  /** What the sandbox is: name, environment, base URL, last use. */
  readonly get: Method<'sandboxes.get'>;
  /** Deletes the sandbox; `stage` and `production` stay. */
  readonly delete: Method<'sandboxes.delete'>;
  /** Begins anew, as it was made. Tokens stay good, snapshots are kept. */
  readonly reset: Method<'sandboxes.reset'>;
  readonly clock: {
    /** The sandbox's time: `{ now, frozen, rate }`. */
    readonly get: () => Result<'clock.get'>;
    /** Sets, freezes, runs or scales it. @example await sandbox.clock.set({ now: '2026-01-01T00:00:00Z', frozen: true }) */
    readonly set: (patch: Sent<'clock.set'>) => Result<'clock.set'>;
    /** Moves it on, by an ISO 8601 duration or by seconds. @example await sandbox.clock.advance({ by: 'P1DT1M' }) */
    readonly advance: (by: Sent<'clock.advance'>) => Result<'clock.advance'>;
  };
  readonly switches: {
    /** Every switch, and what remains of it; null for one that is off. */
    readonly get: () => Result<'switches.get'>;
    /**
     * Turns switches, each whole; null turns one off.
     * @example await sandbox.switches.set({ token_expiry: { expire_issued: true }, rate_limit: { burst: 3 } })
     */
    readonly set: (patch: Sent<'switches.set'>) => Result<'switches.set'>;
    /** Turns all of them off. */
    readonly clear: () => Result<'switches.clear'>;
  };
  readonly faults: {
    readonly list: () => Result<'faults.list'>;
    /**
     * Adds a rule that meets matching calls with a status, a delay or a broken connection.
     * @example await sandbox.faults.create({ match: { operation: 'orders.create' }, status: 500, times: 2 })
     */
    readonly create: (fault: Sent<'faults.create'>) => Result<'faults.create'>;
    /** One fault, with its `hits`. */
    readonly get: (id: string) => Result<'faults.get'>;
    readonly delete: (id: string) => Result<'faults.delete'>;
  };
  readonly scenarios: {
    readonly list: () => Result<'scenarios.list'>;
    /** Applies one: a layer of switches, faults, assumptions and data. @example await sandbox.scenarios.apply('lost-answer') */
    readonly apply: (name: string) => Result<'scenarios.apply'>;
    /** Takes it back, and what it changed with it. */
    readonly take_back: (name: string) => Result<'scenarios.take_back'>;
  };
  readonly assumptions: {
    /** The readings in force. */
    readonly get: () => Result<'assumptions.get'>;
    /** Turns readings; null for the default. @example await sandbox.assumptions.set({ next_cursor: 'meta', list_order: null }) */
    readonly set: (patch: Sent<'assumptions.set'>) => Result<'assumptions.set'>;
  };
  readonly snapshots: {
    readonly list: () => Result<'snapshots.list'>;
    /** Keeps the state under a name. @example await sandbox.snapshots.create({ name: 'base' }) */
    readonly create: (snapshot: Sent<'snapshots.create'>) => Result<'snapshots.create'>;
    readonly get: (name: string) => Result<'snapshots.get'>;
    readonly delete: (name: string) => Result<'snapshots.delete'>;
    /** Brings it back. */
    readonly restore: (name: string) => Result<'snapshots.restore'>;
  };
  readonly state: {
    /** The whole state as one document. It holds the users' passwords. */
    readonly get: () => Result<'state.get'>;
    /** Takes such a document, of any sandbox, whole or not at all. */
    readonly put: (document: Sent<'state.put'>) => Result<'state.put'>;
  };
  /** The journal: what the sandbox received and answered, and why. */
  readonly requests: {
    /** The calls, oldest first. @example const { requests } = await sandbox.requests.list({ status: 422 }) */
    readonly list: (query?: Sent<'requests.list'>) => Result<'requests.list'>;
    /** Forgets them. */
    readonly clear: () => Result<'requests.clear'>;
    readonly get: (id: string) => Result<'requests.get'>;
    /** The completed calls as an HTTP Archive (HAR 1.2). */
    readonly har: () => Result<'requests.har'>;
    /**
     * Whether the calls that are expected came: look at `satisfied` in what comes back.
     * @example const { satisfied } = await sandbox.requests.verify({ match: { operation: 'orders.create' }, count: { at_most: 1 } })
     */
    readonly verify: (expected: Sent<'requests.verify'>) => Result<'requests.verify'>;
    /** Waits until they came, in real time; at the timeout `satisfied` is false. */
    readonly wait: (expected: Sent<'requests.wait'>) => Result<'requests.wait'>;
  };
  readonly report: {
    /**
     * The conduct report: for each rule whether the calls since the journal was last cleared kept it.
     * @example const broken = (await sandbox.report.get()).rules.filter(({ outcome }) => outcome === 'fail')
     */
    readonly get: () => Result<'report.get'>;
  };
  /** What the service's staff does to an order, by its id. What its status does not allow is a ControlError that says what is. */
  readonly orders: {
    readonly [Action in OrderAction]: (id: string, body?: SentBeside<`orders.${Action}`>) => Result<`orders.${Action}`>;
  } & {
    /**
     * Ships an order, or lines of it, as one package: a fulfillment comes back.
     * @example const { id } = await sandbox.orders.ship(order.id, { carrier: 'ups', weight: 250 })
     */
    readonly ship: (id: string, shipment?: SentBeside<'orders.ship'>) => Result<'orders.ship'>;
  };
  /** What the carrier does to a package, by the fulfillment's id; `{ force: true }` whatever its status. */
  readonly fulfillments: {
    readonly [Action in FulfillmentAction]: (
      id: string,
      update?: SentBeside<`fulfillments.${Action}`>,
    ) => Result<`fulfillments.${Action}`>;
  };
  /** The data, collection by collection, as fixtures hold it. @example await sandbox.records.pags.update(id, { status: 'Inactive' }) */
  readonly records: { readonly [Name in CollectionName]: RecordsControl<Name> };
  /** What a sandbox has one of. @example await sandbox.singles.timeline.update({ shipped: { delay_seconds: 0, spread_seconds: 0 } }) */
  readonly singles: { readonly [Name in SingleName]: SingleControl<Name> };
}

/** One collection. */
interface RecordsControl<Name extends CollectionName> {
  /** Its records, oldest first; all of them unless `limit` or `cursor` is given. */
  readonly list: (query?: Sent<`records.${Name}.list`>) => Result<`records.${Name}.list`>;
  /** Adds one; without an `id` one is drawn. */
  readonly create: (record: Sent<`records.${Name}.create`>) => Result<`records.${Name}.create`>;
  readonly get: (id: string) => Result<`records.${Name}.get`>;
  /** A JSON merge patch. */
  readonly update: (id: string, patch: SentBeside<`records.${Name}.update`>) => Result<`records.${Name}.update`>;
  readonly delete: (id: string) => Result<`records.${Name}.delete`>;
}

interface SingleControl<Name extends SingleName> {
  readonly get: () => Result<`singles.${Name}.get`>;
  /** A JSON merge patch. */
  readonly update: (patch: Sent<`singles.${Name}.update`>) => Result<`singles.${Name}.update`>;
}

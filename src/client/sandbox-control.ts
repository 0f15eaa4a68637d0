// The method of every operation of the control API on one sandbox. A test of types keeps them equal to the table of
// operations.
import type { ControlArguments, ControlResult } from '../contract/control/control-operation.ts';
import type { ControlId, ControlOperations } from '../contract/control/operations.ts';
import type { CollectionName, FulfillmentAction, OrderAction, SingleName } from '../contract/records.ts';

/** The response of an operation. */
export type Result<Id extends ControlId> = Promise<ControlResult<ControlOperations[Id]>>;

export type Method<Id extends ControlId> = (...args: ControlArguments<ControlOperations[Id]>) => Result<Id>;

/** The body or query of an operation. */
export type Input<Id extends ControlId> = Parameters<Method<Id>>[0];
/** The body or query of an operation with an id or name in its path. */
type InputAfterId<Id extends ControlId> = Parameters<Method<Id>>[1];

/**
 * The control of one sandbox. Every method throws a ControlError if the server refuses the call.
 * @example await sandbox.clock.advance({ by: 'PT15M' }); await sandbox.switches.set({ rate_limit: { burst: 3 } });
 */
export interface SandboxControl {
  /** Returns its name, environment, base URL and last use. */
  readonly get: Method<'sandboxes.get'>;
  /** Deletes the sandbox. ControlError 422 for `stage` and `production`, which cannot be deleted. */
  readonly delete: Method<'sandboxes.delete'>;
  /** Resets the sandbox to its initial state. Tokens stay valid, snapshots stay. */
  readonly reset: Method<'sandboxes.reset'>;
  /**
   * Adds a demo brand with orders in every status over the last 90 days. Returns its login.
   * @example const { login, orders } = await sandbox.seed({ persona: 'sports', seed: 7 })
   */
  readonly seed: Method<'sandboxes.seed'>;
  readonly clock: {
    /** Returns the sandbox's time: `{ now, frozen, rate }`. */
    readonly get: () => Result<'clock.get'>;
    /**
     * Sets, freezes or resumes the time, or changes its speed. `now: null` returns to real time.
     * @example await sandbox.clock.set({ now: '2026-01-01T00:00:00Z', frozen: true })
     */
    readonly set: (patch: Input<'clock.set'>) => Result<'clock.set'>;
    /** Advances the time, by a duration or seconds. @example await sandbox.clock.advance({ by: 'P1D' }) */
    readonly advance: (by: Input<'clock.advance'>) => Result<'clock.advance'>;
  };
  readonly switches: {
    /** Returns every switch with its settings and progress; null for one that is off. */
    readonly get: () => Result<'switches.get'>;
    /**
     * Replaces each given switch; null turns it off.
     * @example await sandbox.switches.set({ token_expiry: { expire_issued: true }, rate_limit: { burst: 3 } })
     */
    readonly set: (patch: Input<'switches.set'>) => Result<'switches.set'>;
    /** Turns all switches off. */
    readonly clear: () => Result<'switches.clear'>;
  };
  readonly faults: {
    /** Lists the faults, with their `hits`. */
    readonly list: () => Result<'faults.list'>;
    /**
     * Adds a fault: matching calls get a status, a delay or a broken connection.
     * @example await sandbox.faults.create({ match: { operation: 'orders.create' }, status: 500, times: 2 })
     */
    readonly create: (fault: Input<'faults.create'>) => Result<'faults.create'>;
    /** Returns a fault, with its `hits`: the number of calls that it affected. */
    readonly get: (id: string) => Result<'faults.get'>;
    readonly delete: (id: string) => Result<'faults.delete'>;
  };
  readonly scenarios: {
    /** Lists all scenarios; `applied_at` is null for those that are not applied. */
    readonly list: () => Result<'scenarios.list'>;
    /**
     * Applies a scenario: a layer of switches, faults, assumptions and data.
     * @example await sandbox.scenarios.apply('lost-answer')
     */
    readonly apply: (name: string) => Result<'scenarios.apply'>;
    /** Removes the scenario and undoes its changes, except of records that have changed since. */
    readonly take_back: (name: string) => Result<'scenarios.take_back'>;
  };
  readonly assumptions: {
    /** Returns the current choice of every assumption. */
    readonly get: () => Result<'assumptions.get'>;
    /**
     * Sets choices; null for the default.
     * @example await sandbox.assumptions.set({ next_cursor: 'meta', list_order: null })
     */
    readonly set: (patch: Input<'assumptions.set'>) => Result<'assumptions.set'>;
  };
  /** What recordings of the service show of the assumptions. */
  readonly observations: {
    /** Returns the allowed choices of each assumption with their evidence, and the findings. */
    readonly get: () => Result<'observations.get'>;
    /**
     * Reads a recording (HAR) in place of the previous one. Changes no assumption.
     * @example const { findings } = await sandbox.observations.learn(har, { source: 'real.har' })
     */
    readonly learn: (
      har: Input<'observations.learn'>,
      query?: InputAfterId<'observations.learn'>,
    ) => Result<'observations.learn'>;
    /** Forgets the recording. The choices of the assumptions stay. */
    readonly clear: () => Result<'observations.clear'>;
  };
  readonly snapshots: {
    readonly list: () => Result<'snapshots.list'>;
    /** Saves the state under a name. @example await sandbox.snapshots.create({ name: 'base' }) */
    readonly create: (snapshot: Input<'snapshots.create'>) => Result<'snapshots.create'>;
    readonly get: (name: string) => Result<'snapshots.get'>;
    readonly delete: (name: string) => Result<'snapshots.delete'>;
    /** Restores a saved state. */
    readonly restore: (name: string) => Result<'snapshots.restore'>;
  };
  readonly state: {
    /** Returns the whole state as one document, with the users' passwords. */
    readonly get: () => Result<'state.get'>;
    /** Replaces the whole state with such a document, also one of another sandbox. Changes nothing if it is refused. */
    readonly put: (document: Input<'state.put'>) => Result<'state.put'>;
  };
  /** The journal: the calls that the sandbox received, its answers, and why. */
  readonly requests: {
    /** The calls, oldest first. @example const { requests } = await sandbox.requests.list({ status: 422 }) */
    readonly list: (query?: Input<'requests.list'>) => Result<'requests.list'>;
    /** Clears the journal and the conduct report. */
    readonly clear: () => Result<'requests.clear'>;
    /** Returns one call. ControlError 404 if the journal does not have it. */
    readonly get: (id: string) => Result<'requests.get'>;
    /** Returns the completed calls as an HTTP Archive (HAR 1.2). */
    readonly har: () => Result<'requests.har'>;
    /**
     * Checks whether the expected calls arrived: see `satisfied` in the result.
     * @throws ControlError 409 if the journal has dropped calls that could decide it
     * @example
     * const match = { operation: 'orders.create' };
     * const { satisfied } = await sandbox.requests.verify({ match, count: { at_most: 1 } });
     */
    readonly verify: (expected: Input<'requests.verify'>) => Result<'requests.verify'>;
    /** Waits for the expected calls, in real time; at the timeout `satisfied` is false. */
    readonly wait: (expected: Input<'requests.wait'>) => Result<'requests.wait'>;
  };
  readonly report: {
    /**
     * Returns the conduct report: whether the client kept each rule since the journal was last cleared.
     * @example const broken = (await sandbox.report.get()).rules.filter(({ outcome }) => outcome === 'fail')
     */
    readonly get: () => Result<'report.get'>;
  };
  /** The operator's actions on an order, by its id. ControlError 422 if its status does not allow the action. */
  readonly orders: {
    readonly [Action in OrderAction]: (
      id: string,
      body?: InputAfterId<`orders.${Action}`>,
    ) => Result<`orders.${Action}`>;
  } & {
    /**
     * Ships an order, or some of its lines, as one package. Returns the fulfillment.
     * @example const { id } = await sandbox.orders.ship(order.id, { carrier: 'ups', weight: 250 })
     */
    readonly ship: (id: string, shipment?: InputAfterId<'orders.ship'>) => Result<'orders.ship'>;
  };
  /** The carrier's actions on a package, by the fulfillment's id. `{ force: true }` skips the check of its status. */
  readonly fulfillments: {
    readonly [Action in FulfillmentAction]: (
      id: string,
      update?: InputAfterId<`fulfillments.${Action}`>,
    ) => Result<`fulfillments.${Action}`>;
  };
  /**
   * The records of each collection, in the format of the fixtures.
   * @example await sandbox.records.pags.update(id, { status: 'Inactive' })
   */
  readonly records: { readonly [Name in CollectionName]: RecordsControl<Name> };
  /**
   * The single records: a sandbox has exactly one of each.
   * @example await sandbox.singles.timeline.update({ shipped: { delay_seconds: 0, spread_seconds: 0 } })
   */
  readonly singles: { readonly [Name in SingleName]: SingleControl<Name> };
}

interface RecordsControl<Name extends CollectionName> {
  /** Oldest first; all records unless `limit` or `cursor` is given. */
  readonly list: (query?: Input<`records.${Name}.list`>) => Result<`records.${Name}.list`>;
  /** Adds a record. Default `id`: a generated one. */
  readonly create: (record: Input<`records.${Name}.create`>) => Result<`records.${Name}.create`>;
  readonly get: (id: string) => Result<`records.${Name}.get`>;
  /** Applies a JSON merge patch. */
  readonly update: (id: string, patch: InputAfterId<`records.${Name}.update`>) => Result<`records.${Name}.update`>;
  readonly delete: (id: string) => Result<`records.${Name}.delete`>;
}

interface SingleControl<Name extends SingleName> {
  readonly get: () => Result<`singles.${Name}.get`>;
  /** Applies a JSON merge patch. */
  readonly update: (patch: Input<`singles.${Name}.update`>) => Result<`singles.${Name}.update`>;
}

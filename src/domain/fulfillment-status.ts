// The statuses of a package, which the contract does not show: what can become of it in each, as one table.
import { type FulfillmentAction, type FulfillmentStatus, fulfillmentStatuses } from '../contract/records.ts';
import type { World } from './world.ts';

/** The status in which a package begins. */
export const firstStatus: FulfillmentStatus = 'label_created';

/** Where each action leads. */
export const statusOf: Readonly<Record<FulfillmentAction, FulfillmentStatus>> = {
  pick_up: 'picked_up',
  depart: 'in_transit',
  delay: 'delayed',
  deliver: 'delivered',
  lose: 'lost',
  return: 'returned',
};

/** A lost package may turn up again; a delivered one may be sent back. `deliver` is possible while it is on its way. */
const possible: Readonly<Record<FulfillmentStatus, readonly FulfillmentAction[]>> = {
  label_created: ['pick_up'],
  picked_up: ['depart', 'delay', 'deliver', 'lose', 'return'],
  in_transit: ['delay', 'deliver', 'lose', 'return'],
  delayed: ['depart', 'deliver', 'lose', 'return'],
  delivered: ['return'],
  lost: ['depart', 'return'],
  returned: [],
};

/** Whether a package in this status will not reach its consumer. */
export const isGone = (status: string): boolean => status === 'lost' || status === 'returned';

/** Whether the fixtures have this status: the service's own must be among theirs. */
export const hasStatus = (world: World, id: string): boolean =>
  world.table('fulfillment_statuses').get(id) !== undefined;

export const isServiceStatus = (status: string): status is FulfillmentStatus =>
  (fulfillmentStatuses as readonly string[]).includes(status);

/** What can become of a package in this status; nothing where the status is one of the fixtures' own. */
export const actionsFrom = (status: string): readonly FulfillmentAction[] =>
  isServiceStatus(status) ? possible[status] : [];

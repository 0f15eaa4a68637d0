// The tables of the control API: its calls and limits, the scenarios, the conduct rules, and the operator's actions.

import { bounds } from '../../../src/contract/control/bounds.ts';
import { conduct } from '../../../src/contract/control/conduct.ts';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { outcomes } from '../../../src/contract/control/outcomes.ts';
import { fulfillmentActions, fulfillmentStatuses, orderActions, orderStatuses } from '../../../src/contract/records.ts';
import { actionsFrom, statusOf } from '../../../src/domain/fulfillments.ts';
import { operatorActions, statusAfter } from '../../../src/domain/orders.ts';
import { scenarios } from '../../support/sachet.ts';
import { code, table } from './table.ts';

/** The calls of one collection, the orders, are shown for all of them. */
export function controlTable(): string {
  const shown = controlOperationList.filter(({ id }) => !/^records\.(?!orders)/.test(id));
  const rows = shown.map(({ method, path, summary }) => [
    code(`${method} ${path.replace(/^\/_admin/, '').replace('{sandbox}', '{s}')}`),
    summary,
  ]);
  return table(['Call under `/_admin`', 'Effect'], rows);
}

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;
const count = (number: number): string => number.toLocaleString('en-US');

export const limitsTable = (): string =>
  table(
    ['Limit', 'Value'],
    [
      ['Switches and faults of a sandbox', count(bounds.overrides)],
      ['Applied scenarios of a sandbox', count(bounds.scenarios)],
      ['Snapshots of a sandbox', count(bounds.snapshots)],
      ['Values in the `body` of a `match`', count(bounds.matchValues)],
      ['Journal of a sandbox', `${count(bounds.journalEntries)} requests, ${mebibytes(bounds.journalBytes)}`],
      ['All journals of a server', mebibytes(bounds.allJournalsBytes)],
      ['Waits of a sandbox at a time', count(bounds.waits)],
      ['`timeout_ms` of a wait', `${count(bounds.waitMilliseconds)} (10 minutes)`],
      ['Event streams and console pages of a sandbox', count(bounds.listeners)],
      ['Delayed calls of a sandbox', `${count(bounds.delayedCalls)}, with ${mebibytes(bounds.delayedBytes)} of bodies`],
      ['A delay', '1 hour'],
      ['`burst`, `limit`, `times` and `after`', `${count(bounds.calls)} calls`],
      ['Windows, lifetimes and `retry_after`', `${count(bounds.seconds)} seconds (10 years)`],
      ['Lifetime of a label URL', `${count(bounds.labelSeconds)} seconds (7 days)`],
      ['Lifetime of an invite link', `${count(bounds.inviteSeconds)} seconds (30 days)`],
      ['Calls to an invited sandbox, per minute', count(bounds.guestCalls)],
      ['Wrong tokens of an invite, per sandbox and minute', count(bounds.wrongClaims)],
      ['Records per collection of an invited sandbox', count(bounds.guestRecords)],
      ['`limit` of a list', count(bounds.pageItems)],
      ['Weight and charge of a package', count(bounds.amount)],
      ['A body', '1 MiB; a state, fixtures or a recording 64 MiB'],
    ],
  );

export function scenariosTable(): string {
  const rows = scenarios.map(({ name, intent, right_client }) => [code(name), intent, right_client]);
  return table(['Scenario', 'Effect', 'A correct client'], rows);
}

const byId = (texts: Readonly<Record<string, string>>) => Object.entries(texts).map(([id, text]) => [code(id), text]);
export const outcomesTable = (): string => table(['Outcome', 'The client has to'], byId(outcomes));
export const conductTable = (): string => table(['Rule', 'Advice'], byId(conduct));

export function orderActionsTable(): string {
  const from = (action: (typeof orderActions)[number]) =>
    orderStatuses.filter((status) => operatorActions(status, 'documented_path').includes(action)).join(', ');
  const rows = orderActions.map((action) => [code(action), from(action), statusAfter[action]]);
  return table(['`POST …/orders/{id}/…`', 'From', 'To'], rows);
}

export function fulfillmentActionsTable(): string {
  const from = (action: (typeof fulfillmentActions)[number]) =>
    fulfillmentStatuses.filter((status) => actionsFrom(status).includes(action)).join(', ');
  const rows = fulfillmentActions.map((action) => [code(action), from(action), statusOf[action]]);
  return table(['`POST …/fulfillments/{id}/…`', 'From', 'To'], rows);
}

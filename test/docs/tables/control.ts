// The tables of the control API: its calls, its collections, the scenarios, and what an operator action makes of an order or package.

import { conduct, conductRuleIds } from '../../../src/contract/control/conduct.ts';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import {
  collectionNames,
  fulfillmentActions,
  fulfillmentStatuses,
  orderActions,
  orderStatuses,
  singleNames,
} from '../../../src/contract/records.ts';
import { actionsFrom, statusOf } from '../../../src/domain/fulfillments.ts';
import { operatorActions, statusAfter } from '../../../src/domain/orders.ts';
import { scenarios } from '../../support/sachet.ts';
import { code, codes, table } from './table.ts';

export function controlTable(): string {
  const shown = controlOperationList.filter(({ id }) => !/^records\.(?!orders)/.test(id));
  const rows = shown.map(({ method, path, summary }) => [code(`${method} ${path.replace(/^\/_admin/, '')}`), summary]);
  return table(['under `/_admin`', 'what it does'], rows);
}

export const collectionsSentence = (): string =>
  `The collections are ${codes(collectionNames)}, and one each: ${codes(singleNames)}.`;

export function scenariosTable(): string {
  const rows = scenarios.map(({ name, intent, right_client }) => [code(name), intent, right_client]);
  return table(['scenario', 'what it does', 'what a right client does'], rows);
}

export const conductTable = (): string =>
  table(
    ['rule', 'advice'],
    conductRuleIds.map((id) => [code(id), conduct[id]]),
  );

export function orderActionsTable(): string {
  const rows = orderActions.map((action) => {
    const from = orderStatuses.filter((status) => operatorActions(status, 'documented_path').includes(action));
    return [code(action), from.join(', '), statusAfter[action]];
  });
  return table(['`POST /orders/{id}/…`', 'an order that is', 'becomes'], rows);
}

export function fulfillmentActionsTable(): string {
  const rows = fulfillmentActions.map((action) => {
    const from = fulfillmentStatuses.filter((status) => actionsFrom(status).includes(action));
    return [code(action), from.join(', '), statusOf[action]];
  });
  return table(['`POST /fulfillments/{id}/…`', 'a package that is', 'becomes'], rows);
}

// The README's generated tables, each between its markers.
import { controlOperationList } from '../../src/contract/admin.ts';
import { type Assumption, assumptions } from '../../src/contract/assumptions.ts';
import { operationList } from '../../src/contract/operations.ts';
import { fulfillmentActions, fulfillmentStatuses, orderActions } from '../../src/contract/order-progress.ts';
import { orderStatuses } from '../../src/contract/records.ts';
import { actionsFrom, statusOf } from '../../src/domain/fulfillment-status.ts';
import { operatorActions, statusAfter } from '../../src/domain/order-status.ts';
import { scenarios } from '../support/sachet.ts';
import { readyMadeCases } from './ready-made-cases.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

function assumptionsTable(): string {
  const rows = Object.entries<Assumption>(assumptions).map(([id, { question, readings }]) => {
    const told = readings.map(
      ([reading, gloss], index) => `${index === 0 ? `**\`${reading}\`**` : `\`${reading}\``}: ${gloss}`,
    );
    return [`\`${id}\``, question, told.join('<br>')];
  });
  return table(['assumption', 'what the contract does not show', 'readings (the default in bold)'], rows);
}

function endpointsTable(): string {
  const rows = operationList.map(({ method, path, summary, permission, offeredBy }) => [
    `\`${method} ${path}\``,
    summary,
    permission ? `\`${permission}\`` : 'no token',
    offeredBy ? `assumed (\`${offeredBy}\`)` : 'documented',
  ]);
  return table(['endpoint', 'what it does', 'permission', 'in the contract'], rows);
}

function casesTable(): string {
  const rows = readyMadeCases.map(({ login, call, status, answer, rule }) => [
    `\`${login}\``,
    call,
    String(status),
    answer,
    rule,
  ]);
  return table(['log in as', 'and', 'status', 'answer', 'rule'], rows);
}

function controlTable(): string {
  const shown = controlOperationList.filter(({ id }) => !/^records\.(?!orders)/.test(id));
  const rows = shown.map(({ method, path, summary }) => [`\`${method} ${path.replace(/^\/_admin/, '')}\``, summary]);
  return table(['under `/_admin`', 'what it does'], rows);
}

function scenariosTable(): string {
  const rows = scenarios.map(({ name, intent, right_client }) => [`\`${name}\``, intent, right_client]);
  return table(['scenario', 'what it does', 'what a right client does'], rows);
}

function orderActionsTable(): string {
  const rows = orderActions.map((action) => {
    const from = orderStatuses.filter((status) => operatorActions(status, 'documented_path').includes(action));
    return [`\`${action}\``, from.join(', '), statusAfter[action]];
  });
  return table(['`POST /orders/{id}/…`', 'an order that is', 'becomes'], rows);
}

function fulfillmentActionsTable(): string {
  const rows = fulfillmentActions.map((action) => {
    const from = fulfillmentStatuses.filter((status) => actionsFrom(status).includes(action));
    return [`\`${action}\``, from.join(', '), statusOf[action]];
  });
  return table(['`POST /fulfillments/{id}/…`', 'a package that is', 'becomes'], rows);
}

const readmeTables = {
  'order-actions': orderActionsTable,
  'fulfillment-actions': fulfillmentActionsTable,
  endpoints: endpointsTable,
  assumptions: assumptionsTable,
  cases: casesTable,
  control: controlTable,
  scenarios: scenariosTable,
};

/** The text with each table set between `<!-- name -->` and `<!-- /name -->`. */
export function withTables(text: string): string {
  return Object.entries(readmeTables).reduce((last, [name, make]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [last.indexOf(start), last.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`README.md has no place for the table "${name}": ${start} … ${end}`);
    return `${last.slice(0, from + start.length)}\n${make()}\n${last.slice(to)}`;
  }, text);
}

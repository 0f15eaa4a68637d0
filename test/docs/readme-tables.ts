// The README's generated tables, each between its markers.
import { commandsTable, flagsTable } from './tables/command-line.ts';
import { assumptionsTable, casesTable, endpointsTable } from './tables/contract.ts';
import {
  collectionsSentence,
  conductTable,
  controlTable,
  fulfillmentActionsTable,
  orderActionsTable,
  scenariosTable,
} from './tables/control.ts';
import { errorsTable } from './tables/errors.ts';
import { faultTable, switchesTable } from './tables/levers.ts';

const readmeTables = {
  switches: switchesTable,
  fault: faultTable,
  collections: collectionsSentence,
  control: controlTable,
  scenarios: scenariosTable,
  conduct: conductTable,
  'order-actions': orderActionsTable,
  'fulfillment-actions': fulfillmentActionsTable,
  cases: casesTable,
  endpoints: endpointsTable,
  errors: errorsTable,
  assumptions: assumptionsTable,
  flags: flagsTable,
  commands: commandsTable,
};
export const tableNames = Object.keys(readmeTables);

/** The text with each table set between `<!-- name -->` and `<!-- /name -->`. */
export function withTables(text: string): string {
  return Object.entries(readmeTables).reduce((last, [name, make]) => {
    const start = placeOf(`<!-- ${name} -->`, last);
    const end = placeOf(`<!-- /${name} -->`, last);
    if (end.from < start.to) throw new Error(`README.md ends the table "${name}" before it begins`);
    return `${last.slice(0, start.to)}\n${make()}\n${last.slice(end.from)}`;
  }, text);
}

/** Where a marker stands; it must stand once. */
function placeOf(marker: string, text: string): { readonly from: number; readonly to: number } {
  const from = text.indexOf(marker);
  if (from < 0 || text.includes(marker, from + 1)) throw new Error(`README.md must have ${marker} once`);
  return { from, to: from + marker.length };
}

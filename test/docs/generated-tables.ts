// The generated tables of the documentation. A page shows one between `<!-- name -->` and `<!-- /name -->`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/command.ts';
import { commandFlagsTable, commandsTable, exitCodesTable, serveFlagsTable } from './tables/command-line.ts';
import { assumptionsTable, casesTable, collectionsTable, endpointsTable, headersTable } from './tables/contract.ts';
import {
  conductTable,
  controlTable,
  fulfillmentActionsTable,
  limitsTable,
  orderActionsTable,
  outcomesTable,
  scenariosTable,
} from './tables/control.ts';
import { errorsTable } from './tables/errors.ts';
import { faultTable, switchesTable } from './tables/switches.ts';

const tables = {
  assumptions: assumptionsTable,
  cases: casesTable,
  collections: collectionsTable,
  'command-flags': commandFlagsTable,
  commands: commandsTable,
  conduct: conductTable,
  control: controlTable,
  endpoints: endpointsTable,
  errors: errorsTable,
  'exit-codes': exitCodesTable,
  fault: faultTable,
  flags: serveFlagsTable,
  'fulfillment-actions': fulfillmentActionsTable,
  headers: headersTable,
  limits: limitsTable,
  'order-actions': orderActionsTable,
  outcomes: outcomesTable,
  scenarios: scenariosTable,
  switches: switchesTable,
};
type TableName = keyof typeof tables;
export const tableNames = Object.keys(tables) as TableName[];

export interface Page {
  readonly file: string;
  readonly text: string;
}

export const readPages = (): Page[] =>
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('node_modules'))
    .sort()
    .map((name) => ({ file: `docs/${name}`, text: readFileSync(join(root, 'docs', name), 'utf8') }));

const isGenerated = (name: string): name is TableName => Object.hasOwn(tables, name);

/** The names in the markers of these tables on a page, in order; closing ones have a `/`. Other generators have others. */
export const markersOf = (text: string): string[] =>
  Array.from(text.matchAll(/^<!-- (\/?[\w-]+) -->$/gm), ([, name = '']) => name).filter((name) =>
    isGenerated(name.replace('/', '')),
  );

/** What is wrong with the markers of these pages: each table must be on one page, once, between its two markers. */
export function markerFaults(pages: readonly Page[]): string[] {
  const found = pages.flatMap(({ text }) => markersOf(text));
  const missing = tableNames.filter((name) => found.filter((marker) => marker === name).length !== 1);
  const unclosed = pages.flatMap(({ file, text }) => {
    const markers = markersOf(text);
    return markers
      .filter((name, index) => (index % 2 === 0 ? markers[index + 1] !== `/${name}` : !name.startsWith('/')))
      .map((name) => `${file}: the marker "${name}" has no partner`);
  });
  return [...missing.map((name) => `the table "${name}" must be on exactly one page`), ...unclosed];
}

/** The text of a page with its tables made from the sources. */
export const withTables = (text: string): string =>
  text.replaceAll(/^<!-- ([\w-]+) -->\n[\s\S]*?^<!-- \/\1 -->$/gm, (old, name: string) =>
    isGenerated(name) ? `<!-- ${name} -->\n\n${tables[name]()}\n\n<!-- /${name} -->` : old,
  );

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

export interface Page {
  readonly file: string;
  readonly text: string;
}

export const readPages = (): Page[] =>
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('node_modules'))
    .sort()
    .map((name) => ({ file: `docs/${name}`, text: readFileSync(join(root, 'docs', name), 'utf8') }));

const isGenerated = (name: string): name is keyof typeof tables => Object.hasOwn(tables, name);

/** The tables that are not between their markers on exactly one page. */
export const missingTables = (pages: readonly Page[]): string[] => {
  const text = pages.map((page) => page.text).join('\n');
  const placesOf = (name: string) => text.match(new RegExp(`^<!-- ${name} -->\n[^]*?^<!-- /${name} -->$`, 'gm')) ?? [];
  return Object.keys(tables).filter((name) => placesOf(name).length !== 1);
};

/** The text of a page with its tables made from the sources. */
export const withTables = (text: string): string =>
  text.replaceAll(/^<!-- ([\w-]+) -->\n[\s\S]*?^<!-- \/\1 -->$/gm, (old, name: string) =>
    isGenerated(name) ? `<!-- ${name} -->\n\n${tables[name]()}\n\n<!-- /${name} -->` : old,
  );

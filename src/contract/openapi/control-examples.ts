// Examples of the control API's document that are made of the fixtures: records as bodies, and their ids in paths.
import { operatorOperations } from '../admin/operator.ts';
import type { Fixtures } from '../fixtures.ts';
import { collectionNames, singleNames } from '../records.ts';

/** By operation. */
export interface ControlExamples {
  readonly bodies: Readonly<Record<string, unknown>>;
  /** What stands for `{id}` in the path. */
  readonly ids: Readonly<Record<string, string | undefined>>;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** @param password what the examples of users show; their own where it is left out */
export function controlExamples(fixtures: Fixtures, password?: string): ControlExamples {
  const bodies: Record<string, unknown> = {};
  const ids: Record<string, string | undefined> = {};
  for (const name of collectionNames) {
    const [row] = fixtures[name] as readonly Row[];
    if (row) Object.assign(bodies, bodiesOf(name, 'password' in row && password ? { ...row, password } : row));
    for (const id of operationsOf(name)) ids[id] = row?.id;
  }
  for (const name of singleNames) bodies[`singles.${name}.update`] = fixtures[name];
  return { bodies, ids };
}

/** A new record is as one that is there, but for what only one may have; what is updated is left as it is. */
function bodiesOf(name: string, { id: _, ...row }: Row) {
  const { username } = row;
  const field = ['name', 'product_name', 'last_name', 'status', 'weight'].find((one) => one in row) ?? 'active';
  return {
    [`records.${name}.create`]: { ...row, ...(username ? { username: `${username}-2` } : {}) },
    [`records.${name}.update`]: { [field]: row[field] },
  };
}

/** The operations on one record of the collection, those of the operator, too. */
const operationsOf = (name: string): string[] => [
  ...['get', 'update', 'delete'].map((verb) => `records.${name}.${verb}`),
  ...Object.keys(operatorOperations).filter((id) => id.startsWith(`${name}.`)),
];

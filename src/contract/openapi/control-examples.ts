// Examples of the control API's document that are made of the fixtures: records as bodies, and their ids in paths.
import type { Fixtures } from '../fixtures.ts';
import { collectionNames, singleNames } from '../records.ts';

/** By operation. */
export interface ControlExamples {
  readonly bodies: Readonly<Record<string, unknown>>;
  /** What stands for `{id}` in the path. */
  readonly ids: Readonly<Record<string, string | undefined>>;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** @param actedOn what the operator's actions can be tried on, by operation */
export function controlExamples(fixtures: Fixtures, actedOn: ControlExamples['ids'] = {}): ControlExamples {
  const bodies: Record<string, unknown> = {};
  const ids: Record<string, string | undefined> = {};
  for (const name of collectionNames) {
    const [row] = fixtures[name] as readonly Row[];
    if (row) Object.assign(bodies, bodiesOf(name, row));
    for (const verb of ['get', 'update', 'delete']) ids[`records.${name}.${verb}`] = row?.id;
  }
  for (const name of singleNames) bodies[`singles.${name}.update`] = fixtures[name];
  return { bodies, ids: { ...ids, ...actedOn } };
}

/** A new record is as one that is there, but for what only one may have; what is updated is left as it is. */
function bodiesOf(name: string, { id: _, ...row }: Row) {
  const { username } = row;
  const field = ['name', 'product_name', 'last_name', 'status', 'weight'].find((one) => one in row) ?? 'active';
  return {
    [`records.${name}.create`]: {
      ...row,
      ...(username ? { username: `${username}-2`, password: 'a-new-password' } : {}),
    },
    [`records.${name}.update`]: { [field]: row[field] },
  };
}

// How many of the calls that an applied scenario expects have come since.
import { ControlRefusal } from '../../contract/admin/refusals.ts';
import type { ControlReplyOf } from '../../contract/admin.ts';
import type { Visit } from '../visit.ts';

export type Scenario = ControlReplyOf<'scenarios.list'>['body']['scenarios'][number];
type Expected = Scenario['expect'][number];

/** The calls that came of one that is expected; undefined where the journal cannot tell any more. */
export type Came = { readonly count: number; readonly satisfied: boolean } | undefined;

/** Of the scenarios that are applied. */
export async function cameFor(visit: Visit, scenarios: readonly Scenario[]): Promise<ReadonlyMap<Expected, Came>> {
  const came = new Map<Expected, Came>();
  for (const { applied_at: since, expect } of scenarios)
    for (const expected of since === null ? [] : expect) came.set(expected, await cameOf(visit, expected, since));
  return came;
}

async function cameOf(visit: Visit, { match, count }: Expected, since: string | null): Promise<Came> {
  try {
    return await visit.control('requests.verify', { body: { match, count, since } });
  } catch (error) {
    if (error instanceof ControlRefusal && error.status === 409) return undefined;
    throw error;
  }
}

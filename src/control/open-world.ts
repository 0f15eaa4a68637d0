// Opens a draft as the world that the domain's rules see.
import type { SingleName, SingleOf } from '../contract/records.ts';
import type { Terms } from '../contract/terms.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Caller, World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { timeOf } from './clock.ts';
import { drawUuid } from './ids.ts';

/** What a request brings to the world, besides the sandbox's state. */
export interface Visit {
  /** The machine's time, read once per request. */
  readonly machineTime: number;
  readonly terms: Terms;
  readonly baseUrl: string;
  readonly hashes: Hashes;
  readonly caller?: Caller | undefined;
}

export function openWorld(draft: Draft, { machineTime, terms, baseUrl, hashes, caller }: Visit): World {
  const identity = draft.value('identity');
  return {
    now: timeOf(draft.value('clock'), machineTime),
    terms,
    identity,
    baseUrl,
    hashes,
    generations: draft.value('generations'),
    get caller() {
      if (!caller) throw new Error('this endpoint has no caller');
      return caller;
    },
    table: (name) => draft.table(name),
    single: <Name extends SingleName>(name: Name) => draft.value(name) as SingleOf<Name>,
    newId: (purpose) => drawUuid(hashes, identity.seed, purpose, draft.count(`ids of ${purpose}`)),
  };
}

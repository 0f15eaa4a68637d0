// The world as the operator sees it: no caller, no call.
import { Terms } from '../contract/terms.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { OpenWorld } from './open-world.ts';

/** @param now the sandbox's time, or that of the step that is taken */
export function backstage(draft: Draft, hashes: Hashes, now: number): World {
  const terms = new Terms(draft.value('readings'), draft.value('administration_times').values);
  return new OpenWorld(draft, { baseUrl: '', hashes }, now, terms);
}

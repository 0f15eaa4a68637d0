// The world as the operator sees it: no caller, no call.
import { Terms } from '../contract/terms.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { OpenWorld } from './open-world.ts';

/** What is written with: the sandbox's time in milliseconds, or that of the step that is taken, and what ids are drawn by. */
export interface Writing {
  readonly now: number;
  readonly hashes: Hashes;
}

/** @param baseUrl of the sandbox; needed where URLs are made */
export function backstage(draft: Draft, { now, hashes }: Writing, baseUrl = ''): World {
  const terms = new Terms(draft.value('readings'), draft.value('administration_times').values);
  return new OpenWorld(draft, { baseUrl, hashes }, now, terms);
}

// Fresh ids of a sandbox: by its seed, one after the other, none that a record of its kind has.
import type { Hashes } from '../domain/hashes.ts';
import type { TableName } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { drawUuid } from './ids.ts';

/** The next id of a purpose. A record that was given the id that would be drawn keeps it; the one after is drawn then. */
export function newId(draft: Draft, hashes: Hashes, purpose: TableName | 'order_lines' | 'tokens'): string {
  const { seed } = draft.value('identity');
  for (;;) {
    const id = drawUuid(hashes, seed, purpose, draft.count(`ids of ${purpose}`));
    if (purpose === 'order_lines' || purpose === 'tokens' || !draft.table(purpose).get(id)) return id;
  }
}

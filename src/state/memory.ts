// The default store: the sandboxes' own roots are the memory, so there is nothing to keep and never a conflict.
import type { Store } from './store.ts';

const none: readonly never[] = [];

export function createMemoryStore(): Store {
  return {
    isAtHand: true,
    names: () => none,
    load: () => undefined,
    since: () => none,
    append: () => 'committed',
    remove: () => undefined,
    trouble: () => undefined,
  };
}

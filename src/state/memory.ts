// The default store: the sandboxes' own roots are the memory, so there is nothing to keep and never a conflict.
import type { Commit } from './root.ts';
import type { Store } from './store.ts';

const none: readonly Commit[] = [];

export function createMemoryStore(): Store {
  return {
    load: () => undefined,
    since: () => none,
    append: () => 'committed',
    remove: () => undefined,
  };
}

// The engine of a test; over TEST_STORE=postgres three of them that share a store, each of which is asked in its turn.
import { createEngine } from '../../src/app.ts';
import type { Engine, EngineOptions } from '../../src/engine.ts';
import { replicaStores } from '../node/postgres/support/replica-stores.ts';
import { testStore } from './test-store.ts';

/** Whether calls are answered by several servers. */
export const isReplicated = process.env.TEST_STORE === 'postgres';

/** A store that is among the options stands in place of the run's; what a server keeps for itself is looked at in the first. */
export function testEngine(options: EngineOptions): Engine {
  if (!isReplicated || options.store) return createEngine({ ...testStore(), ...options });
  const stores = replicaStores(options.maxSandboxes !== undefined);
  const first = createEngine({ ...options, store: stores[0] });
  const { adminKey } = first;
  return inTurn([first, ...stores.slice(1).map((store) => createEngine({ ...options, adminKey, store }))]);
}

function inTurn(engines: readonly Engine[]): Engine {
  let calls = 0;
  const next = (): Engine => {
    calls += 1;
    return engines[(calls - 1) % engines.length] as Engine;
  };
  return {
    ...(engines[0] as Engine),
    fetch: (...asked) => next().fetch(...asked),
    app: { fetch: (request, bindings) => next().app.fetch(request, bindings) },
    close: () => {
      for (const engine of engines) engine.close();
    },
  };
}

// The first stage: what must hold, or be used up, even where the request is then refused. It commits on its own.
import type { Awaitable } from '../../state/store.ts';
import type { Call } from '../call.ts';

/** Fixes the readings that the call is judged by. */
export function admission(call: Call): Awaitable<void> {
  return call.read(() => undefined);
}

// The first stage: what must hold, or be used up, even where the request is then refused. It commits on its own.
import type { Call } from '../call.ts';

/** Fixes the readings that the call is judged by. */
export async function admission(call: Call): Promise<void> {
  await call.read(() => undefined);
}

// After the route: the faults that met the call. They delay it, answer it, or break its connection before it has any effect.
import type { Awaitable } from '../../state/store.ts';
import type { Call } from '../call.ts';
import { refusalOf } from './admission.ts';

/** The connection breaks before the call has any effect. */
export class BrokenBefore extends Error {}

export function fault(call: Call): Awaitable<void> {
  const delay = call.admission?.delayMilliseconds ?? 0;
  return delay > 0 ? call.wait(delay).then(() => meet(call)) : meet(call);
}

function meet({ admission }: Call): void {
  if (admission?.refusal) throw refusalOf(admission.refusal);
  if (admission?.drop === 'before_processing') throw new BrokenBefore();
}

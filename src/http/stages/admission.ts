// The first stage: what meets the call before it is judged, and must be used up even where the call is then refused. It commits on
// its own. Maintenance and the rate limit (LIM-1) answer here, before the route is known.
import { Refusal } from '../../contract/refusal.ts';
import { type Admission, admit, isBent } from '../../control/admission.ts';
import { type Awaitable, andThen } from '../../state/store.ts';
import type { Call } from '../call.ts';

export function admission(call: Call): Awaitable<void> {
  return andThen(call.look(isBent), (bent) => {
    call.terms?.get('rate_limit'); // every answer hangs on it: noted, whether or not it is in force
    return bent ? meet(call) : undefined;
  });
}

function meet(call: Call): Awaitable<void> {
  const admitting = call.count((draft, now) => admit(draft, call.hashes, call.facts, now));
  return andThen(admitting, (admitted) => {
    call.admission = admitted;
    if (admitted.refusal?.early) throw refusalOf(admitted.refusal);
  });
}

/** The refusal that a lever answers with. */
export const refusalOf = ({ rule, retryAfterSeconds }: NonNullable<Admission['refusal']>): Refusal =>
  new Refusal(rule, { retryAfterSeconds });

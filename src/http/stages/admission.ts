// The first stage: what meets the call before it is judged, and must be used up even where the call is then refused. It commits on
// its own. Maintenance and the rate limit (LIM-1) answer here, before the route is known.
import { Refusal } from '../../contract/refusal.ts';
import { type Admission, admit, isBent } from '../../control/admission.ts';
import type { Draft } from '../../state/draft.ts';
import { type Awaitable, andThen } from '../../state/store.ts';
import type { Call } from '../call.ts';
import { tokenOf } from '../locate.ts';

export function admission(call: Call): Awaitable<void> {
  return andThen(call.look(isBent), (bent) => {
    call.terms?.get('rate_limit'); // every answer hangs on it: noted, whether or not it is in force
    return bent ? meet(call) : undefined;
  });
}

function meet(call: Call): Awaitable<void> {
  // What would be used up does not meet a forged token; what else counts it does so in a draft of which nothing is kept.
  const admitting = andThen(isForged(call), (forged) => {
    const judge = (draft: Draft, now: number): Admission =>
      admit(draft, call.hashes, { ...call.facts, isForged: forged }, now);
    return forged ? call.look(judge) : call.count(judge);
  });
  return andThen(admitting, (admitted) => {
    call.admission = admitted;
    if (admitted.refusal?.early) throw refusalOf(admitted.refusal);
  });
}

/** Whether it comes with a token that names a sandbox and that this one's key did not sign. What a login brings beside its password is nothing. */
function isForged({ edge: { tokens }, arrival, body, identity }: Call): Awaitable<boolean> {
  const token = arrival.operation?.id === 'authentication.token' ? undefined : tokenOf(arrival, body);
  if (typeof token !== 'string' || tokens.namedSandbox(token) === undefined) return false;
  return andThen(tokens.verify(identity, token), (claims) => claims === undefined);
}

/** The refusal that a lever answers with. */
export const refusalOf = ({ rule, retryAfterSeconds }: NonNullable<Admission['refusal']>): Refusal =>
  new Refusal(rule, { retryAfterSeconds });

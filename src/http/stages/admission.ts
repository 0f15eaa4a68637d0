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
  const judge = (draft: Draft, now: number): Admission => admit(draft, call.hashes, call.facts, now);
  // A forged token is met by what meets every call, and spends nothing of it.
  const admitting = andThen(isForged(call), (forged) => (forged ? call.look(judge) : call.count(judge)));
  return andThen(admitting, (admitted) => {
    call.admission = admitted;
    if (admitted.refusal?.early) throw refusalOf(admitted.refusal);
  });
}

/** Whether it comes with a token that names a sandbox and was not signed by that sandbox's key. */
function isForged({ edge: { sandboxes, tokens }, arrival, body }: Call): Awaitable<boolean> {
  const token = tokenOf(arrival, body);
  const name = typeof token === 'string' ? tokens.namedSandbox(token) : undefined;
  if (typeof token !== 'string' || name === undefined) return false;
  return andThen(sandboxes.get(name), (sandbox) => {
    const claims = sandbox && tokens.verify(sandbox.root.values.identity, token);
    return andThen(claims, (verified) => verified === undefined);
  });
}

/** The refusal that a lever answers with. */
export const refusalOf = ({ rule, retryAfterSeconds }: NonNullable<Admission['refusal']>): Refusal =>
  new Refusal(rule, { retryAfterSeconds });

// 401 without a good access token of this sandbox (AUTH-3, AUTH-4, AUTH-6). Finds the caller.
import { Refusal } from '../../contract/refusal.ts';
import { authenticate, type Claims } from '../../domain/tokens.ts';
import { type Awaitable, andThen } from '../../state/store.ts';
import type { Call } from '../call.ts';
import { bearerToken } from '../locate.ts';

export function token(call: Call): Awaitable<void> {
  if (call.arrival.operation?.permission === null) return;
  const presented = bearerToken(call.arrival.request);
  if (presented === undefined) throw new Refusal('unauthorized_message');
  return andThen(call.edge.tokens.verify(call.identity, presented), (claims) => admit(call, presented, claims));
}

function admit(call: Call, presented: string, claims: Claims | undefined): Awaitable<void> {
  const elsewhere = !claims && ![undefined, call.identity.name].includes(call.edge.tokens.namedSandbox(presented));
  if (elsewhere) throw new Refusal('AUTH-4');
  return andThen(
    call.read((world) => authenticate(world, claims)),
    (caller) => {
      call.caller = caller;
    },
  );
}

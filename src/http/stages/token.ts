// 401 without a good access token of this sandbox (AUTH-3, AUTH-4, AUTH-6). Finds the caller.
import { Refusal } from '../../contract/refusal.ts';
import { authenticate } from '../../domain/tokens.ts';
import type { Call } from '../call.ts';
import { bearerToken } from '../locate.ts';

export async function token(call: Call): Promise<void> {
  if (call.arrival.operation?.permission === null) return;
  const presented = bearerToken(call.arrival.request);
  if (presented === undefined) throw new Refusal('unauthorized_message');
  const claims = await call.edge.tokens.verify(call.identity, presented);
  const elsewhere = !claims && ![undefined, call.identity.name].includes(call.edge.tokens.namedSandbox(presented));
  if (elsewhere) throw new Refusal('AUTH-4');
  call.caller = await call.read((world) => authenticate(world, claims));
}

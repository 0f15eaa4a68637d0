// A sandbox as the control API presents it.
import { sandboxBase } from '../../contract/addresses.ts';
import type { Identity } from '../../domain/world.ts';
import { loginsOf } from '../../sandbox/sample-calls.ts';
import type { State } from '../../state/state.ts';
import type { SandboxListing } from '../../state/store.ts';
import type { ControlCall } from './call.ts';

type Presented = Pick<SandboxListing, 'identity' | 'usedAt'> & { readonly state: State | undefined };

/** A shared store lists sandboxes without their states, which have whether a guest claimed an invite. */
export async function presentListed(call: ControlCall, { name, identity, usedAt }: SandboxListing) {
  const hosted = identity.invite && (await call.deps.sandboxes.get(name));
  return presentSandbox(call, { identity, usedAt, state: hosted?.state });
}

export function presentSandbox({ origin, machineTime }: ControlCall, { identity, usedAt, state }: Presented) {
  const { name, environment, madeByLogin, ownKeyHash, ttlSeconds, invite } = identity;
  return {
    name,
    environment,
    base_url: origin + sandboxBase(name),
    made_by_login: madeByLogin,
    has_own_key: ownKeyHash !== null,
    ttl_seconds: ttlSeconds,
    last_used_at: new Date(usedAt).toISOString(),
    ...(invite && { invite: presentInvite(invite, state?.value('claimed_at') !== undefined, machineTime) }),
  };
}

function presentInvite({ expiresAt }: NonNullable<Identity['invite']>, isClaimed: boolean, now: number) {
  const unclaimed = now < expiresAt ? ('open' as const) : ('expired' as const);
  return { status: isClaimed ? ('claimed' as const) : unclaimed, expires_at: new Date(expiresAt).toISOString() };
}

/** Users who may log in come first. */
export const presentLogins = (state: State) =>
  Array.from(loginsOf(state), ({ user: { username, password } }) => ({ username, password }));

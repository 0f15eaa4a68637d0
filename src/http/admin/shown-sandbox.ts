// A sandbox as the control API shows it.
import { sandboxBase } from '../../contract/addresses.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import { loginsOf } from '../../control/logins.ts';
import type { ControlCall } from './control-call.ts';

type Shown = Pick<HostedSandbox, 'root' | 'usedAt'>;

export function showSandbox({ origin }: Pick<ControlCall, 'origin'>, { root, usedAt }: Shown) {
  const { name, environment, madeByLogin, ownKeyHash, ttlSeconds } = root.values.identity;
  return {
    name,
    environment,
    base_url: origin + sandboxBase(name),
    made_by_login: madeByLogin,
    has_own_key: ownKeyHash !== null,
    ttl_seconds: ttlSeconds,
    last_used_at: new Date(usedAt).toISOString(),
  };
}

/** One that is made by this call, with all that opens it. */
export function showMade(call: ControlCall, root: Shown['root'], key: string | undefined) {
  const logins = Array.from(loginsOf(root.tables), ({ user: { username, password } }) => ({ username, password }));
  return { ...showSandbox(call, { root, usedAt: call.machineTime }), logins, key: key ?? null };
}

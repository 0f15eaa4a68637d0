// A sandbox as the control API shows it.
import { sandboxBase } from '../../contract/addresses.ts';
import { loginsOf } from '../../control/logins.ts';
import type { Root } from '../../state/root.ts';
import type { Listed } from '../../state/store.ts';
import type { ControlCall } from './control-call.ts';

type Shown = Pick<Listed, 'identity' | 'usedAt'>;

export function showSandbox({ origin }: Pick<ControlCall, 'origin'>, { identity, usedAt }: Shown) {
  const { name, environment, madeByLogin, ownKeyHash, ttlSeconds } = identity;
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
export function showMade(call: ControlCall, root: Root, key: string | undefined) {
  const logins = Array.from(loginsOf(root.tables), ({ user: { username, password } }) => ({ username, password }));
  return {
    ...showSandbox(call, { identity: root.values.identity, usedAt: call.machineTime }),
    logins,
    key: key ?? null,
  };
}

// Invites: a link that hands out the logins and the own key of a sandbox, once. The claim is the only operation that
// needs no key.
import { consolePath } from '../../contract/addresses.ts';
import { bounds } from '../../contract/control/bounds.ts';
import { ControlRefusal, cannot } from '../../contract/control/control-operation.ts';
import type { ControlInputOf, ControlReplyOf } from '../../contract/control/operations.ts';
import type { NewSandbox } from '../../contract/control/sandboxes.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { hex } from '../../domain/hashes.ts';
import { guestKey, type NewSandboxSettings } from '../../sandbox/new-sandbox.ts';
import { isEqual } from '../guards.ts';
import { type ControlCall, ok } from './call.ts';
import { presentLogins, presentSandbox } from './present-sandbox.ts';

/** The link of an invite. Browsers do not send its fragment, so no log and no link preview has the token. */
export const inviteLink = ({ origin }: ControlCall, sandbox: string, token: string): string =>
  `${origin}${consolePath}/${sandbox}/claim#token=${token}`;

/** The settings of a new sandbox with an invite. @throws ControlRefusal for a seed or key that the host would know */
export function inviteOf(
  { deps, machineTime }: ControlCall,
  { invite, own_key, random_seed, ttl_seconds = bounds.guestSeconds }: DeepReadonly<NewSandbox>,
  token: string,
): Pick<NewSandboxSettings, 'invite' | 'ttlSeconds'> {
  if (own_key !== undefined) throw cannot('own_key', 'An invited sandbox gets its own key at the claim; omit own_key');
  if (random_seed !== undefined)
    throw cannot('random_seed', 'The key and the passwords of a guest come from a secret seed; omit random_seed');
  // The sandbox is deleted after its time to live, and the link with it.
  const seconds = Math.min(invite?.expires_in_seconds ?? ttl_seconds, ttl_seconds);
  const tokenHash = hex(deps.hashes.sha256(token));
  return { invite: { tokenHash, expiresAt: machineTime + seconds * 1000 }, ttlSeconds: ttl_seconds };
}

/** @throws ControlRefusal 404 for an unknown sandbox or a wrong token, 410 for a link that is over, 429 */
export async function claimSandbox(
  call: ControlCall,
  { sandbox: name, token }: ControlInputOf<'sandboxes.claim'>['body'],
): Promise<ControlReplyOf<'sandboxes.claim'>> {
  const { deps, origin, machineTime } = call;
  const sandbox = await deps.sandboxes.get(name);
  // Not before it is found: claims at once would all pass, and then be counted.
  requireFewWrong(call, name);
  const invite = sandbox?.identity.invite;
  if (!sandbox || !invite || !isEqual(hex(deps.hashes.sha256(token)), invite.tokenHash)) {
    deps.wrongClaims.count(name, machineTime);
    throw new ControlRefusal(
      404,
      'This is not a valid invite link; copy the whole link, or ask your host for a new one',
    );
  }
  deps.sandboxes.use(sandbox, machineTime);
  return sandbox.write((state) => {
    if (state.value('claimed_at') !== undefined)
      throw new ControlRefusal(410, 'This invite link was used already; ask your host for a new one');
    if (machineTime >= invite.expiresAt)
      throw new ControlRefusal(410, 'This invite link has expired; ask your host for a new one');
    state.setValue('claimed_at', machineTime);
    const key = guestKey(sandbox.identity, deps.hashes);
    return ok({
      ...presentSandbox(call, sandbox),
      logins: presentLogins(state),
      key,
      console_url: `${origin}${consolePath}/${name}`,
    });
  });
}

/** @throws ControlRefusal 429 */
function requireFewWrong({ deps, machineTime }: ControlCall, name: string): void {
  const seconds = deps.wrongClaims.secondsToWait(name, machineTime);
  if (seconds > 0)
    throw new ControlRefusal(429, `Too many wrong links for this sandbox; try again in ${seconds} seconds`, {
      headers: { 'Retry-After': String(seconds) },
    });
}

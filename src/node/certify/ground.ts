// Where the walk takes place: a sandbox of a server elsewhere, which loses nothing by it, or of a server of its own.
import { controlClient } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { bareUrl, sandboxBase, stage } from '../../contract/addresses.ts';
import { readyUser } from '../../sample-order.ts';
import type { Remote } from '../ask.ts';
import type { Place } from '../client-environment.ts';
import { openWorld, readingsText } from '../own-world.ts';
import { type WorldFlags, worldOf } from '../world-flags.ts';
import { keepSandbox } from './kept-sandbox.ts';

export interface Ground {
  readonly remote: Remote;
  /** null where it is not known. */
  readonly seed: string | null;
  /** To be called before the sandbox is touched. */
  readonly keep: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A server that runs already. */
export function groundElsewhere(remote: Remote): Ground {
  let bringBack = async (): Promise<void> => undefined;
  return {
    remote,
    seed: null,
    keep: async () => {
      bringBack = await keepSandbox(controlOf(remote));
    },
    close: () => bringBack(),
  };
}

/** A server made for this walk. */
export async function ownGround(flags: WorldFlags & { readonly randomSeed: string }, sandbox: string): Promise<Ground> {
  const { place, close } = await openWorld(worldOf(flags));
  const { url, adminKey } = place;
  return { remote: { url, adminKey, sandbox }, seed: flags.randomSeed, keep: async () => undefined, close };
}

/** Every operation of the control API on the sandbox; the key goes nowhere but where it was told to go. */
export function controlOf({ url, adminKey, sandbox }: Remote, signal?: AbortSignal): SandboxControl {
  const bound = signal ? { signal } : {};
  return controlClient({
    url,
    adminKey,
    fetch: (input, init) => fetch(input, { ...init, ...bound, redirect: 'manual' }),
  }).sandbox(sandbox);
}

/** Where clients call: for `stage` the plain base URL. */
const baseUrlOf = ({ url, sandbox }: Remote): string =>
  sandbox === stage ? bareUrl(url) : bareUrl(url) + sandboxBase(sandbox);

/** What a client that is started here is told of it. */
export async function placeOf(remote: Remote, control: SandboxControl): Promise<Place> {
  const { users } = await control.records.users.list();
  const { brands } = await control.records.brands.list();
  const { accounts } = await control.records.accounts.list();
  const { username = '', password = '' } = readyUser({ users, brands, accounts }) ?? {};
  const assume = readingsText(await control.assumptions.get());
  return { url: baseUrlOf(remote), adminKey: remote.adminKey, username, password, assume };
}

// The sandbox of a walk, over the control API of its server: its control, and what its clients are told.
import { controlClient } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { bareUrl, sandboxBase, stage } from '../../contract/addresses.ts';
import { readingsText } from '../../contract/readings.ts';
import { readyUser } from '../../sample-order.ts';
import type { Remote } from '../ask.ts';
import type { Place } from '../client-environment.ts';

/** Every operation of the control API on the sandbox; the key goes nowhere but where it was told to go. */
export function controlOf({ url, adminKey, sandbox }: Remote, signal?: AbortSignal): SandboxControl {
  const bound = signal ? { signal } : {};
  return controlClient({
    url,
    adminKey,
    fetch: (input, init) => fetch(input, { ...init, ...bound, redirect: 'manual' }),
  }).sandbox(sandbox);
}

/** What a client that is started here is told of it. */
export async function placeOf({ url: given, sandbox, adminKey }: Remote, control: SandboxControl): Promise<Place> {
  const { users } = await control.records.users.list();
  const { brands } = await control.records.brands.list();
  const { accounts } = await control.records.accounts.list();
  const { username = '', password = '' } = readyUser({ users, brands, accounts }) ?? {};
  const assume = readingsText(await control.assumptions.get());
  const url = bareUrl(given);
  const baseUrl = sandbox === stage ? url : url + sandboxBase(sandbox);
  return { url, sandbox, baseUrl, adminKey, username, password, assume };
}

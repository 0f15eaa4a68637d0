// A sandbox made over the control API; a call that comes again with its key is answered with the one that it has made.
import { stage } from '../../contract/addresses.ts';
import { ControlRefusal, cannot, notThere } from '../../contract/admin/refusals.ts';
import type { NewSandbox } from '../../contract/admin/sandboxes.ts';
import type { ControlReplyOf } from '../../contract/admin.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import { answeredAs, earlierReply } from '../../control/answered.ts';
import { randomName, randomSecret } from '../../control/ids.ts';
import type { Told } from '../../control/newborn.ts';
import { NameTakenError, NoRoomError } from '../../control/no-sandbox.ts';
import { hex } from '../../domain/hashes.ts';
import type { Root } from '../../state/root.ts';
import type { Edge } from '../edge.ts';
import type { ControlCall } from './control-call.ts';
import { showMade } from './shown-sandbox.ts';

type Made = ControlReplyOf<'sandboxes.create'>;

/** @throws ControlRefusal where there is one of this name, or no room. */
export async function makeSandbox(call: ControlCall, body: DeepReadonly<NewSandbox>): Promise<Made> {
  const { edge, once } = call;
  const { name = nameFor(call), environment = stage, own_key } = body;
  const key = own_key === true ? randomSecret() : own_key;
  const shown = (root: Root): Made => ({ status: 201, body: showMade(call, root, key) });
  const answered = once && ((root: Root) => answeredAs(once, shown(root), 0));
  const told = { ...toldBy(edge, body, key), answered };
  try {
    const { root } = await edge.sandboxes.create({ name, environment, madeByLogin: false }, told);
    return shown(root);
  } catch (error) {
    if (error instanceof NameTakenError) return madeBefore(call, name, error);
    throw error instanceof NoRoomError ? cannot('sandbox', error.message) : error;
  }
}

/** A name that was not given follows from the key, so that the call means the same sandbox when it comes again. */
const nameFor = ({ edge: { hashes }, once }: ControlCall): string =>
  once ? `sandbox-${hex(hashes.sha256(`name\n${once.key}`)).slice(0, 8)}` : randomName();

/** What a new sandbox is told. @throws ControlRefusal for a key or a scenario that is none. */
function toldBy(edge: Edge, body: DeepReadonly<NewSandbox>, key: string | undefined): Told {
  const { name: _, environment: __, own_key: ___, ttl_seconds, scenario, ...told } = body;
  const ownKeyHash = key === undefined ? undefined : hex(edge.hashes.sha256(key));
  if (ownKeyHash === edge.adminKeyHash)
    throw cannot('own_key', 'The key of a sandbox cannot be the admin key; give another');
  return {
    ...told,
    scenario: scenario === undefined ? undefined : scenarioNamed(edge, scenario),
    ownKeyHash,
    freshPasswords: !edge.loginSandboxes,
    ttlSeconds: ttl_seconds,
  };
}

/** The one of this name may be what this very call has made, when it came before. @throws ControlRefusal where it is not */
async function madeBefore({ edge, once }: ControlCall, name: string, taken: NameTakenError): Promise<Made> {
  const there = once && (await edge.sandboxes.get(name));
  const earlier = there && earlierReply(there.root.values, once);
  if (earlier) return earlier as Made;
  throw new ControlRefusal(409, taken.message);
}

/** @throws ControlRefusal where the server has none of this name. */
export function scenarioNamed({ scenarios }: Edge, name: string): Scenario {
  const scenario = scenarios.get(name);
  if (scenario) return scenario;
  throw notThere('scenario', name, [...scenarios.keys()]);
}

// Handlers of the sandboxes themselves: made, listed, read, deleted; reset and snapshots.
import { bornSandboxes, sandboxBase, stage } from '../../contract/addresses.ts';
import { ControlRefusal, cannot, notThere } from '../../contract/admin/refusals.ts';
import type { NewSandbox } from '../../contract/admin/sandboxes.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import { randomName, randomSecret } from '../../control/ids.ts';
import { loginsOf } from '../../control/logins.ts';
import { NameTakenError, NoRoomError } from '../../control/no-sandbox.ts';
import {
  dropSnapshot,
  getSnapshot,
  listSnapshots,
  reset,
  restoreSnapshot,
  takeSnapshot,
} from '../../control/snapshots.ts';
import { hex } from '../../domain/hashes.ts';
import { type Awaitable, andThen } from '../../state/store.ts';
import type { Edge } from '../edge.ts';
import { bend, type ControlCall, type ControlHandlersFor, look } from './control-call.ts';

type Ids =
  | 'sandboxes.list'
  | 'sandboxes.create'
  | 'sandboxes.get'
  | 'sandboxes.delete'
  | 'sandboxes.reset'
  | `snapshots.${'list' | 'create' | 'get' | 'delete' | 'restore'}`;

/** A sandbox as the control API shows it. */
export function showSandbox({ origin }: Pick<ControlCall, 'origin'>, sandbox: HostedSandbox) {
  const { environment, madeByLogin, ownKeyHash } = sandbox.root.values.identity;
  return {
    name: sandbox.name,
    environment,
    base_url: origin + sandboxBase(sandbox.name),
    made_by_login: madeByLogin,
    has_own_key: ownKeyHash !== null,
    ttl_seconds: sandbox.ttlSeconds,
    last_used_at: new Date(sandbox.usedAt).toISOString(),
  };
}

const loginsShown = ({ root }: HostedSandbox) =>
  Array.from(loginsOf(root.tables), ({ user: { username, password } }) => ({ username, password }));

const byName = (one: HostedSandbox, other: HostedSandbox): number => (one.name < other.name ? -1 : 1);

export const sandboxHandlers: ControlHandlersFor<Ids> = {
  'sandboxes.list': async (call) => {
    const all = await call.edge.sandboxes.list();
    return { status: 200, body: { sandboxes: all.sort(byName).map((sandbox) => showSandbox(call, sandbox)) } };
  },
  'sandboxes.create': async (call, { body }) => {
    const key = body.own_key === true ? randomSecret() : body.own_key;
    const sandbox = await create(call, body, key);
    return { status: 201, body: { ...showSandbox(call, sandbox), logins: loginsShown(sandbox), key: key ?? null } };
  },
  'sandboxes.get': (call) => ({ status: 200, body: showSandbox(call, call.sandbox) }),
  'sandboxes.delete': ({ edge, sandbox }) => {
    if (bornSandboxes.includes(sandbox.name))
      throw cannot('sandbox', `The sandbox ${sandbox.name} exists from the start and cannot be deleted; reset it`);
    return andThen(edge.sandboxes.remove(sandbox), () => ({ status: 204 as const, body: undefined }));
  },
  'sandboxes.reset': (call) =>
    andThen(
      call.sandbox.write((draft) => reset(draft, call.machineTime)),
      () => ({ status: 200 as const, body: showSandbox(call, call.sandbox) }),
    ),
  'snapshots.list': (call) => look(call, (draft) => ({ status: 200, body: { snapshots: listSnapshots(draft) } })),
  'snapshots.create': (call, { body }) =>
    bend(call, (draft, now) => ({ status: 201, body: takeSnapshot(draft, body.name, now) })),
  'snapshots.get': (call, { params }) =>
    look(call, (draft) => ({ status: 200, body: getSnapshot(draft, params.name) })),
  'snapshots.delete': (call, { params }) =>
    bend(call, (draft) => {
      dropSnapshot(draft, params.name);
      return { status: 204, body: undefined };
    }),
  'snapshots.restore': (call, { params }) =>
    call.sandbox.write((draft) => {
      restoreSnapshot(draft, params.name);
      return { status: 200, body: getSnapshot(draft, params.name) };
    }),
};

/** @throws ControlRefusal where there is one of this name, or no room. */
async function create(
  { edge }: ControlCall,
  body: DeepReadonly<NewSandbox>,
  key: string | undefined,
): Promise<HostedSandbox> {
  const { name = randomName(), environment = stage, ttl_seconds, scenario, own_key: _, ...told } = body;
  const ownKeyHash = key === undefined ? undefined : hex(edge.hashes.sha256(key));
  if (ownKeyHash === edge.adminKeyHash)
    throw cannot('own_key', 'The key of a sandbox cannot be the admin key; give another');
  const who = { name, environment, madeByLogin: false };
  const beginning = {
    ...told,
    scenario: scenario === undefined ? undefined : scenarioNamed(edge, scenario),
    ownKeyHash,
    freshPasswords: !edge.loginSandboxes,
    ttlSeconds: ttl_seconds,
  };
  return make(() => edge.sandboxes.create(who, beginning));
}

async function make(making: () => Awaitable<HostedSandbox>): Promise<HostedSandbox> {
  try {
    return await making();
  } catch (error) {
    if (error instanceof NameTakenError) throw new ControlRefusal(409, error.message);
    throw error instanceof NoRoomError ? cannot('sandbox', error.message) : error;
  }
}

/** @throws ControlRefusal where the server has none of this name. */
export function scenarioNamed({ scenarios }: Edge, name: string): Scenario {
  const scenario = scenarios.get(name);
  if (scenario) return scenario;
  throw notThere('scenario', name, [...scenarios.keys()]);
}

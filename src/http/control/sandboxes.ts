// Handlers of the sandboxes themselves: created, listed, read, deleted; reset, snapshots and the whole state as a document.
import { builtInSandboxes, sandboxBase, stage } from '../../contract/addresses.ts';
import { ControlRefusal, cannot } from '../../contract/control/control-operation.ts';
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import type { NewSandbox } from '../../contract/control/sandboxes.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { hex } from '../../domain/hashes.ts';
import { answeredAs, earlierReply } from '../../sandbox/idempotency.ts';
import type { NewSandboxSettings } from '../../sandbox/new-sandbox.ts';
import { NameTakenError, SandboxQuotaError } from '../../sandbox/quota.ts';
import { loginsOf } from '../../sandbox/ready-login.ts';
import {
  dropSnapshot,
  getSnapshot,
  listSnapshots,
  reset,
  restoreSnapshot,
  takeSnapshot,
} from '../../sandbox/snapshots.ts';
import { exportState, importState } from '../../sandbox/state-document.ts';
import type { State } from '../../state/state.ts';
import type { SandboxListing } from '../../state/store.ts';
import { randomName, randomSecret } from '../../system/random.ts';
import type { Dependencies } from '../dependencies.ts';
import { type ControlCall, type ControlHandlersFor, change, read, replaceState } from './call.ts';
import { scenarioNamed } from './overrides.ts';

type Ids =
  | `sandboxes.${'list' | 'create' | 'get' | 'delete' | 'reset'}`
  | `snapshots.${'list' | 'create' | 'get' | 'delete' | 'restore'}`
  | `state.${'get' | 'put'}`;

export const sandboxHandlers: ControlHandlersFor<Ids> = {
  'sandboxes.list': async (call) => {
    const all = await call.deps.sandboxes.list();
    const sorted = all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    return { status: 200, body: { sandboxes: sorted.map((sandbox) => presentSandbox(call, sandbox)) } };
  },
  'sandboxes.create': (call, { body }) => createSandbox(call, body),
  'sandboxes.get': async (call) => ({ status: 200, body: presentSandbox(call, call.sandbox) }),
  'sandboxes.delete': async ({ deps, sandbox }) => {
    if (builtInSandboxes.includes(sandbox.name))
      throw cannot('sandbox', `The sandbox ${sandbox.name} exists from the start and cannot be deleted; reset it`);
    await deps.sandboxes.remove(sandbox);
    return { status: 204, body: undefined };
  },
  'sandboxes.reset': (call) =>
    replaceState(call, (state) => {
      reset(state, call.machineTime);
      return { status: 200, body: presentSandbox(call, call.sandbox) };
    }),
  'snapshots.list': (call) => read(call, (state) => ({ status: 200, body: { snapshots: listSnapshots(state) } })),
  'snapshots.create': (call, { body }) =>
    change(call, (state, { now }) => ({ status: 201, body: takeSnapshot(state, body.name, now) })),
  'snapshots.get': (call, { params }) =>
    read(call, (state) => ({ status: 200, body: getSnapshot(state, params.name) })),
  'snapshots.delete': (call, { params }) =>
    change(call, (state) => {
      dropSnapshot(state, params.name);
      return { status: 204, body: undefined };
    }),
  'snapshots.restore': (call, { params }) =>
    replaceState(call, (state) => {
      restoreSnapshot(state, params.name);
      return { status: 200, body: getSnapshot(state, params.name) };
    }),
  'state.get': (call) => read(call, (state, now) => ({ status: 200, body: exportState(state, now) })),
  'state.put': (call, { body }) =>
    replaceState(call, (state) => {
      importState(state, body);
      return { status: 200, body: presentSandbox(call, call.sandbox) };
    }),
};

function presentSandbox({ origin }: ControlCall, { identity, usedAt }: Pick<SandboxListing, 'identity' | 'usedAt'>) {
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

type Created = ControlReplyOf<'sandboxes.create'>;

/** @throws ControlRefusal if the name is taken, or no sandbox can be added */
async function createSandbox(call: ControlCall, body: DeepReadonly<NewSandbox>): Promise<Created> {
  const { deps, idempotency } = call;
  const { name = defaultName(call), environment = stage, own_key } = body;
  const key = own_key === true ? randomSecret() : own_key;
  const created = (state: State): Created => ({ status: 201, body: presentCreated(call, state, key) });
  const answered = idempotency && ((state: State) => answeredAs(idempotency, created(state), 0));
  try {
    const settings = { ...settingsOf(deps, body, key), answered };
    const { state } = await deps.sandboxes.create({ name, environment, madeByLogin: false }, settings);
    return created(state);
  } catch (error) {
    if (error instanceof NameTakenError) return createdBefore(call, name, error);
    throw error instanceof SandboxQuotaError ? cannot('sandbox', error.message) : error;
  }
}

/** A random name. With an Idempotency-Key it follows from the key, so that the call creates the same sandbox when it is sent again. */
const defaultName = ({ deps: { hashes }, idempotency }: ControlCall): string =>
  idempotency ? `sandbox-${hex(hashes.sha256(`name\n${idempotency.key}`)).slice(0, 8)}` : randomName();

/** @throws ControlRefusal for the admin key as own key, or an unknown scenario */
function settingsOf(deps: Dependencies, body: DeepReadonly<NewSandbox>, key: string | undefined): NewSandboxSettings {
  const { name: _, environment: __, own_key: ___, ttl_seconds, scenario, ...settings } = body;
  const ownKeyHash = key === undefined ? undefined : hex(deps.hashes.sha256(key));
  if (ownKeyHash === deps.adminKeyHash)
    throw cannot('own_key', 'The key of a sandbox cannot be the admin key; give another');
  return {
    ...settings,
    scenario: scenario === undefined ? undefined : scenarioNamed(deps, scenario),
    ownKeyHash,
    freshPasswords: !deps.loginSandboxes,
    ttlSeconds: ttl_seconds,
  };
}

/** The first reply, if this call created the sandbox when it was sent before. @throws ControlRefusal 409 if another call did */
async function createdBefore({ deps, idempotency }: ControlCall, name: string, taken: NameTakenError) {
  const refusal = new ControlRefusal(409, taken.message);
  if (!idempotency) throw refusal;
  const existing = await deps.sandboxes.get(name);
  const earlier = await existing?.read((state) => earlierReply(state, idempotency));
  if (earlier) return earlier as Created;
  throw refusal;
}

/** A new sandbox with its logins and its key, which is not shown again. */
function presentCreated(call: ControlCall, state: State, key: string | undefined) {
  const logins = Array.from(loginsOf(state), ({ user: { username, password } }) => ({ username, password }));
  return {
    ...presentSandbox(call, { identity: state.initial.identity, usedAt: call.machineTime }),
    logins,
    key: key ?? null,
  };
}

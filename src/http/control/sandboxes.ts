// Handlers of the sandboxes themselves, their snapshots and their state documents.
import { builtInSandboxes, stage } from '../../contract/addresses.ts';
import { ControlRefusal, cannot } from '../../contract/control/control-operation.ts';
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import type { NewSandbox } from '../../contract/control/sandboxes.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { hex } from '../../domain/hashes.ts';
import { addDemoBrand } from '../../sandbox/demo-brand.ts';
import { earlierReply, storedReply } from '../../sandbox/idempotency.ts';
import type { NewSandboxSettings } from '../../sandbox/new-sandbox.ts';
import { NameTakenError, SandboxQuotaError } from '../../sandbox/sandboxes.ts';
import {
  deleteSnapshot,
  getSnapshot,
  listSnapshots,
  reset,
  restoreSnapshot,
  takeSnapshot,
} from '../../sandbox/snapshots.ts';
import { exportState, importState } from '../../sandbox/state-document.ts';
import type { State } from '../../state/state.ts';
import { randomName, randomSecret } from '../../system/random.ts';
import type { Dependencies } from '../dependencies.ts';
import { type ControlCall, type ControlHandlers, created, noContent, ok } from './call.ts';
import { claimSandbox, inviteLink, inviteOf } from './invites.ts';
import { scenarioNamed } from './overrides.ts';
import { presentListed, presentLogins, presentSandbox } from './present-sandbox.ts';

export const sandboxHandlers = {
  'sandboxes.list': async (call) => {
    const all = await call.deps.sandboxes.list();
    const sorted = all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    return ok({ sandboxes: await Promise.all(sorted.map((sandbox) => presentListed(call, sandbox))) });
  },
  'sandboxes.create': (call, { body }) => createSandbox(call, body),
  'sandboxes.claim': (call, { body }) => claimSandbox(call, body),
  'sandboxes.get': async (call) => ok(presentSandbox(call, call.sandbox)),
  'sandboxes.delete': async ({ deps, sandbox }) => {
    if (builtInSandboxes.includes(sandbox.name))
      throw cannot('sandbox', `The sandbox ${sandbox.name} is built in and cannot be deleted; reset it instead`);
    await deps.sandboxes.remove(sandbox);
    return noContent;
  },
  'sandboxes.reset': (call) =>
    call.replaceState((state) => {
      reset(state, call.machineTime);
      return ok(presentSandbox(call, call.sandbox));
    }),
  'sandboxes.seed': (call, { body }) =>
    call.change((state, writing) =>
      created(addDemoBrand(state, body, hasFreshPasswords(call.deps, state.initial.identity.invite), writing)),
    ),
  'snapshots.list': (call) => call.read((state) => ok({ snapshots: listSnapshots(state) })),
  'snapshots.create': (call, { body }) => call.change((state, { now }) => created(takeSnapshot(state, body.name, now))),
  'snapshots.get': (call, { params }) => call.read((state) => ok(getSnapshot(state, params.name))),
  'snapshots.delete': (call, { params }) => call.remove((state) => deleteSnapshot(state, params.name)),
  'snapshots.restore': (call, { params }) =>
    call.replaceState((state) => {
      restoreSnapshot(state, params.name);
      return ok(getSnapshot(state, params.name));
    }),
  'state.get': (call) => call.read((state, now) => ok(exportState(state, now))),
  'state.put': (call, { body }) =>
    call.replaceState((state) => {
      importState(state, body, call.deps.scenarios);
      return ok(presentSandbox(call, call.sandbox));
    }),
} satisfies Partial<ControlHandlers>;

type Created = ControlReplyOf<'sandboxes.create'>;

/** @throws ControlRefusal if the name is taken, or no sandbox can be added */
async function createSandbox(call: ControlCall, body: DeepReadonly<NewSandbox>): Promise<Created> {
  const { deps, idempotency } = call;
  const { name = defaultName(call), environment = stage, own_key } = body;
  const key = own_key === true ? randomSecret() : own_key;
  const token = body.invite && randomSecret();
  const replyFrom = (state: State): Created => created(presentCreated(call, state, { key, token }));
  const reply = idempotency && ((state: State) => storedReply(idempotency, replyFrom(state), 0));
  try {
    const invite = token === undefined ? undefined : inviteOf(call, body, token);
    const settings = { ...settingsOf(deps, body, key), ...invite, storedReply: reply };
    const { state } = await deps.sandboxes.create({ name, environment, madeByLogin: false }, settings);
    return replyFrom(state);
  } catch (error) {
    if (error instanceof NameTakenError) return createdBefore(call, name, error);
    throw error instanceof SandboxQuotaError ? cannot('sandbox', error.message) : error;
  }
}

/** A random name; with an Idempotency-Key derived from it, so that a repeated call creates the same sandbox. */
const defaultName = ({ deps: { hashes }, idempotency }: ControlCall): string =>
  idempotency ? `sandbox-${hex(hashes.sha256(`name\n${idempotency.key}`)).slice(0, 8)}` : randomName();

/** @throws ControlRefusal for the admin key as own key, or an unknown scenario */
function settingsOf(deps: Dependencies, body: DeepReadonly<NewSandbox>, key: string | undefined): NewSandboxSettings {
  const { name: _, environment: __, own_key: ___, invite, ttl_seconds, scenario, ...settings } = body;
  const ownKeyHash = key === undefined ? undefined : hex(deps.hashes.sha256(key));
  if (ownKeyHash === deps.adminKeyHash)
    throw cannot('own_key', 'The key of a sandbox cannot be the admin key; choose another key');
  return {
    ...settings,
    scenario: scenario === undefined ? undefined : scenarioNamed(deps, scenario),
    ownKeyHash,
    freshPasswords: hasFreshPasswords(deps, invite),
    ttlSeconds: ttl_seconds,
  };
}

/**
 * The first reply, if this call created the sandbox when it was sent before.
 * @throws ControlRefusal 409 if another call did
 */
async function createdBefore({ deps, idempotency }: ControlCall, name: string, taken: NameTakenError) {
  const refusal = new ControlRefusal(409, taken.message);
  if (!idempotency) throw refusal;
  const existing = await deps.sandboxes.get(name);
  const earlier = await existing?.read((state) => earlierReply(state, idempotency));
  if (earlier) return earlier as Created;
  throw refusal;
}

/** Without login sandboxes, and for guests, the passwords of the fixtures are not secret enough. */
const hasFreshPasswords = ({ loginSandboxes }: Dependencies, invite: object | undefined): boolean =>
  !loginSandboxes || invite !== undefined;

interface Secrets {
  readonly key: string | undefined;
  /** Of the invite. */
  readonly token: string | undefined;
}

/** A new sandbox with its logins and its key, or with its invite. Neither is shown again. */
function presentCreated(call: ControlCall, state: State, { key, token }: Secrets) {
  const { invite, ...sandbox } = presentSandbox(call, {
    identity: state.initial.identity,
    usedAt: call.machineTime,
    state,
  });
  if (!invite || token === undefined) return { ...sandbox, logins: presentLogins(state), key: key ?? null };
  return { ...sandbox, logins: [], key: null, invite: { ...invite, url: inviteLink(call, sandbox.name, token) } };
}

// Handlers of the sandboxes themselves: made, listed, read, deleted; reset and snapshots.
import { bornSandboxes } from '../../contract/addresses.ts';
import { cannot } from '../../contract/admin/refusals.ts';
import {
  dropSnapshot,
  getSnapshot,
  listSnapshots,
  reset,
  restoreSnapshot,
  takeSnapshot,
} from '../../control/snapshots.ts';
import { andThen, type Listed } from '../../state/store.ts';
import { beginAnew, bend, type ControlHandlersFor, look } from './control-call.ts';
import { makeSandbox } from './make-sandbox.ts';
import { showSandbox } from './shown-sandbox.ts';

type Ids =
  | 'sandboxes.list'
  | 'sandboxes.create'
  | 'sandboxes.get'
  | 'sandboxes.delete'
  | 'sandboxes.reset'
  | `snapshots.${'list' | 'create' | 'get' | 'delete' | 'restore'}`;

const byName = (one: Listed, other: Listed): number => (one.name < other.name ? -1 : 1);

export const sandboxHandlers: ControlHandlersFor<Ids> = {
  'sandboxes.list': async (call) => {
    const all = await call.edge.sandboxes.list();
    return { status: 200, body: { sandboxes: all.toSorted(byName).map((sandbox) => showSandbox(call, sandbox)) } };
  },
  'sandboxes.create': (call, { body }) => makeSandbox(call, body),
  'sandboxes.get': (call) => ({ status: 200, body: showSandbox(call, call.sandbox) }),
  'sandboxes.delete': ({ edge, sandbox }) => {
    if (bornSandboxes.includes(sandbox.name))
      throw cannot('sandbox', `The sandbox ${sandbox.name} exists from the start and cannot be deleted; reset it`);
    return andThen(edge.sandboxes.remove(sandbox), () => ({ status: 204 as const, body: undefined }));
  },
  'sandboxes.reset': (call) =>
    beginAnew(call, (draft) => {
      reset(draft, call.machineTime);
      return { status: 200, body: showSandbox(call, call.sandbox) };
    }),
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
    beginAnew(call, (draft) => {
      restoreSnapshot(draft, params.name);
      return { status: 200, body: getSnapshot(draft, params.name) };
    }),
};

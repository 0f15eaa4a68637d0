// Handlers of the whole state: exported, imported.
import { exportState, importState } from '../../control/state-document.ts';
import { andThen } from '../../state/store.ts';
import { type ControlHandlersFor, look } from './control-call.ts';
import { showSandbox } from './sandboxes.ts';

export const stateHandlers: ControlHandlersFor<'state.get' | 'state.put'> = {
  'state.get': (call) => look(call, (draft, now) => ({ status: 200, body: exportState(draft, now) })),
  'state.put': (call, { body }) =>
    andThen(
      call.sandbox.write((draft) => importState(draft, body)),
      () => ({
        status: 200 as const,
        body: showSandbox(call, call.sandbox),
      }),
    ),
};

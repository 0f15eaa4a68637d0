// Handlers of the whole state: exported, imported.
import { exportState, importState } from '../../control/state-document.ts';
import { beginAnew, type ControlHandlersFor, look } from './control-call.ts';
import { showSandbox } from './shown-sandbox.ts';

export const stateHandlers: ControlHandlersFor<'state.get' | 'state.put'> = {
  'state.get': (call) => look(call, (draft, now) => ({ status: 200, body: exportState(draft, now) })),
  'state.put': (call, { body }) =>
    beginAnew(call, (draft) => {
      importState(draft, body);
      return { status: 200, body: showSandbox(call, call.sandbox) };
    }),
};

// One handler per operation of the control API. A missing one does not compile.
import type { ControlId } from '../../contract/admin.ts';
import type { ControlHandlersFor } from './control-call.ts';
import { dataHandlers } from './data.ts';
import { eventHandlers } from './events.ts';
import { leverHandlers } from './levers.ts';
import { operatorHandlers } from './operator.ts';
import { reportHandlers } from './report.ts';
import { requestHandlers } from './requests.ts';
import { sandboxHandlers } from './sandboxes.ts';
import { stateHandlers } from './state.ts';

export const controlHandlers: ControlHandlersFor<ControlId> = {
  ...sandboxHandlers,
  ...leverHandlers,
  ...requestHandlers,
  ...reportHandlers,
  ...eventHandlers,
  ...stateHandlers,
  ...dataHandlers,
  ...operatorHandlers,
};

// One handler per operation of the control API. A missing one does not compile.
import type { ControlId } from '../../contract/admin.ts';
import type { Awaitable } from '../../state/store.ts';
import type { ControlCall, ControlHandlersFor } from './control-call.ts';
import { dataHandlers } from './data.ts';
import { eventHandlers } from './events.ts';
import { leverHandlers } from './levers.ts';
import { operatorHandlers } from './operator.ts';
import { reportHandlers } from './report.ts';
import { requestHandlers } from './requests.ts';
import { sandboxHandlers } from './sandboxes.ts';
import { stateHandlers } from './state.ts';

type AnyHandler = (call: ControlCall, input: unknown) => Awaitable<{ status: number; body: unknown } | Response>;

/** Has an operation done; `input` is what its schemas made of the request. */
export const handled = (id: ControlId, call: ControlCall, input: unknown): ReturnType<AnyHandler> =>
  (controlHandlers[id] as unknown as AnyHandler)(call, input);

const controlHandlers: ControlHandlersFor<ControlId> = {
  ...sandboxHandlers,
  ...leverHandlers,
  ...requestHandlers,
  ...reportHandlers,
  ...eventHandlers,
  ...stateHandlers,
  ...dataHandlers,
  ...operatorHandlers,
};

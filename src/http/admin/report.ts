// The conduct report of a sandbox.
import type { ControlHandlersFor } from './control-call.ts';

export const reportHandlers: ControlHandlersFor<'report.get'> = {
  'report.get': ({ sandbox }) => ({ status: 200, body: sandbox.conduct.report() }),
};

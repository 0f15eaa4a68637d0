// The conduct report of a sandbox.
import { andThen } from '../../state/store.ts';
import type { ControlHandlersFor } from './control-call.ts';

export const reportHandlers: ControlHandlersFor<'report.get'> = {
  'report.get': ({ sandbox }) =>
    andThen(sandbox.journal.catchUp(), () => ({ status: 200, body: sandbox.conduct.report() })),
};

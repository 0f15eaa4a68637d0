// Handlers of what recordings of the service show.
import { cannot } from '../../contract/control/control-operation.ts';
import { Learner } from '../../fidelity/learner.ts';
import { callOfHarEntry, type RecordedCall } from '../../fidelity/recorded-call.ts';
import { pause } from '../../system/time.ts';
import { type ControlCall, type ControlHandlers, ok } from './call.ts';

const learnerFor = ({ sandbox }: ControlCall): Learner => new Learner(sandbox.journal.redactor);

/** The calls of a recording, oldest first. @throws ControlRefusal 422 without a call of the service */
function callsOf(entries: readonly unknown[]): RecordedCall[] {
  const calls = entries.map(callOfHarEntry).filter((call) => call !== undefined);
  if (calls.some(({ path }) => path.startsWith('/v2/'))) return calls.sort((one, other) => one.at - other.at);
  throw cannot(
    'log.entries',
    'The recording has no answered call of the service: no URL has a path such as /v2/orders. Record while your ' +
      'client calls the service, and save all requests',
  );
}

/** Calls that are judged before other requests get their turn. */
const callsAtOnce = 100;

export const observationHandlers = {
  'observations.get': (call) => call.read((state) => ok(state.value('observations') ?? learnerFor(call).report())),
  'observations.learn': async (call, { query, body }) => {
    const learner = learnerFor(call);
    for (const [index, recorded] of callsOf(body.log.entries).entries()) {
      if (index % callsAtOnce === 0) await pause(0);
      learner.add(recorded, query.source);
    }
    const report = learner.report();
    return call.change((state) => {
      state.setValue('observations', report);
      return ok(report);
    });
  },
  'observations.clear': (call) => call.remove((state) => state.setValue('observations', undefined)),
} satisfies Partial<ControlHandlers>;

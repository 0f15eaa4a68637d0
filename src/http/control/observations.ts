// Handlers of what recordings of the service show.
import { type ControlRefusal, cannot } from '../../contract/control/control-operation.ts';
import type { LearnedReport } from '../../contract/observations.ts';
import { Learner } from '../../fidelity/learner.ts';
import { callOfHarEntry, type RecordedCall } from '../../fidelity/recorded-call.ts';
import { pause, stopwatch } from '../../system/time.ts';
import { type ControlCall, type ControlHandlers, ok } from './call.ts';

const learnerFor = ({ sandbox }: ControlCall): Learner => new Learner(sandbox.journal.redactor);

/** The answered calls of a recording, oldest first. */
const callsOf = (entries: readonly unknown[]): RecordedCall[] =>
  entries.flatMap((entry) => callOfHarEntry(entry) ?? []).sort((one, other) => one.at - other.at);

function noCalls({ skipped }: LearnedReport): ControlRefusal {
  const leftOut = Object.entries(skipped).map(([reason, count]) => `; ${count} left out: ${reason}`);
  return cannot(
    'log.entries',
    `The recording has no answered call of the service, such as GET …/v2/orders${leftOut.join('')}. Record while your ` +
      'client calls the service, and save all requests',
  );
}

/** A recording is judged this long before other requests get their turn. */
const turnMilliseconds = 20;

export const observationHandlers = {
  'observations.get': (call) => call.read((state) => ok(state.value('observations') ?? learnerFor(call).report())),
  'observations.learn': async (call, { query, body }) => {
    const learner = learnerFor(call);
    let turn = stopwatch();
    for (const recorded of callsOf(body.log.entries)) {
      if (stopwatch() - turn > turnMilliseconds) {
        await pause(0);
        turn = stopwatch();
      }
      learner.add(recorded, query.source);
    }
    const report = learner.report();
    if (report.calls === 0) throw noCalls(report);
    return call.change((state) => {
      state.setValue('observations', report);
      return ok(report);
    });
  },
  'observations.clear': (call) => call.remove((state) => state.setValue('observations', undefined)),
} satisfies Partial<ControlHandlers>;

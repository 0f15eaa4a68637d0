// The faults of a sandbox, and buttons that add usual ones.
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import type { Fault } from '../../contract/control/switches.ts';
import { isSpent } from '../../sandbox/overrides.ts';
import { Action } from '../parts/action.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { OverrideBadge, OverrideState } from '../parts/override.tsx';

type FaultPreset = Pick<Fault, 'rule' | 'status' | 'times'>;

/** Buttons that add a fault. */
const faultPresets: readonly (readonly [label: string, done: string, fault: FaultPreset])[] = [
  ['Next call: 503', 'The next call gets 503', { status: 503, times: 1 }],
  ['Next call: 504', 'The next call gets 504', { status: 504, times: 1 }],
  ['Next order: no PAG', 'The next order is refused by ORD-21', { rule: 'ORD-21', times: 1 }],
];

const fieldsOf = (fault: FaultPreset): Record<string, string> =>
  Object.fromEntries(Object.entries(fault).map(([name, value]) => [`${name}:json`, JSON.stringify(value)]));

type FaultList = ControlReplyOf<'faults.list'>['body']['faults'];

/** The section with the faults. `now` is the sandbox's time, in ISO 8601. */
export const Faults = ({ faults, now }: { readonly faults: FaultList; readonly now: string }) => (
  <section aria-labelledby="faults">
    <h2 id="faults">Faults</h2>
    <div class="row">
      {faultPresets.map(([label, done, fault]) => (
        <Action operation="faults.create" done={done} label={label} quiet fields={fieldsOf(fault)} />
      ))}
    </div>
    {faults.length === 0 ? (
      <Empty title="No faults are on.">
        A fault gives matching calls a status, a refusal, a delay or a broken connection. Add your own with{' '}
        <code>POST …/faults</code> of the control API, in a test, or with a scenario.
      </Empty>
    ) : (
      <div class="cards">
        {faults.map((fault) => (
          <Card
            id={`fault-${fault.id}`}
            title={<span class="id">{fault.id}</span>}
            aside={
              <>
                {isSpent(fault, Date.parse(now)) && <OverrideBadge override={fault} now={now} />}
                <Action
                  operation="faults.delete"
                  params={{ id: fault.id }}
                  done={`Fault ${fault.id} removed`}
                  label="Remove"
                  about={`the fault ${fault.id}`}
                  quiet
                />
              </>
            }
          >
            <OverrideState override={fault} now={now} />
          </Card>
        ))}
      </div>
    )}
  </section>
);

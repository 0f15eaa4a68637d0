// The faults that are on, each with what it does and a button that takes it out.
import type { ControlReplyOf } from '../../contract/admin.ts';
import { isSpent } from '../../control/switches.ts';
import { Action } from '../parts/action.tsx';
import { Empty } from '../parts/empty.tsx';
import { LeverBadge } from './lever-badge.tsx';
import { LeverState, Settings } from './lever-state.tsx';

interface Props {
  readonly faults: ControlReplyOf<'faults.list'>['body']['faults'];
  readonly sandbox: string;
  readonly now: string;
}

export const Faults = ({ faults, sandbox, now }: Props) => (
  <section aria-labelledby="faults">
    <h2 id="faults">Faults</h2>
    {faults.length === 0 ? (
      <Empty title="No faults are on.">
        <p>
          A fault is a rule of one's own: a status, a delay or a broken connection for the calls it matches. Tests and{' '}
          <code>POST …/faults</code> of the control API add them, scenarios do, too.
        </p>
      </Empty>
    ) : (
      <ul class="faults">
        {faults.map((fault) => (
          <li id={`fault-${fault.id}`} class="card">
            <div class="card-head">
              <h3 class="id">{fault.id}</h3>
              {isSpent(fault, Date.parse(now)) && <LeverBadge shown={fault} now={now} />}
              <Action
                sandbox={sandbox}
                of="faults.delete"
                names={{ id: fault.id }}
                done={`Fault ${fault.id} taken out`}
                label="Take out"
                about={fault.id}
                quiet
              />
            </div>
            <LeverState shown={fault} now={now} />
            <Settings shown={fault} />
          </li>
        ))}
      </ul>
    )}
  </section>
);

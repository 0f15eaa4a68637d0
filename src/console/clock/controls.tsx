// What turns the clock: frozen or running, how fast, on by so much, to an instant, back to real time.
import type { Child } from 'hono/jsx';
import type { ControlReplyOf } from '../../contract/admin.ts';
import { Action, Given } from '../parts/action.tsx';

export type ClockShown = ControlReplyOf<'clock.get'>['body'];

interface Props {
  readonly clock: ClockShown;
  readonly sandbox: string;
}

/** Durations by one button each. */
const steps = [
  ['+15 min', 'PT15M'],
  ['+24 h', 'PT24H'],
  ['+7 d', 'P7D'],
] as const;

export const Steps = ({ sandbox }: Pick<Props, 'sandbox'>) => (
  <div class="actions">
    {steps.map(([label, by]) => (
      <Action sandbox={sandbox} of="clock.advance" done={`The clock was moved on: ${label}`} label={label}>
        <Given name="by" value={by} />
      </Action>
    ))}
    <Field sandbox={sandbox} of="clock.advance" done="The clock was moved on" label="Move on">
      <label for="clock-by">
        <span class="unseen">Move on by an ISO 8601 duration</span>
        <input id="clock-by" name="by" class="id" placeholder="PT90M" size={9} required />
      </label>
    </Field>
  </div>
);

export const Freeze = ({ clock: { frozen }, sandbox }: Props) => (
  <Action
    sandbox={sandbox}
    of="clock.set"
    done={frozen ? 'The clock runs' : 'The clock is frozen'}
    label={frozen ? 'Run' : 'Freeze'}
    about="the clock"
  >
    <Given name={frozen ? 'frozen:no' : 'frozen:yes'} />
  </Action>
);

export const RealTime = ({ sandbox }: Pick<Props, 'sandbox'>) => (
  <Action sandbox={sandbox} of="clock.set" done="The clock shows real time" label="Back to real time" quiet>
    <Given name="now:null" />
  </Action>
);

export const SetTo = ({ sandbox }: Pick<Props, 'sandbox'>) => (
  <Field sandbox={sandbox} of="clock.set" done="The clock was set" label="Set time">
    <label for="clock-now">
      Set to an instant
      <input id="clock-now" name="now" class="id" placeholder="2026-01-31T09:00:00Z" size={24} required />
    </label>
  </Field>
);

export const Rate = ({ clock: { rate }, sandbox }: Props) => (
  <Field sandbox={sandbox} of="clock.set" done="The clock has another rate" label="Set rate">
    <label for="clock-rate">
      Rate, in sandbox seconds per second
      <input
        type="number"
        id="clock-rate"
        name="rate:number"
        value={rate}
        min="0"
        step="any"
        inputmode="decimal"
        required
      />
    </label>
  </Field>
);

interface FieldProps {
  readonly sandbox: string;
  readonly of: 'clock.set' | 'clock.advance';
  readonly done: string;
  readonly label: string;
  readonly children: Child;
}

const Field = ({ children, ...action }: FieldProps) => (
  <Action {...action} quiet>
    {children}
  </Action>
);

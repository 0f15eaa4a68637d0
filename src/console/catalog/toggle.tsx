// The button that turns one field of a record the other way.
import type { ControlId } from '../../contract/admin.ts';
import { Action, Given } from '../parts/action.tsx';

interface Props {
  readonly sandbox: string;
  readonly of: ControlId;
  readonly id: string;
  readonly name: string;
  /** As a form names it, and what it will be. */
  readonly field: string;
  readonly value: string;
  readonly label: 'Activate' | 'Deactivate' | 'Discontinue' | 'Bring back';
}

const done = {
  Activate: 'is active',
  Deactivate: 'is inactive',
  Discontinue: 'is discontinued',
  'Bring back': 'is made again',
} as const;

export const Toggle = ({ sandbox, of, id, name, field, value, label }: Props) => (
  <Action sandbox={sandbox} of={of} names={{ id }} label={label} about={name} done={`${name} ${done[label]}`} quiet>
    <Given name={field} value={value} />
  </Action>
);

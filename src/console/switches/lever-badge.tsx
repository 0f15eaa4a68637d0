// Whether a switch or a fault is on, at a glance: one that is used up meets no call any more.
import { isSpent } from '../../control/switches.ts';
import { Badge } from '../parts/badge.tsx';
import type { Shown } from './lever-state.tsx';

interface Props {
  /** null where it is off. */
  readonly shown: Shown | null;
  /** The sandbox's time, ISO 8601. */
  readonly now: string;
}

const states = { off: ['○', 'muted'], 'used up': ['◌', 'badge spent'], on: ['●', 'badge bends'] } as const;

export function LeverBadge({ shown, now }: Props) {
  const words = shown === null ? 'off' : isSpent(shown, Date.parse(now)) ? 'used up' : 'on';
  const [sign, kind] = states[words];
  return (
    <Badge sign={sign} class={kind}>
      {words}
    </Badge>
  );
}

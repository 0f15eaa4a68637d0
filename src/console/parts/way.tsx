// What became of an order or a package, moment by moment, and what comes next.
import type { Child } from 'hono/jsx';
import type { TimelineStep } from '../../contract/order-progress.ts';
import { Instant } from './instant.tsx';

/** One point of the way. */
export interface Moment {
  /** ISO 8601. */
  readonly at: string;
  readonly words: Child;
}

/** A step as what will have happened by it. */
export const stepWords: Readonly<Record<TimelineStep, string>> = {
  accepted: 'accepted',
  in_production: 'in production',
  shipped: 'shipped',
  picked_up: 'picked up',
  delivered: 'delivered',
};

const byTime = (one: Moment, other: Moment): number => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0);

interface Props {
  /** In any order; of one instant as they stand. */
  readonly moments: readonly Moment[];
  readonly next: readonly Moment[];
  /** Whether the sandbox's clock takes the next. */
  readonly isAutomatic: boolean;
}

export const Way = ({ moments, next, isAutomatic }: Props) => (
  <>
    <ol class="way">
      {moments.toSorted(byTime).map(({ at, words }) => (
        <li>
          <Instant at={at} /> <span>{words}</span>
        </li>
      ))}
      {next.toSorted(byTime).map(({ at, words }) => (
        <li class="next">
          {isAutomatic && (
            <span class="muted">
              due <Instant at={at} />
            </span>
          )}{' '}
          <span>Next: {words}</span>
        </li>
      ))}
    </ol>
    {next.length > 0 && !isAutomatic && (
      <p class="muted">
        The timeline stands still (<code>fulfillment_timeline=manual</code>): an action of the operator takes the next
        step. Turned to <code>automatic</code>, a step is taken once it is due.
      </p>
    )}
    {next.length > 0 && isAutomatic && (
      <p class="muted">
        Taken by the sandbox’s clock (<code>fulfillment_timeline=automatic</code>) once it is due.
      </p>
    )}
  </>
);

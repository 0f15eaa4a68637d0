// What became of an order or a package, moment by moment, and what comes next.
import type { Child } from 'hono/jsx';
import type { TimelineStep } from '../../contract/order-progress.ts';
import type { Draft } from '../../state/draft.ts';
import { Instant } from '../parts/instant.tsx';

/** One point of the way. */
export interface Moment {
  /** ISO 8601. */
  readonly at: string;
  readonly words: Child;
}

/** A step of the timeline that is still to be taken. */
export interface NextStep {
  readonly step: TimelineStep;
  readonly dueAt: string;
}

/** The next step of an order or of a package, by the id of its record. */
export function nextStepOf(draft: Draft, id: string): NextStep | undefined {
  const row = draft.table('due_steps').get(id);
  return row && { step: row.step, dueAt: row.due_at };
}

/** Whether steps that are due are taken by themselves. */
export const isAutomatic = (draft: Draft): boolean => draft.value('readings').fulfillment_timeline === 'automatic';

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
  readonly automatic: boolean;
}

export const Way = ({ moments, next, automatic }: Props) => (
  <>
    <ol class="way">
      {moments.toSorted(byTime).map(({ at, words }) => (
        <li>
          <Instant at={at} /> <span>{words}</span>
        </li>
      ))}
      {next.toSorted(byTime).map(({ at, words }) => (
        <li class="next">
          <span class="muted">
            due <Instant at={at} />
          </span>{' '}
          <span>Next: {words}</span>
        </li>
      ))}
    </ol>
    {next.length > 0 && !automatic && (
      <p class="muted">
        The timeline stands still (<code>fulfillment_timeline=manual</code>): an action of the operator takes the next
        step. Turned to <code>automatic</code>, a step is taken once it is due.
      </p>
    )}
    {next.length > 0 && automatic && (
      <p class="muted">
        Taken by the sandbox’s clock (<code>fulfillment_timeline=automatic</code>) once it is due.
      </p>
    )}
  </>
);

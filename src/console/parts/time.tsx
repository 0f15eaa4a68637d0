// The sandbox's time as it goes on: the page moves it from where the server saw it.
import type { Child } from 'hono/jsx';
import type { TimelineStep } from '../../contract/order-progress.ts';

// Instants of the sandbox's clock.

/** From which character of ISO 8601 to which: the day and the time, the time alone, or that to the millisecond. */
const forms = { whole: [0, 19], time: [11, 19], milliseconds: [11, 23] } as const;
type Form = keyof typeof forms;

/** An instant of ISO 8601 as a reader sees it. */
const written = (at: string, form: Form = 'whole'): string => at.slice(...forms[form]).replace('T', ' ');

interface WrittenProps {
  /** ISO 8601. */
  readonly at: string;
  readonly form?: Form;
}

export const Instant = ({ at, form }: WrittenProps) => (
  <time datetime={at} title={at}>
    {written(at, form)}
  </time>
);

interface ClockNowProps {
  readonly clock: { readonly now: string; readonly frozen: boolean; readonly rate: number };
}

/** Seconds of the sandbox per second of the reader; 0 where it stands. */
export const ClockNow = ({ clock: { now, frozen, rate } }: ClockNowProps) => (
  <time class="clock" datetime={now} data-clock={now} data-rate={frozen ? 0 : rate}>
    {written(now)}
  </time>
);

// What became of an order or a package, moment by moment, and what comes next.

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

interface StepWordsProps {
  /** In any order; of one instant as they stand. */
  readonly moments: readonly Moment[];
  readonly next: readonly Moment[];
  /** Whether the sandbox's clock takes the next. */
  readonly isAutomatic: boolean;
}

export const Way = ({ moments, next, isAutomatic }: StepWordsProps) => (
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

// The sandbox's time: instants, the clock as it goes on, and the way of an order or a package.
import type { Child } from 'hono/jsx';
import type { TimelineStep } from '../../contract/records.ts';

/** From which character of ISO 8601 to which: the day and the time, the time alone, or that to the millisecond. */
const forms = { whole: [0, 19], time: [11, 19], milliseconds: [11, 23] } as const;
type Form = keyof typeof forms;

const written = (at: string, form: Form = 'whole'): string => at.slice(...forms[form]).replace('T', ' ');

/** An instant of ISO 8601 as a reader sees it. */
export const Instant = ({ at, form }: { readonly at: string; readonly form?: Form }) => (
  <time datetime={at} title={at}>
    {written(at, form)}
  </time>
);

interface ClockNowProps {
  readonly clock: { readonly now: string; readonly frozen: boolean; readonly rate: number };
}

/** The page moves it on from where the server saw it, by the sandbox's seconds per second; 0 where it stands. */
export const ClockNow = ({ clock: { now, frozen, rate } }: ClockNowProps) => (
  <time class="clock" datetime={now} data-clock={now} data-rate={frozen ? 0 : rate}>
    {written(now)}
  </time>
);

/** One point of the way of an order or a package. */
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

interface WayProps {
  /** In any order; of one instant as they stand. */
  readonly moments: readonly Moment[];
  readonly next: readonly Moment[];
  /** Whether the sandbox's clock takes the next. */
  readonly isAutomatic: boolean;
}

/** What became of an order or a package, moment by moment, and what comes next. */
export const Way = ({ moments, next, isAutomatic }: WayProps) => (
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

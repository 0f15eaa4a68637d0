// The sandbox's time: instants, the running clock, and the history of an order or a package.
import type { Child } from 'hono/jsx';
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import type { DueStep, TimelineStep } from '../../contract/records.ts';
import { MarkedCode } from './status.tsx';

/** The characters of an ISO 8601 instant to show: date and time, time, or time with milliseconds. */
const formats = { whole: [0, 19], time: [11, 19], milliseconds: [11, 23] } as const;

/** @param props.at ISO 8601 */
export const Instant = ({ at, format = 'whole' }: { at: string; format?: keyof typeof formats }) => (
  <time datetime={at} title={at}>
    {at.slice(...formats[format]).replace('T', ' ')}
  </time>
);

type Clock = ControlReplyOf<'clock.get'>['body'];

/** browser/page.js moves it on by `data-rate` sandbox seconds per second. */
export const ClockNow = ({ clock: { now, frozen, rate } }: { readonly clock: Clock }) => (
  <time class="clock" datetime={now} data-clock={now} data-rate={frozen ? 0 : rate}>
    {now.slice(...formats.whole).replace('T', ' ')}
  </time>
);

export interface HistoryEvent {
  /** ISO 8601. */
  readonly at: string;
  readonly text: Child;
}

const stepTexts: Readonly<Record<TimelineStep, string>> = {
  accepted: 'accepted',
  in_production: 'in production',
  shipped: 'shipped',
  picked_up: 'picked up',
  delivered: 'delivered',
};

/** @param present adds to the text of the step, such as the package that takes it */
export const nextEvents = (next: DueStep | undefined, present: (text: string) => Child = String): HistoryEvent[] =>
  next ? [{ at: next.due_at, text: present(stepTexts[next.step]) }] : [];

const byTime = (one: HistoryEvent, other: HistoryEvent): number => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0);

const timelineTexts = {
  automatic: 'Happens when it is due by the sandbox’s clock (`fulfillment_timeline=automatic`).',
  manual:
    'Manual mode (`fulfillment_timeline=manual`): the order moves only when you click. With `automatic`, each step ' +
    'happens when it is due.',
};

interface HistoryProps {
  /** In any order; events of the same instant keep theirs. */
  readonly past: readonly HistoryEvent[];
  readonly next: readonly HistoryEvent[];
  /** Whether the next steps happen when they are due. */
  readonly isAutomatic: boolean;
}

/** What has happened to an order or a package, and what comes next. */
export const History = ({ past, next, isAutomatic }: HistoryProps) => (
  <>
    <ol class="history">
      {past.toSorted(byTime).map(({ at, text }) => (
        <li>
          <Instant at={at} /> <span>{text}</span>
        </li>
      ))}
      {next.toSorted(byTime).map(({ at, text }) => (
        <li class="next">
          {isAutomatic && (
            <span class="muted">
              due <Instant at={at} />
            </span>
          )}{' '}
          <span>Next: {text}</span>
        </li>
      ))}
    </ol>
    {next.length > 0 && (
      <p class="muted">
        <MarkedCode text={timelineTexts[isAutomatic ? 'automatic' : 'manual']} />
      </p>
    )}
  </>
);

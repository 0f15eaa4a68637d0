// The sandbox's time: instants, the running clock, and the history of an order or a package.
import type { Child } from 'hono/jsx';
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import type { DueStep } from '../../contract/records.ts';
import { formatTime, timeElement } from '../../http/markup.ts';
import { labelOf, SmallId } from './labels.tsx';
import { PageLink } from './layout.tsx';

const formats = {
  whole: formatTime,
  time: (at: string): string => at.slice(11, 19),
  milliseconds: (at: string): string => at.slice(11, 23),
} as const;

/** A readable time with the ISO 8601 time on hover. @param props.at ISO 8601 */
export const Instant = ({ at, format = 'whole' }: { at: string; format?: keyof typeof formats }) =>
  timeElement(at, formats[format](at));

/** An instant that browser/page.js writes relative to the sandbox's clock, such as `5 min ago`; for lists. */
export const Ago = ({ at }: { readonly at: string }) => (
  <time datetime={at} title={formatTime(at)} data-ago={at}>
    {formatTime(at)}
  </time>
);

type Clock = ControlReplyOf<'clock.get'>['body'];

/** browser/page.js advances it by `data-rate` sandbox seconds per second. */
export const ClockNow = ({ clock: { now, frozen, rate } }: { readonly clock: Clock }) => (
  <time class="clock" datetime={now} title={now} data-clock={now} data-rate={frozen ? 0 : rate}>
    {formatTime(now)}
  </time>
);

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Rounds up to seconds, and keeps the two largest units. @example formatDuration(90_061_000); // '1 d 1 h' */
export function formatDuration(milliseconds: number): string {
  let seconds = Math.ceil(milliseconds / 1000);
  const counts = units.map(([unit, length]) => {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    return { count, text: `${count} ${unit}` };
  });
  const first = counts.findIndex(({ count }) => count > 0);
  if (first < 0) return '0 s';
  const largest = counts.slice(first, first + 2).filter(({ count }) => count > 0);
  return largest.map(({ text }) => text).join(' ');
}

export interface HistoryEvent {
  /** ISO 8601. */
  readonly at: string;
  readonly text: Child;
}

/** @param present adds to the label of the step, such as a link to the package */
export const nextEvents = (next: DueStep | undefined, present: (text: string) => Child = String): HistoryEvent[] =>
  next ? [{ at: next.due_at, text: present(labelOf(next.step)) }] : [];

const byTime = (one: HistoryEvent, other: HistoryEvent): number => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0);

interface TimelineModeProps {
  readonly isAutomatic: boolean;
  /** What moves by clicks, with its verb. */
  readonly moves?: string;
}

/** Whether orders move with the clock, with a link to the assumption that decides it. */
export const TimelineMode = ({ isAutomatic, moves = 'the order moves' }: TimelineModeProps) => (
  <p class="muted">
    {isAutomatic
      ? 'Automatic mode: each step happens when it is due on the sandbox’s clock. '
      : `Manual mode: ${moves} only when you click. `}
    <PageLink to="assumptions">{labelOf('fulfillment_timeline')}</PageLink> <SmallId id="fulfillment_timeline" />
  </p>
);

interface HistoryProps {
  /** In any order; events of the same instant keep theirs. */
  readonly past: readonly HistoryEvent[];
  readonly next: readonly HistoryEvent[];
  /** Whether the next steps happen when they are due. */
  readonly isAutomatic: boolean;
}

/** The past events and the next steps of an order or a package. */
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
    {next.length > 0 && <TimelineMode isAutomatic={isAutomatic} />}
  </>
);

// A picture of the upcoming events: a lane for each kind of event, on a logarithmic scale that begins now. The list
// below it has the same events as text.
import { counted } from '../parts/layout.tsx';
import { formatDuration } from '../parts/time.tsx';
import type { Upcoming } from './upcoming.ts';

const lanes: Readonly<Record<string, readonly Upcoming['kind'][]>> = {
  'Orders and packages': ['order', 'fulfillment'],
  Tokens: ['access_token', 'refresh_token'],
  'Label URLs': ['label'],
  'Switches and faults': ['switch', 'window', 'fault'],
};

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const marks = [minute, 10 * minute, hour, 6 * hour, day, 7 * day, 30 * day, 365 * day];

/** In pixels. */
const laneHeight = 44;
const axisHeight = 24;
/** Between two marks of the axis, as a share of the width. */
const leastDistance = 0.12;

interface EventTimelineProps {
  /** At least one, soonest first. */
  readonly events: readonly Upcoming[];
  /** The sandbox's time in milliseconds. */
  readonly now: number;
}

/** Horizontal positions are percentages, so that the picture fills any width with text of the same size. */
export const EventTimeline = ({ events, now }: EventTimelineProps) => {
  const longest = (events.at(-1)?.at ?? now) - now;
  /** From 0 (now) to 1 (the last event). The logarithm gives minutes some space next to days. */
  const positionOf = (delay: number): number => Math.log1p(delay / minute) / Math.log1p(longest / minute);
  const xOf = (delay: number): string => `${(1 + 97 * positionOf(delay)).toFixed(2)}%`;
  const shown = Object.entries(lanes)
    .map(([name, kinds]) => ({ name, own: events.filter(({ kind }) => kinds.includes(kind)) }))
    .filter(({ own }) => own.length > 0);
  const height = shown.length * laneHeight;
  const words = `Timeline: ${counted(events.length, 'event')} in the next ${formatDuration(longest)}`;
  return (
    <svg class="timeline" width="100%" height={height + axisHeight} role="img" aria-label={words}>
      <line class="now" x1="1%" x2="1%" y1="0" y2={height} />
      <text x="1%" y={height + 16}>
        now
      </text>
      {axisMarks(longest, positionOf).map((mark) => (
        <>
          <line class="mark" x1={xOf(mark)} x2={xOf(mark)} y1="0" y2={height} />
          <text x={xOf(mark)} y={height + 16} text-anchor="middle">
            {formatDuration(mark)}
          </text>
        </>
      ))}
      {shown.map(({ name, own }, index) => {
        const y = index * laneHeight + 30;
        return (
          <>
            <text class="lane" x="1%" dx="8" y={y - 14}>
              {name}
            </text>
            <line class="lane" x1="1%" x2={xOf((own.at(-1)?.at ?? now) - now)} y1={y} y2={y} />
            {own.map(({ at }) => (
              <circle cx={xOf(at - now)} cy={y} r="5">
                <title>{`${name}: in ${formatDuration(at - now)}`}</title>
              </circle>
            ))}
          </>
        );
      })}
    </svg>
  );
};

/** The marks before the last event that do not overlap "now" or each other. */
function axisMarks(longest: number, positionOf: (delay: number) => number): number[] {
  let last = 0;
  return marks.filter((mark) => {
    const position = positionOf(mark);
    if (mark > longest || position - last < leastDistance) return false;
    last = position;
    return true;
  });
}

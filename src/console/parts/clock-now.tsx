// The sandbox's time as it goes on: the page moves it from where the server saw it.
import { written } from './instant.tsx';

interface Props {
  readonly clock: { readonly now: string; readonly frozen: boolean; readonly rate: number };
}

/** Seconds of the sandbox per second of the reader; 0 where it stands. */
export const ClockNow = ({ clock: { now, frozen, rate } }: Props) => (
  <time class="clock" datetime={now} data-clock={now} data-rate={frozen ? 0 : rate}>
    {written(now)}
  </time>
);

// The sandbox's clock: its time, the controls, and the upcoming events.
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import type { TimelineStep } from '../../contract/records.ts';
import { formatTime } from '../../http/markup.ts';
import { isAutomatic } from '../../sandbox/timeline.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action, Poll } from '../parts/action.tsx';
import { Empty } from '../parts/card.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { OverrideName } from '../parts/labels.tsx';
import { Head, PageLink, Table, truncate } from '../parts/layout.tsx';
import { Badge } from '../parts/status.tsx';
import { ClockNow, formatDuration, Instant, TimelineMode } from '../parts/time.tsx';
import { EventTimeline } from './event-timeline.tsx';
import { type Upcoming, upcoming } from './upcoming.ts';

export async function clockPage({ control, sandbox, read }: ConsoleRequest) {
  const clock = await control('clock.get');
  const next = await read((state, writing) => ({
    all: upcoming(state, writing, sandbox.journal.newestFirst()),
    now: writing.now,
    isAutomatic: isAutomatic(state),
  }));
  return (
    <section>
      <Head
        title="Clock"
        description="The sandbox’s time. Tokens, label URLs, rate limits and automatic steps all follow it."
      >
        <DialogButton id="set-clock" label="Set time or rate" title="Set time or rate">
          <Action operation="clock.set" done="The time is set" label="Set time">
            {/* While the clock runs, the page refreshes: this must not change what the reader types. */}
            <label for="clock-now" hx-morph-skip="true">
              New time in UTC{' '}
              <input
                type="datetime-local"
                id="clock-now"
                name="now:utc"
                value={clock.now.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}
                step="1"
                required
              />
            </label>
          </Action>
          <Action operation="clock.set" done="The rate is set" label="Set rate" quiet>
            <label for="clock-rate">
              Rate (sandbox seconds per second){' '}
              <input
                type="number"
                id="clock-rate"
                name="rate:number"
                value={clock.rate}
                min="0"
                step="any"
                inputmode="decimal"
                required
              />
            </label>
          </Action>
        </DialogButton>
        <Action
          operation="clock.set"
          done="The clock shows real time"
          label="Back to real time"
          quiet
          fields={{ 'now:json': 'null' }}
        />
      </Head>
      <Controls clock={clock} />
      <h2>Upcoming events</h2>
      {next.all.length === 0 ? (
        <Empty title="Nothing is scheduled to expire.">
          No switch or fault has an end, and the recorded requests have no valid token or label URL. Tokens from cleared
          requests are unknown. Log in, and the token's expiry appears here.
        </Empty>
      ) : (
        <>
          <EventTimeline events={next.all} now={next.now} />
          <Table caption="Upcoming events, soonest first" titles={['In', 'Event', 'At', 'Action']}>
            {next.all.map((item) => (
              <UpcomingRow item={item} now={next.now} />
            ))}
          </Table>
        </>
      )}
      <TimelineMode isAutomatic={next.isAutomatic} moves="orders move" />
      {!clock.frozen && <Poll page="clock" />}
    </section>
  );
}

const advances = [
  ['+15 min', 'PT15M'],
  ['+24 h', 'PT24H'],
  ['+7 d', 'P7D'],
] as const;

const Controls = ({ clock }: { readonly clock: ControlReplyOf<'clock.get'>['body'] }) => {
  const { frozen, rate } = clock;
  return (
    <article class={frozen ? 'card on' : 'card'}>
      <p>
        <ClockNow clock={clock} />
      </p>
      <div class="row">
        <Badge
          sign={frozen ? '❚❚' : '▶'}
          tone={frozen ? 'warning' : 'good'}
          text={frozen ? 'frozen' : rate === 1 ? 'running' : `running, ${rate} × real time`}
        />
        <Action
          operation="clock.set"
          done={frozen ? 'The clock runs' : 'The clock is frozen'}
          label={frozen ? 'Run' : 'Freeze'}
          about="the clock"
          quiet
          fields={{ 'frozen:json': String(!frozen) }}
        />
      </div>
      <div class="row">
        {advances.map(([label, duration]) => (
          <Action
            operation="clock.advance"
            done={`The clock advanced: ${label}`}
            label={label}
            quiet
            fields={{ by: duration }}
          />
        ))}
        <Action operation="clock.advance" done="The clock advanced" label="Advance">
          <label for="clock-by">
            <span class="unseen">Duration to advance by</span>
            <input id="clock-by" name="by:duration" placeholder="1 day 3 hours" size={14} required />
          </label>
        </Action>
      </div>
    </article>
  );
};

/** @param props.now the sandbox's time in milliseconds */
const UpcomingRow = ({ item, now }: { readonly item: Upcoming; readonly now: number }) => {
  const at = new Date(item.at).toISOString();
  const duration = formatDuration(item.at - now);
  return (
    <tr>
      <td class="nowrap">in {duration}</td>
      <th scope="row">
        <Description item={item} />
      </th>
      <td class="nowrap">
        <Instant at={at} />
      </td>
      <td>
        <Action
          operation="clock.advance"
          done={`The clock advanced by ${duration}`}
          label="Advance to this time"
          about={`(${formatTime(at)})`}
          quiet
          fields={{ 'seconds:number': String((item.at - now) / 1000) }}
        />
      </td>
    </tr>
  );
};

const stepTexts: Readonly<Record<TimelineStep, string>> = {
  accepted: 'is accepted',
  in_production: 'goes into production',
  shipped: 'is shipped',
  picked_up: 'is picked up',
  delivered: 'is delivered',
};
type Description = readonly [before: string, after: string, page?: 'orders' | 'fulfillments' | 'switches'];

/** The texts before and after the name, and the page that the name links to. */
const descriptions: Readonly<Record<Upcoming['kind'], Description>> = {
  order: ['Order', '', 'orders'],
  fulfillment: ['Package', '', 'fulfillments'],
  label: ['Latest label URL of fulfillment', 'expires', 'fulfillments'],
  access_token: ['Access token of', 'expires'],
  refresh_token: ['Refresh token of', 'expires'],
  switch: ['Switch', 'ends', 'switches'],
  window: ['Window of switch', 'ends', 'switches'],
  fault: ['Fault', 'ends', 'switches'],
};

/** Longer names are cut, because callers choose them. */
const maxName = 80;

function Description({ item: { kind, name, step } }: { readonly item: Upcoming }) {
  const [before, after, page] = descriptions[kind];
  const text = truncate(name ?? 'an unknown caller', maxName);
  const shown = page === 'switches' ? <OverrideName id={text} /> : <span class="id">{text}</span>;
  return (
    <>
      {before}{' '}
      {page ? (
        <PageLink to={page} {...(page !== 'switches' && { item: name })}>
          {shown}
        </PageLink>
      ) : (
        shown
      )}{' '}
      {step ? stepTexts[step] : after}
    </>
  );
}

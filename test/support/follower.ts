// A listener to the events of a sandbox, like an EventSource.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { onTestFinished } from 'vitest';
import { withDeadline } from './command.ts';
import { type BareSachet, origin } from './sachet.ts';

export interface LiveEvent {
  /** undefined for messages about the stream, such as `missed`. */
  readonly id: number | undefined;
  readonly type: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an event as a client does, field by field
  readonly data: any;
}

/** The stream of events, for a new listener or one that reconnects. A number stands for that event of the sandbox. */
export async function eventsOf(sachet: BareSachet, name = 'stage', lastEventId?: number | string): Promise<Response> {
  const sandbox = await sachet.sandboxes.get(name);
  const last = typeof lastEventId === 'number' ? `${sandbox?.feed.id}.${lastEventId}` : lastEventId;
  const headers = {
    authorization: `Bearer ${sachet.adminKey}`,
    ...(last === undefined ? {} : { 'last-event-id': last }),
  };
  return sachet.fetch(`${origin}/_admin/sandboxes/${name}/events`, { headers });
}

export async function follow(sachet: BareSachet, name?: string, lastEventId?: number | string) {
  return followerOf(await eventsOf(sachet, name, lastEventId));
}

export function followerOf(response: Response) {
  if (!response.body || !response.ok) throw new Error(`no stream of events: ${response.status}`);
  const reader = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  /** The next event; undefined at the end of the stream. Fails after thirty seconds. */
  const next = async (): Promise<LiveEvent | undefined> => {
    const { value } = await withDeadline(reader.read(), 30_000, () => 'there is neither an event nor the end');
    return (
      value && {
        id: value.id === undefined ? undefined : Number(value.id.split('.')[1]),
        type: value.event,
        data: JSON.parse(value.data),
      }
    );
  };
  /** The next events; fails if the stream ends before. */
  const take = async (count: number) => {
    const taken: LiveEvent[] = [];
    while (taken.length < count) {
      const event = await next();
      if (!event) throw new Error(`the stream ended after ${taken.length} of ${count} events`);
      taken.push(event);
    }
    return taken;
  };
  /** All events until the stream ends. */
  const rest = async () => {
    const all: LiveEvent[] = [];
    for (let event = await next(); event; event = await next()) all.push(event);
    return all;
  };
  const leave = () => reader.cancel().catch(() => undefined);
  onTestFinished(leave);
  return { next, take, rest, leave };
}

export const idsOf = (events: readonly LiveEvent[]): (number | undefined)[] => events.map(({ id }) => id);

/** The numbers from one to another. */
export const numbers = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

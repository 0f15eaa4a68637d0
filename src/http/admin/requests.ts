// Handlers of the journal: listed, read, exported, verified, waited for.
import { sandboxBase } from '../../contract/addresses.ts';
import { ControlRefusal } from '../../contract/admin/refusals.ts';
import { quoted } from '../../contract/file-faults.ts';
import { parseInstant } from '../../contract/instant.ts';
import { harOf } from '../../control/journal/har.ts';
import type { Journal } from '../../control/journal/journal.ts';
import { presentEntry, presentList, presentVerified } from '../../control/journal/present.ts';
import { type Verified, verify, wait } from '../../control/journal/verify.ts';
import { type Awaitable, andThen } from '../../state/store.ts';
import { bend, type ControlCall, type ControlHandlersFor } from './control-call.ts';

type Ids = `requests.${'list' | 'clear' | 'get' | 'har' | 'verify' | 'wait'}`;

/** The journal with all that was answered until now. */
const caughtUp = <T>({ sandbox: { journal } }: ControlCall, look: (journal: Journal) => T): Awaitable<T> =>
  andThen(journal.catchUp(), () => look(journal));

const cleared = { status: 204, body: undefined } as const;

export const requestHandlers: ControlHandlersFor<Ids> = {
  'requests.list': (call, { query }) =>
    caughtUp(call, (journal) => {
      const { since } = query;
      const isKnown = since === undefined || parseInstant(since) !== undefined || journal.get(since) !== undefined;
      if (!isKnown) throw evicted();
      return { status: 200, body: presentList(journal, query) };
    }),
  'requests.clear': (call) =>
    andThen(call.sandbox.journal.clearAll(), () => (call.once ? bend(call, () => cleared) : cleared)),
  'requests.get': (call, { params }) =>
    caughtUp(call, (journal) => {
      const entry = journal.get(params.id);
      if (!entry) throw new ControlRefusal(404, `The journal has no request ${quoted(params.id)} (any more)`);
      return { status: 200, body: presentEntry(entry) };
    }),
  'requests.har': (call) =>
    caughtUp(call, (journal) => {
      const { sandbox, origin, edge } = call;
      const creator = { name: 'Sachet', version: edge.version };
      return { status: 200, body: harOf(journal.list(), origin + sandboxBase(sandbox.name), creator) };
    }),
  'requests.verify': (call, { body }) => caughtUp(call, (journal) => told(journal, verify(journal, body))),
  'requests.wait': async (call, { body }) => {
    const { sandbox, request } = call;
    const { journal } = sandbox;
    await journal.catchUp();
    const stop = sandbox.follow();
    const waiting = { timeoutMilliseconds: body.timeout_ms, signal: request.signal };
    const found = await sandbox.waits.take(() => wait(journal, body, waiting)).finally(stop);
    return told(journal, found);
  },
};

/** @throws ControlRefusal 409 where what would decide it was evicted. */
function told(journal: Journal, found: Verified | 'evicted') {
  if (found !== 'evicted') return { status: 200, body: presentVerified(found, journal) } as const;
  throw evicted();
}

const evicted = (): ControlRefusal =>
  new ControlRefusal(
    409,
    'The journal no longer has all requests of this window, so it cannot tell; clear it before, or name a later `since`',
  );

// What became of a sample order: the answer, why it is so, and where to look further.
import type { Entry } from '../../control/journal/entry.ts';
import { oneAt, pageAt } from '../addresses.ts';
import { RequestLink } from '../parts/request-link.tsx';
import { Rules } from '../parts/rules.tsx';
import { Status } from '../parts/status.tsx';

/** A call, and what came of it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  /** null where the connection broke. */
  readonly status: number | null;
  /** The answer's, as far as it is an object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** As the journal has it; it forgets, and a reset forgets everything. */
  readonly entry: Entry | undefined;
  /** Why it was answered so, in a sentence. */
  readonly why: string | undefined;
}

interface Props {
  /** What was sent, such as `The order`. */
  readonly of: string;
  readonly sent: Sent;
  /** What the answer has of the order. */
  readonly order?: Readonly<Record<string, unknown>>;
  readonly sandbox: string;
}

export function Outcome({ of, sent, order = {}, sandbox }: Props) {
  const { status, entry } = sent;
  const isTaken = status !== null && status < 400;
  return (
    <div class={isTaken ? 'outcome-of taken' : 'outcome-of'}>
      <p>
        <b>
          {of} {wordsFor(status)}
        </b>{' '}
        <Status status={status} /> {isTaken ? <Made order={order} sandbox={sandbox} /> : <Why sent={sent} />}
      </p>
      <p>
        {entry && <RequestLink entry={entry} sandbox={sandbox} />}{' '}
        <a href={pageAt(sandbox, 'requests')}>Live requests</a>
      </p>
    </div>
  );
}

function wordsFor(status: number | null): string {
  if (status === null) return 'got no answer';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'is refused' : 'is taken';
}

const Made = ({ order: { id, status }, sandbox }: { readonly order: Sent['body']; readonly sandbox: string }) =>
  typeof id === 'string' ? (
    <>
      {typeof status === 'string' && `It is ${status}: `}
      <a href={oneAt(sandbox, 'orders', id)}>
        order <span class="id">{id}</span>
      </a>
    </>
  ) : null;

const Why = ({ sent: { entry, why } }: { readonly sent: Sent }) => (
  <>
    <Rules rules={entry?.answer?.decision.rules ?? []} /> {why && `${why.charAt(0).toUpperCase()}${why.slice(1)}.`}
  </>
);

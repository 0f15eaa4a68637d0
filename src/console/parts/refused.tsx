// What could not be shown or done, in words: what failed, and what to do next.
import type { ControlRefusal } from '../../contract/admin/refusals.ts';
import { pageAt } from '../addresses.ts';

interface Props {
  readonly refusal: ControlRefusal;
  readonly sandbox: string;
}

export function Refused({ refusal: { status, message, details = [] }, sandbox }: Props) {
  const isGone = status === 404;
  // The message is that of the first.
  const more = details.slice(1);
  return (
    <div class="refused" role="alert">
      <p>
        <b>{status === 500 ? 'Something went wrong' : 'That is not possible'}.</b> {message}
      </p>
      {more.length > 0 && (
        <ul>
          {more.map(({ field, message: words }) => (
            <li>
              <code>{field}</code> {words}
            </li>
          ))}
        </ul>
      )}
      {isGone && <a href={pageAt('stage', 'requests')}>To the sandbox stage</a>}
      {status === 500 && <a href={pageAt(sandbox, 'requests')}>Try again</a>}
    </div>
  );
}

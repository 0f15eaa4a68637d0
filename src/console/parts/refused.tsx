// What could not be shown or done, in words: what failed, and what to do next.
import { stage } from '../../contract/addresses.ts';
import type { ControlRefusal } from '../../contract/admin/refusals.ts';
import { pageAt } from '../addresses.ts';

interface Props {
  readonly refusal: ControlRefusal;
  readonly sandbox: string;
  /** Whether it stands in the place of a page. */
  readonly isPage: boolean;
}

const headings: Partial<Record<number, string>> = { 404: 'Not there', 500: 'Something went wrong' };

export function Refused({ refusal: { status, message, details = [] }, sandbox, isPage }: Props) {
  const heading = headings[status] ?? 'That is not possible';
  // The message is that of the first.
  const more = details.slice(1);
  return (
    <div class="refused" role="alert">
      {isPage ? <h1>{heading}</h1> : <b>{heading}.</b>}
      <p>{message}</p>
      {more.length > 0 && (
        <ul>
          {more.map(({ field, message: words }) => (
            <li>
              <code>{field}</code> {words}
            </li>
          ))}
        </ul>
      )}
      {isPage && status === 404 && <a href={pageAt(stage, 'requests')}>To the sandbox {stage}</a>}
      {status === 500 && <a href={pageAt(sandbox, 'requests')}>Try again</a>}
    </div>
  );
}

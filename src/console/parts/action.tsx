// A button, or a form, that has an operation of the control API done.
import type { Child } from 'hono/jsx';
import { stage } from '../../contract/addresses.ts';
import type { ControlRefusal } from '../../contract/admin/control-operation.ts';
import type { ControlId } from '../../contract/admin.ts';
import { actAt, contentAt, pageAt } from '../addresses.ts';
import { doneField } from '../form-body.ts';
import type { PageId } from '../pages.ts';
import { cut } from './page.tsx';

interface ActionProps {
  readonly sandbox: string;
  readonly of: ControlId;
  /** The names in the operation's path, but for the sandbox's. */
  readonly names?: Readonly<Record<string, string>>;
  /** What is said once it is done, such as `Order accepted`. */
  readonly done: string;
  readonly label: string;
  /** Says what the button is about, where its label alone does not. */
  readonly about?: string;
  /** Asked before it is done. */
  readonly confirm?: string;
  readonly quiet?: boolean;
  /** Fields, by the names of the operation's body (form-body.ts). */
  readonly children?: Child;
  readonly class?: string;
}

export const Action = ({
  sandbox,
  of,
  names,
  done,
  label,
  about,
  confirm,
  quiet = false,
  children,
  ...given
}: ActionProps) => (
  <form
    id={idOf(of, names, label, about)}
    class={given.class ?? 'action'}
    hx-post={actAt(sandbox, of, names)}
    hx-target="#notice"
    hx-confirm={confirm}
    hx-sync="drop"
    autocomplete="off"
  >
    <input type="hidden" name={doneField} value={cut(done, 200)} />
    {children}
    <button type="submit" class={quiet ? 'small outline secondary' : 'small'} aria-label={about && `${label} ${about}`}>
      {label}
    </button>
  </form>
);

/** By it a form stays the same one when the page is looked at again, and what has the focus keeps it. */
const idOf = (of: string, names: Readonly<Record<string, string>> = {}, label = '', about = ''): string =>
  [of, ...Object.values(names), label, about]
    .join('-')
    .replaceAll(/[^\w-]+/g, '_')
    .slice(0, 160);

/** A field that is not shown. Its name says what it stands for in the operation's body. */
export const Given = ({ name, value = '1' }: { readonly name: string; readonly value?: string }) => (
  <input type="hidden" name={name} value={value} />
);

// A text to copy, and the button that does.

interface ButtonProps {
  /** The id of the element whose text is copied. */
  readonly of: string;
  /** What the button does, for those who do not see what it stands beside. */
  readonly label: string;
  readonly quiet?: boolean;
}

export const CopyButton = ({ of, label, quiet = false }: ButtonProps) => (
  <button type="button" class={quiet ? 'small outline secondary' : 'small outline'} data-copy={of} aria-label={label}>
    Copy
  </button>
);

interface CopyButtonProps {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export const Copy = ({ id, title, text }: CopyButtonProps) => (
  <figure class="copy">
    <figcaption>
      {title}
      <CopyButton of={id} label={`Copy: ${title}`} />
    </figcaption>
    <pre id={id} tabindex={0}>
      {text}
    </pre>
  </figure>
);

// Has a page looked at again every few seconds, for what the sandbox's clock alone changes: that is no happening that a page follows.

export const LookAgain = ({ sandbox, page }: { readonly sandbox: string; readonly page: PageId }) => (
  <span
    id="look-again"
    hx-get={contentAt(sandbox, page)}
    hx-trigger="every 5s"
    hx-target="#content"
    hx-sync="#content:queue last"
    hx-swap="innerMorph"
  />
);

// Asks for the key where the tab has none, or one that is not good.

export const KeyDialog = ({ sandbox }: { readonly sandbox: string }) => (
  <dialog id="key" aria-labelledby="key-title">
    <form method="dialog" id="key-form">
      <h2 id="key-title">The key, please</h2>
      <p id="key-words">
        The console shows what the control API shows, so it takes the same key: the admin key that the server printed or
        was started with, or the own key of {sandbox}. It stays in this tab.
      </p>
      <label>
        Key
        <input id="key-input" type="password" autocomplete="off" required />
      </label>
      <button type="submit">Open the console</button>
    </form>
  </dialog>
);

// What could not be shown or done, in words: what failed, and what to do next.

interface RefusedProps {
  readonly refusal: ControlRefusal;
  readonly sandbox: string;
  /** Whether it stands in the place of a page. */
  readonly isPage: boolean;
}

const headings: Partial<Record<number, string>> = { 404: 'Not there', 500: 'Something went wrong' };

export function Refused({ refusal: { status, message, details = [] }, sandbox, isPage }: RefusedProps) {
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

// Buttons and forms: what has an operation of the control API done, and what copies a text.
import type { Child } from 'hono/jsx';
import type { ControlId } from '../../contract/control/operations.ts';
import { doneField } from '../form-body.ts';
import { actAt, contentAt, type PageId } from '../pages.ts';
import { cut, useSandbox } from './page.tsx';

interface ActionProps {
  readonly of: ControlId;
  /** The names in the operation's path, but for the sandbox's. */
  readonly names?: Readonly<Record<string, string>>;
  /** What is said once it is done, such as `Order accepted`. */
  readonly done: string;
  readonly label: string;
  /** Says what the button is about, where its label alone does not. */
  readonly about?: string;
  /** Asked before it is done. */
  readonly confirm?: string | undefined;
  readonly quiet?: boolean;
  /** Fields, by the names of the operation's body (form-body.ts). */
  readonly children?: Child;
  readonly class?: string;
}

/** A button, or a form, that has an operation of the control API done. */
export const Action = ({
  of,
  names = {},
  done,
  label,
  about,
  confirm,
  quiet,
  children,
  ...attributes
}: ActionProps) => (
  <form
    id={formId([of, ...Object.values(names), label, about])}
    class={attributes.class ?? 'action'}
    hx-post={actAt(useSandbox(), of, names)}
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
const formId = (parts: readonly (string | undefined)[]): string =>
  parts
    .join('-')
    .replaceAll(/[^\w-]+/g, '_')
    .slice(0, 160);

/** A field that is not shown. Its name says what it stands for in the operation's body. */
export const Given = ({ name, value = '1' }: { readonly name: string; readonly value?: string }) => (
  <input type="hidden" name={name} value={value} />
);

interface CopyButtonProps {
  /** The id of the element whose text is copied. */
  readonly of: string;
  /** What the button does, for those who do not see what it stands beside. */
  readonly label: string;
  readonly quiet?: boolean;
}

export const CopyButton = ({ of, label, quiet = false }: CopyButtonProps) => (
  <button type="button" class={quiet ? 'small outline secondary' : 'small outline'} data-copy={of} aria-label={label}>
    Copy
  </button>
);

/** A text to copy, under its title. */
export const Copy = ({ id, title, text }: { readonly id: string; readonly title: string; readonly text: string }) => (
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

/** Has a page looked at again every few seconds, for what the sandbox's clock alone changes: no page follows that. */
export const LookAgain = ({ page }: { readonly page: PageId }) => (
  <span
    id="look-again"
    hx-get={contentAt(useSandbox(), page)}
    hx-trigger="every 5s"
    hx-target="#content"
    hx-sync="#content:queue last"
    hx-swap="innerMorph"
  />
);

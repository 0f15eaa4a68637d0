// Buttons and forms that run operations of the control API, and buttons that copy a text.
import type { Child } from 'hono/jsx';
import type { ControlId } from '../../contract/control/operations.ts';
import { doneField } from '../form-body.ts';
import { contentAt, operationAt, type PageId } from '../pages.ts';
import { truncate, useSandbox } from './layout.tsx';

interface ActionProps {
  readonly operation: ControlId;
  /** The path parameters of the operation, except `sandbox`. */
  readonly params?: Readonly<Record<string, string>>;
  /** The message after success, such as `Order accepted`. */
  readonly done: string;
  readonly label: string;
  /** Completes the label for screen readers where it is ambiguous. */
  readonly about?: string;
  /** A question to ask first. */
  readonly confirm?: string | undefined;
  readonly quiet?: boolean;
  /** Fields of the operation's body, named as form-body.ts says. */
  readonly children?: Child;
  readonly class?: string;
}

/** A form that runs an operation of the control API; without visible fields it is a button. */
export const Action = ({
  operation,
  params = {},
  done,
  label,
  about,
  confirm,
  quiet,
  children,
  ...attributes
}: ActionProps) => (
  <form
    id={formId([operation, ...Object.values(params), label, about])}
    class={attributes.class ?? 'action'}
    hx-post={operationAt(useSandbox(), operation, params)}
    hx-target="#notice"
    hx-confirm={confirm}
    hx-sync="drop"
    autocomplete="off"
  >
    <Hidden name={doneField} value={truncate(done, 200)} />
    {children}
    <button type="submit" class={quiet ? 'small outline secondary' : 'small'} aria-label={about && `${label} ${about}`}>
      {label}
    </button>
  </form>
);

/** The same for the same form after a refresh, so that the focus stays in it. */
const formId = (parts: readonly (string | undefined)[]): string =>
  parts
    .join('-')
    .replaceAll(/[^\w-]+/g, '_')
    .slice(0, 160);

export const Hidden = ({ name, value = '1' }: { readonly name: string; readonly value?: string }) => (
  <input type="hidden" name={name} value={value} />
);

interface CopyButtonProps {
  /** The id of the element whose text is copied. */
  readonly of: string;
  /** For screen readers. */
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

/** Fetches the page's content every few seconds, for what changes with the sandbox's clock: that causes no event. */
export const Poll = ({ page }: { readonly page: PageId }) => (
  <span
    id="poll"
    hx-get={contentAt(useSandbox(), page)}
    hx-trigger="every 5s"
    hx-target="#content"
    hx-sync="#content:queue last"
    hx-swap="innerMorph"
  />
);

// Buttons and forms that run operations of the control API, and buttons that copy a text.
import type { Child } from 'hono/jsx';
import { adminPath } from '../../contract/control/control-operation.ts';
import type { ControlId } from '../../contract/control/operations.ts';
import type { CollectionName } from '../../contract/records.ts';
import { doneField } from '../form-body.ts';
import { contentAt, operationAt, type PageId } from '../page-addresses.ts';
import { truncate, useSandbox } from './layout.tsx';

interface ActionProps {
  readonly operation: ControlId;
  /** The path parameters of the operation, except `sandbox`. */
  readonly params?: Readonly<Record<string, string>>;
  /** The message after success, such as `Order accepted`. */
  readonly done: string;
  readonly label: string;
  /** Completes an ambiguous label for screen readers. */
  readonly about?: string;
  /** A question to confirm first. */
  readonly confirm?: string | undefined;
  /** For an action that is not the main one of its row. */
  readonly quiet?: boolean;
  /** Hidden fields of the operation's body, named as form-body.ts says. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Visible fields, named in the same way. */
  readonly children?: Child;
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
  fields = {},
  children,
}: ActionProps) => (
  <form
    id={formId([operation, ...Object.values(params), label, about])}
    hx-post={operationAt(useSandbox(), operation, params)}
    hx-target="#notice"
    hx-confirm={confirm}
    hx-sync="drop"
    autocomplete="off"
  >
    {Object.entries({ [doneField]: truncate(done, 200), ...fields }).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    {children}
    <button type="submit" class={quiet ? 'quiet' : undefined} aria-label={about && `${label} ${about}`}>
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

/** Copies the text of the element with the id `of`. The label is for screen readers. */
export const CopyButton = ({ of, label }: { readonly of: string; readonly label: string }) => (
  <button type="button" class="quiet small" data-copy={of} aria-label={label}>
    Copy
  </button>
);

/** A text to copy, under its title. */
export const Copy = ({ id, title, text }: { readonly id: string; readonly title: string; readonly text: string }) => (
  <figure>
    <figcaption class="head">
      {title}
      <CopyButton of={id} label={`Copy: ${title}`} />
    </figcaption>
    <pre id={id} tabindex={0}>
      {text}
    </pre>
  </figure>
);

/** The id of a record, to copy. */
export const RecordId = ({ id }: { readonly id: string }) => (
  <>
    <span id="record-id">{id}</span> <CopyButton of="record-id" label="Copy the id" />
  </>
);

/** A record as the control API presents it, to copy. @param props.collection as its path has it */
export const RawRecord = ({ collection, record }: RawRecordProps) => (
  <details id="raw">
    <summary>Raw JSON</summary>
    <Copy
      id="raw-record"
      title={`GET ${adminPath}/sandboxes/${useSandbox()}/${collection}/${record.id}`}
      text={JSON.stringify(record, null, 2)}
    />
  </details>
);

interface RawRecordProps {
  readonly collection: CollectionName;
  readonly record: { readonly id: string };
}

/** Fetches the page's content every few seconds, because the sandbox's clock causes no events. */
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

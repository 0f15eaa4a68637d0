// A button, or a form, that has an operation of the control API done.
import type { Child } from 'hono/jsx';
import type { ControlId } from '../../contract/admin.ts';
import { actAt } from '../addresses.ts';
import { doneField } from '../form-body.ts';
import { cut } from './cut.ts';

interface Props {
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
}: Props) => (
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

// Dialogs over a page, which browser/page.js opens. Escape, a click on the backdrop, `data-close`, and a form inside that
// succeeds close a dialog. The browser returns the focus.
import type { Child } from 'hono/jsx';
import { contentAt } from '../page-addresses.ts';
import { PageLink, useSandbox } from './layout.tsx';

interface DialogProps {
  readonly id: string;
  readonly title: string;
  /** For large contents. */
  readonly isWide?: boolean;
  readonly children: Child;
}

/** A dialog that a button with `data-dialog={id}` opens. */
export const Dialog = ({ id, title, isWide = false, children }: DialogProps) => (
  <dialog id={id} class={isWide ? 'wide' : undefined} aria-labelledby={`${id}-title`}>
    <header>
      <h2 id={`${id}-title`}>{title}</h2>
      <button type="button" class="plain" data-close aria-label="Close">
        <span aria-hidden="true">✕</span>
      </button>
    </header>
    {children}
  </dialog>
);

interface DialogButtonProps extends Omit<DialogProps, 'isWide'> {
  readonly label: string;
  /** Completes an ambiguous label for screen readers. */
  readonly about?: string;
}

/** A button, and the dialog that it opens, usually with a form. */
export const DialogButton = ({ label, about, ...dialog }: DialogButtonProps) => (
  <>
    <button type="button" class="quiet" data-dialog={dialog.id} aria-label={about && `${label}: ${about}`}>
      {label}
    </button>
    <Dialog {...dialog} />
  </>
);

/** A link that opens the page of a request in the dialog of the shell. With a modifier key it is an ordinary link. */
export const RequestDialogLink = ({ id, children }: { readonly id: string; readonly children: Child }) => (
  <PageLink
    to="requests"
    item={id}
    hx-get={contentAt(useSandbox(), 'requests', id)}
    hx-target="#request-dialog-content"
  >
    {children}
  </PageLink>
);

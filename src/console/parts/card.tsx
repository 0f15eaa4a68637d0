// Cards: a thing with its state and actions, and the message of an empty page.
import type { Child } from 'hono/jsx';
import { Copy } from './action.tsx';

interface CardProps {
  readonly id: string;
  /** Usually `<Named id={…} />`: the label, with the id small below it. */
  readonly title: Child;
  /** At the right of the title, such as a badge or a button. */
  readonly aside?: Child;
  /** Marks a card whose effect is on. */
  readonly isOn?: boolean;
  /** Marks a card whose effect was on and has ended by itself. */
  readonly isUsedUp?: boolean;
  readonly children: Child;
}

/** One of several things with actions. Put cards into `<div class="cards">`. */
export const Card = ({ id, title, aside, isOn, isUsedUp, children }: CardProps) => (
  <article class={`card${isOn ? ' on' : ''}${isUsedUp ? ' used-up' : ''}`} id={id}>
    <div class="head">
      <h3>{title}</h3>
      {aside}
    </div>
    {children}
  </article>
);

interface EmptyProps {
  /** A sentence, such as `This sandbox has no orders.` */
  readonly title: string;
  /** A command that fills the page, to copy. */
  readonly call?: string | undefined;
  /** How to fill it. */
  readonly children?: Child;
}

/** In place of an empty list: why it is empty, how to fill it, and the call to paste. */
export const Empty = ({ title, call, children }: EmptyProps) => (
  <article class="card empty">
    <p>
      <b>{title}</b>
    </p>
    {children && <p>{children}</p>}
    {call && <Copy id="empty-call" title="Paste it into a shell" text={call} />}
  </article>
);

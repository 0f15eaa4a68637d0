// How something stands, at a glance: words, and a sign that tells the kind without its colour.
import type { Child } from 'hono/jsx';

interface Props {
  /** Hidden from readers that do not see: the words tell the same. */
  readonly sign: string;
  /** The kind, for the style. */
  readonly class: string;
  readonly id?: string;
  readonly title?: string;
  readonly children: Child;
}

export const Badge = ({ sign, id, title, children, ...given }: Props) => (
  <span class={given.class} id={id} title={title}>
    <span aria-hidden="true">{sign}</span> {children}
  </span>
);

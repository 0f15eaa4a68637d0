// A link to a request, which opens beside the page that it stands on.
import type { Child } from 'hono/jsx';
import { contentAt, oneAt } from '../addresses.ts';

interface Props {
  readonly sandbox: string;
  readonly id: string;
  readonly class?: string;
  readonly children: Child;
}

export const RequestInDrawer = ({ sandbox, id, children, ...given }: Props) => (
  <a
    href={oneAt(sandbox, 'requests', id)}
    hx-get={contentAt(sandbox, 'requests', id)}
    hx-target="#drawer-content"
    class={given.class}
  >
    {children}
  </a>
);

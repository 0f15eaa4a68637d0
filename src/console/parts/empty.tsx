// What stands where there is nothing to show: why, and what would bring something.
import type { Child } from 'hono/jsx';

interface Props {
  readonly title: string;
  readonly children?: Child;
}

export const Empty = ({ title, children }: Props) => (
  <div class="empty">
    <p>
      <b>{title}</b>
    </p>
    {children}
  </div>
);

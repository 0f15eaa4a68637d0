// A name and what it is, in a list of facts.
import type { Child } from 'hono/jsx';

export const Fact = ({ name, children }: { readonly name: string; readonly children: Child }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

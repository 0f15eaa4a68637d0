// A table of records with its name above it, what is the same in its rows, and words where not all of them are shown.
import type { Child } from 'hono/jsx';
import { mostShown, type Some } from '../../control/shown-catalog.ts';
import { Badge } from '../parts/badge.tsx';
import { Table } from '../parts/table.tsx';

interface Props {
  readonly caption: string;
  readonly titles: readonly string[];
  readonly children: Child;
}

export const Listed = ({ children, ...named }: Props) => (
  <Table class="records named" isCaptionSeen {...named}>
    {children}
  </Table>
);

export const More = ({ of: { total }, what }: { readonly of: Some<unknown>; readonly what: string }) =>
  total > mostShown ? (
    <p class="muted">
      The first {mostShown} of {total.toLocaleString('en')} {what} are shown; the control API has them all.
    </p>
  ) : null;

export const Named = ({ name, id }: { readonly name: string; readonly id: string }) => (
  <th scope="row">
    {name} <span class="id muted">{id}</span>
  </th>
);

export const State = ({ isGood, children }: { readonly isGood: boolean; readonly children: Child }) => (
  <Badge sign={isGood ? '✓' : '✕'} class={isGood ? 'badge there' : 'badge held'}>
    {children}
  </Badge>
);

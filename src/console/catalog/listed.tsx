// A table of records with its name above it, and words where not all of them are shown.
import type { Child } from 'hono/jsx';
import { mostShown, type Some } from './catalog-shown.ts';

interface Props {
  readonly caption: string;
  readonly titles: readonly string[];
  readonly children: Child;
}

export const Listed = ({ caption, titles, children }: Props) => (
  <div class="table">
    <table class="records named">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {titles.map((title) => (
            <th scope="col">{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

export const More = ({ of: { total }, what }: { readonly of: Some<unknown>; readonly what: string }) =>
  total > mostShown ? (
    <p class="muted">
      The first {mostShown} of {total.toLocaleString('en')} {what} are shown; the control API has them all.
    </p>
  ) : null;

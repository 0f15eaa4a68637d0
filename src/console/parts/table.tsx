// A table's frame: its caption, the titles of its columns, and the rows within.
import type { Child } from 'hono/jsx';

interface Props {
  readonly titles: readonly string[];
  /** What it holds; not needed where a heading says so. */
  readonly caption?: string;
  /** Whether the caption is seen, not only heard. */
  readonly isCaptionSeen?: boolean;
  readonly class?: string;
  /** Whether it is scrolled sideways by the keyboard: where nothing in it takes the focus. */
  readonly isScrolled?: boolean;
  /** Attributes of its body, for what runs in the page. */
  readonly body?: Readonly<Record<string, string | number>>;
  readonly children: Child;
}

export function Table({ titles, caption, isCaptionSeen = false, isScrolled = false, body, children, ...given }: Props) {
  return (
    <div class="table" tabindex={isScrolled ? 0 : undefined}>
      <table class={given.class}>
        {caption !== undefined && <caption class={isCaptionSeen ? undefined : 'unseen'}>{caption}</caption>}
        <thead>
          <tr>
            {titles.map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody {...body}>{children}</tbody>
      </table>
    </div>
  );
}

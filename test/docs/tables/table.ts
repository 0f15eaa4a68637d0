// A table in Markdown.

/** Angle brackets that are not in code become entities: the site reads Markdown as HTML. */
const escaped = (cell: string): string =>
  cell.replaceAll('|', '\\|').replaceAll(/`[^`]*`|<br>|</g, (part) => (part === '<' ? '&lt;' : part));

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escaped).join(' | ')} |`).join('\n');

export const code = (text: unknown): string => `\`${text}\``;
export const codes = (texts: readonly unknown[]): string => texts.map(code).join(', ');

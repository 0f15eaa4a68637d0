// A table in Markdown.

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

export const code = (text: unknown): string => `\`${text}\``;
export const codes = (texts: readonly unknown[]): string => texts.map(code).join(', ');

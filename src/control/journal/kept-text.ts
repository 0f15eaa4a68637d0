// A body as a journal keeps it.
import type { Redactor } from './redaction.ts';

/** A body beyond this is told by its length only. */
export const mostCharacters = 1_048_576;

export function keptText(text: string | null, redactor: Redactor): string | null {
  if (!text) return text;
  return text.length > mostCharacters ? `[not kept: ${text.length} characters]` : redactor.body(text);
}

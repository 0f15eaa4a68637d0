// JSON as the journal reads it: nested no deeper than a body may be, so that walking and writing it cannot run out of stack.
import { limits } from '../../contract/limits.ts';

/** The value of a JSON text; undefined for what is no JSON, or nested deeper than a body may be. */
export function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isWithin(value, limits.bodyDepth) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isWithin(part, depth - 1));
}

const longestCharacters = 80;

/** A value in at most 80 characters of JSON; what is absent is `nothing`. */
export function preview(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longestCharacters ? `${text.slice(0, longestCharacters - 1)}…` : text;
}

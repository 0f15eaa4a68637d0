// The JSON of a body, as large and as deep as is taken.
import { limits } from '../contract/limits.ts';

/** How much JSON a body may hold. */
export interface JsonBounds {
  /** Nested objects and arrays. */
  readonly bodyDepth: number;
  /** Nested ones included. */
  readonly bodyValues: number;
}

/** The value of a text that is JSON within the bounds, and without `__proto__` keys; undefined for any other. */
export function jsonIn(text: string, { bodyDepth, bodyValues }: JsonBounds): { readonly value: unknown } | undefined {
  // From a long text more may be made than there is room for; of a short one the value is looked through faster than the text.
  if (text.length > limits.smallBytes && !isWithin(text, bodyDepth, bodyValues)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isSound(value, bodyDepth, { values: bodyValues }) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** JSON.parse makes `__proto__` keys own properties. */
function isSound(value: unknown, depth: number, budget: { values: number }): boolean {
  budget.values -= 1;
  if (budget.values < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0 || Object.hasOwn(value, '__proto__')) return false;
  if (Array.isArray(value)) {
    for (const part of value) if (!isSound(part, depth - 1, budget)) return false;
    return true;
  }
  for (const key in value) if (!isSound((value as Record<string, unknown>)[key], depth - 1, budget)) return false;
  return true;
}

const opens = (character: string | undefined): boolean => character === '[' || character === '{';
const closes = (character: string | undefined): boolean => character === ']' || character === '}';

/** Whether a text, if it is JSON, holds no more: each comma outside its strings brings a value, and each bracket that opens one may. */
function isWithin(text: string, depth: number, values: number): boolean {
  let [open, found] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === ',') found += 1;
    else if (closes(character)) open -= 1;
    else if (opens(character)) {
      open += 1;
      found += isClosedAt(text, at + 1) ? 0 : 1;
    }
    if (open > depth || found > values) return false;
  }
  return true;
}

/** Where the string that begins here ends; the text's end where it does not. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

const visible = /[^ \t\n\r]/g;

/** Whether a bracket closes next. */
function isClosedAt(text: string, at: number): boolean {
  visible.lastIndex = at;
  return closes(visible.exec(text)?.[0]);
}

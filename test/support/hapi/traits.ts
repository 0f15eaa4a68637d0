/** What the named differences turn on: the type of a request, how large its body is and how deep. */
import type { ReferenceRequest } from './requests.ts';

/** A good request without a body. */
export const good: ReferenceRequest = {
  method: 'POST',
  target: '/v2/orders',
  authorization: 'Bearer TOKEN',
  type: 'application/json',
  encoding: null,
  plain: null,
  sent: new Uint8Array(),
  isChunked: false,
};

/** The same request with this body, as it is. */
const withBody = (request: ReferenceRequest, text: string): ReferenceRequest => {
  const bytes = new TextEncoder().encode(text);
  return { ...request, encoding: null, plain: bytes, sent: bytes };
};

export const post = (text: string, more: Partial<ReferenceRequest> = {}): ReferenceRequest => ({
  ...withBody(good, text),
  ...more,
});

export const bearing = (request: ReferenceRequest, value: unknown): ReferenceRequest =>
  withBody(request, JSON.stringify(value));

/** What a type is called before its parameters; they stand behind a blank or a semicolon. */
const essence = (type: string): string => type.toLowerCase().split(/[ \t;]/)[0] ?? '';

/** Of two names with a slash between them: the names are tokens, RFC 9110 5.6.2. */
export function isMediaType(type: string): boolean {
  const names = essence(type).split('/');
  return names.length === 2 && names.every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
}

/** JSON by its name, or by a suffix that has a name before it. */
export function isOfJson(type: string): boolean {
  const [kind, name = ''] = essence(type).split('/');
  return kind === 'application' && (name === 'json' || (name.endsWith('+json') && name !== '+json'));
}

export const isOfParts = (type: string): boolean => essence(type).startsWith('multipart/');

/** What a body of JSON says; undefined for another. */
export function jsonOf({ plain }: ReferenceRequest): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(plain ?? new Uint8Array()));
  } catch {
    return undefined;
  }
}

export const mebibyte = 1_048_576;
const [mostLevels, mostValues] = [64, 50_000];

export const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const isDeep = (value: unknown): value is object => typeof value === 'object' && value !== null;
const depthOf = (value: unknown): number => (isDeep(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0);
const countOf = (value: unknown): number =>
  isDeep(value) ? Object.values(value).reduce((sum: number, part) => sum + countOf(part), 1) : 1;

export const isBeyondBounds = (value: unknown): boolean => depthOf(value) > mostLevels || countOf(value) > mostValues;

/** The same value, but for what lies deepest and for all but the first of many items. */
export function withinBounds(value: unknown, levels = mostLevels): unknown {
  if (!isDeep(value)) return value;
  if (levels === 1) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.slice(0, 1).map((part) => withinBounds(part, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withinBounds(part, levels - 1)]));
}

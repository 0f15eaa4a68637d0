// Redaction: secrets leave a text before it is read. Each becomes a short tag, keyed per sandbox, so that equal ones can be told as
// equal and nothing else be told about them. What has no known form is cut from the first place on where a secret could stand.
import { LRUCache } from 'lru-cache';
import { limits } from '../contract/limits.ts';
import { isDebugHeader } from '../contract/operation.ts';
import { isRecord } from '../contract/schema.ts';
import { type Hashes, hex, utf8 } from '../domain/hashes.ts';

// JSON as the journal reads it: nested no deeper than a body may be, so that walking and writing it cannot run out of stack.

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

// Where a secret may stand: names, and places in a text. All expressions take time linear in the text: what repeats is bounded, or
// starts at a place that it cannot run over. Whoever must choose here takes a harmless word for a secret rather than the reverse.

/** Every name of a secret holds one of these words; so does "turkey", which then costs a careful look. */
const words = 'pass|pwd|secret|token|signature|auth|cookie|jwt|bearer|key';
/** The ways to write a character by its code: JSON's, JavaScript's, a URL's, any of them escaped again. */
const escaped = String.raw`\\{1,8}u[0-9a-f]{4}|\\{1,8}x[0-9a-f]{2}|%[0-9a-f]{2}`;

/**
 * The letters of those words that are rare in other texts; then escapes of letters or of what begins an escape, and how a JSON Web Token
 * begins. Words that are looked for one by one, because that takes half the time of an expression; those behind a sign that most texts lack,
 * only where it is there. Shorter ones stand in cursors by chance, and cost each page with such a cursor the careful look.
 */
const suspicious = ['key', 'ken', 'kie', 'pass', 'pwd', 'jwt', 'cret', 'uth', 'bear', 'eyj', '\0'];
const escapesOfJson = ['\\u', '\\x'];
const escapesOfUrls = ['%4', '%5', '%6', '%7', '%25'];
/** But for a label's signature that is redacted already. */
const signature = /gnature(?!=\[redacted [0-9a-f]{8}\]["&])/;

/** The quick test, which most texts pass: without one of these there is no secret that the careful look would find. */
function mayHoldSecret(text: string): boolean {
  const lower = text.toLowerCase();
  return (
    hasOneOf(lower, suspicious) ||
    (lower.includes('\\') && hasOneOf(lower, escapesOfJson)) ||
    (lower.includes('%') && hasOneOf(lower, escapesOfUrls)) ||
    (lower.includes('gnature') && signature.test(lower))
  );
}

/** A plain loop: this is asked for each text that a journal keeps. */
function hasOneOf(text: string, words: readonly string[]): boolean {
  for (const word of words) if (text.includes(word)) return true;
  return false;
}

const secretName = new RegExp(
  [
    'passw|pass[^a-z0-9]?(?:phrase|code|word)|pass(?![a-z])|pwd|secret|token|signature|authoriz|auth(?![a-z])',
    'cookie|jwt|bearer|keys?(?![a-z])|(?:api|access|private)[^a-z0-9]?key',
  ].join('|'),
  'i',
);

const maxNameCharacters = 100;
const names = new LRUCache<string, boolean>({ max: 1000 });

/** Whether what stands under this name is a secret: `password`, `refresh_token`, `X-Api-Key`, … */
export function isSecretName(name: string): boolean {
  const kept = names.get(name);
  if (kept !== undefined) return kept;
  const isSecret = secretName.test(unescaped(name));
  if (name.length <= maxNameCharacters) names.set(name, isSecret);
  return isSecret;
}

const maxRounds = 4;
const escapes = new RegExp(escaped, 'gi');

/** The text with its escapes undone, those of escapes, too. */
function unescaped(text: string): string {
  let last = text;
  for (let round = 0; round < maxRounds; round += 1) {
    const next = last.replaceAll(escapes, characterOf);
    if (next === last) return next;
    last = next;
  }
  return last;
}

const characterOf = (written: string): string =>
  String.fromCharCode(Number.parseInt(written.replace(/^[\\%]+[ux]?/i, ''), 16));

/** A name of a secret and the sign that its value follows, or `Bearer `: `token=`, `"password": `, `api_key" : `. */
const assignment = String.raw`(?:${words})[^\s=:]{0,40}\s*[=:]|bearer\s`;

/** A place from which on a text may hold a secret. Group 1, where there is one, is its name: to be kept. */
export interface Place {
  /** Whether the text, its escapes undone, has such a place. */
  readonly sought: RegExp;
  /** The first such place of the text as it is, or its first escape. */
  readonly from: RegExp;
}

const placeOf = (source: string): Place => ({
  // An escape that is left after so many rounds was meant to hide something.
  sought: new RegExp(`${source}|${escaped}|\\0`, 'i'),
  from: new RegExp(`(${source})|${escaped}|\\0`, 'i'),
});

/** In a text that is read by people, or a single value: behind a name that is given a value. */
const afterAssignment = placeOf(assignment);
/** In a text of no known form: behind any word that may be part of a name. */
const afterWord = placeOf(words);

/** A JSON Web Token; it begins where a word does, so that no run of `eyJ` is read more than once. */
export const jsonWebToken = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** The signature of a pre-signed URL as this server writes it. */
const labelSignature = /X-Amz-Signature=([0-9a-f]{64})(?![0-9a-f])/g;
const labelSignatureName = 'X-Amz-Signature=';
/** A URL with a query: absolute, or a path. */
const url = /^(?:[a-z][a-z0-9+.-]*:\/)?\/[^\s?]*\?\S*$/i;
/** A scheme that may stand before the secret of an Authorization header. */
const authScheme = /^\s*(bearer|basic|digest)\s+/i;

/** A header's name and value. */
export type Header = readonly [name: string, value: string];

const maxTagCharacters = 1024;
const tagDigits = 8;
/** A body longer than this is not looked through: whoever sends it would have everybody wait. */
const maxLookedThrough = 131_072;

/**
 * Tags of the secrets read last, and their keys, shared by all sandboxes of the process: a client sends the same token with every call, and a
 * list of requests shows it with each.
 */
const tags = new LRUCache<string, { readonly key: string; readonly tag: string }>({ max: 1000 });

export class Redactor {
  readonly #hashes: Hashes;
  readonly #key: string;

  /** @param key the sandbox's own; nobody who reads the journal knows it */
  constructor(hashes: Hashes, key: string) {
    this.#hashes = hashes;
    this.#key = key;
  }

  /** What stands in a secret's place. */
  tag(secret: string): string {
    const known = tags.get(secret);
    if (known?.key === this.#key) return known.tag;
    const tag = `[redacted ${hex(this.#hashes.hmac(utf8(this.#key), secret)).slice(0, tagDigits)}]`;
    if (secret.length <= maxTagCharacters) tags.set(secret, { key: this.#key, tag });
    return tag;
  }

  /** The value of a header of an answer. The sandbox's own headers hold no secret. */
  answerHeader(name: string, value: string): string {
    return isDebugHeader(name) ? value : this.header(name, value);
  }

  /** A header's value; the scheme of an Authorization is kept. */
  header(name: string, value: string): string {
    const [scheme = ''] = authScheme.exec(value) ?? [];
    if (!scheme && !isSecretName(name)) return this.text(value);
    const secret = value.slice(scheme.length).trimEnd();
    return secret === '' ? value : scheme + this.tag(secret);
  }

  /** A query with its question mark. */
  query(text: string): string {
    if (!mayHoldSecret(text)) return text;
    const pairs = text.slice(1).split('&');
    return `?${pairs.map((pair) => this.#pair(pair)).join('&')}`;
  }

  /** A body as it came. A long one in which a secret may stand is a tag alone. */
  body(text: string): string {
    const unsigned = withoutSignatures(text);
    if (!mayHoldSecret(unsigned)) return unsigned;
    if (text.length > maxLookedThrough) return this.tag(text);
    const json = readJson(text);
    if (json) return JSON.stringify(this.value(json.value));
    return this.#cut(text, afterWord);
  }

  /** A text that is no body: a path, a header's value, a string of a JSON body. */
  text(text: string): string {
    if (!mayHoldSecret(text)) return text;
    const question = url.test(text) ? text.indexOf('?') : -1;
    const before = text.slice(0, question);
    if (question < 0 || hasPlace(before, afterAssignment)) return this.#phrase(text);
    return this.#phrase(before) + this.query(text.slice(question));
  }

  /** A JSON value, nested no deeper than a body may be. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isRecord(value)) return value;
    const fields = Object.entries(value);
    return Object.fromEntries(fields.map(([name, part]) => [this.text(name), this.field(name, part)]));
  }

  /** A JSON value that stands under this name. What is empty is no secret. */
  field(name: string, value: unknown): unknown {
    if (!isSecretName(name)) return this.value(value);
    if (value === undefined || value === null || value === '') return value;
    return this.tag(typeof value === 'string' ? value : JSON.stringify(value));
  }

  #pair(pair: string): string {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    if (equals < 0 || !isSecretName(name)) return this.#phrase(pair);
    const secret = decoded(pair.slice(equals + 1));
    const unsigned = withoutSignatures(pair);
    return unsigned !== pair || secret === '' ? unsigned : `${name}=${this.tag(secret)}`;
  }

  #phrase(text: string): string {
    if (!mayHoldSecret(text)) return text;
    return this.#cut(this.#withoutTokens(text), afterAssignment);
  }

  /** A text whose escapes hide a token is told without them. */
  #withoutTokens(text: string): string {
    const told = text.replaceAll(jsonWebToken, (token) => this.tag(token));
    const plain = unescaped(told);
    return plain.search(jsonWebToken) < 0 ? told : plain.replaceAll(jsonWebToken, (token) => this.tag(token));
  }

  #cut(text: string, place: Place): string {
    if (!hasPlace(text, place)) return text;
    const found = place.from.exec(text);
    const end = (found?.index ?? 0) + (found?.[1]?.length ?? 0);
    return end === text.length ? text : text.slice(0, end) + this.tag(text.slice(end));
  }
}

/**
 * Label URLs without their signatures. A signature follows from a key of the sandbox's own, so that its first digits tell no more than a
 * hash would, and cost nothing.
 */
function withoutSignatures(text: string): string {
  if (!text.includes(labelSignatureName)) return text;
  return text.replaceAll(
    labelSignature,
    (_, secret) => `${labelSignatureName}[redacted ${secret.slice(0, tagDigits)}]`,
  );
}

const hasPlace = (text: string, { sought }: Place): boolean => sought.test(unescaped(text));

/** Reads what another server has redacted already. */
export const unredacted: Pick<Redactor, 'text' | 'value' | 'field'> = {
  text: (text) => text,
  value: (value) => value,
  field: (_, value) => value,
};

/** A part of a query as the server reads it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

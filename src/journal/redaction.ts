// Redaction: replaces the secrets of a text before it is shown. Each becomes a short tag, keyed per sandbox:
// readers see which secrets are equal, and nothing else of them. A text of unknown form is cut at the first place where
// a secret may start.
import { LRUCache } from 'lru-cache';
import { limits } from '../contract/limits.ts';
import { isRecord } from '../contract/schema.ts';
import { type Hashes, hex, utf8 } from '../domain/hashes.ts';

/** Parses JSON; undefined if it is invalid, or so deep that writing it could overflow the stack. */
export function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isWithinDepth(value, limits.bodyDepth) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** The value of a body; undefined for a missing body, and where `readJson` reads none. */
export const jsonValueOf = (body: string | null): unknown => (body === null ? undefined : readJson(body)?.value);

function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isWithinDepth(part, depth - 1));
}

// Names of secrets, and where secrets may start. Every expression takes time linear in the text: repetitions are
// bounded, or start at a place that they cannot run over. In doubt a harmless word is taken for a secret.

/** Every name of a secret contains one of these words. */
const words = 'pass|pwd|secret|token|signature|auth|cookie|jwt|bearer|key';
/** A character written as its code in JSON, JavaScript or a URL, or such an escape escaped again. */
const escapeSource = String.raw`\\{1,8}u[0-9a-f]{4}|\\{1,8}x[0-9a-f]{2}|%[0-9a-f]{2}`;

/**
 * The quick test, which most texts fail: parts of the words that are rare elsewhere, the start of a JSON Web Token,
 * escapes of letters, and a label's signature unless it is redacted already. Shorter parts would match random cursors.
 */
const mayHoldSecret = new RegExp(
  [
    String.raw`key|ken|kie|pass|pwd|jwt|cret|uth|bear|eyj|\0|\\[ux]|%[4-7]|%25`,
    String.raw`gnature(?!=\[redacted [0-9a-f]{8}\]["&])`,
  ].join('|'),
  'i',
);

const secretName = new RegExp(
  [
    'passw|pass[^a-z0-9]?(?:phrase|code|word)|pass(?![a-z])|pwd|secret|token|signature|authoriz|auth(?![a-z])',
    'cookie|jwt|bearer|keys?(?![a-z])|(?:api|access|private)[^a-z0-9]?key',
  ].join('|'),
  'i',
);

/** True if a field, parameter or header of this name holds a secret: `password`, `refresh_token`, `X-Api-Key`, … */
export const isSecretName = (name: string): boolean => secretName.test(unescaped(name));

const maxEscapeRounds = 4;
const escapes = new RegExp(escapeSource, 'gi');

/** The text without its escapes, including escapes of escapes. */
function unescaped(text: string): string {
  let last = text;
  for (let round = 0; round < maxEscapeRounds; round += 1) {
    const next = last.replaceAll(escapes, unescapedCharacter);
    if (next === last) return next;
    last = next;
  }
  return last;
}

const unescapedCharacter = (written: string): string =>
  String.fromCharCode(Number.parseInt(written.replace(/^[\\%]+[ux]?/i, ''), 16));

/** Where a secret may start in a text. An escape that is left after all rounds was meant to hide something. */
interface SecretStart {
  /** Whether the unescaped text has such a place. */
  readonly inUnescaped: RegExp;
  /** The first such place of the text as it is, or its first escape. Group 1 is the name of the secret, which stays. */
  readonly inText: RegExp;
}

const secretStart = (source: string): SecretStart => ({
  inUnescaped: new RegExp(`${source}|${escapeSource}|\\0`, 'i'),
  inText: new RegExp(`(${source})|${escapeSource}|\\0`, 'i'),
});

/** In prose or a single value: after a name and the sign before its value, as in `token=`, or after `Bearer `. */
const afterAssignment = secretStart(String.raw`(?:${words})[^\s=:]{0,40}\s*[=:]|bearer\s`);
/** In a text of unknown form: after any word that may be part of a name. */
const afterWord = secretStart(words);

/**
 * A JSON Web Token, with the letters directly before it. It starts where a word does, and only if both dots follow, so
 * that no run of `eyJ` is read more than twice.
 */
export const jsonWebToken = /(?<![\w-])(?=[\w-]+\.[\w-]+\.)[\w-]*?eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** The signature of a label URL, as this server writes it. */
const labelSignature = /X-Amz-Signature=([0-9a-f]{8})[0-9a-f]{56}(?![0-9a-f])/g;
/** A URL with a query: absolute, or a path. */
const urlWithQuery = /^(?:[a-z][a-z0-9+.-]*:\/)?\/[^\s?]*\?\S*$/i;
/** The scheme before the secret of an Authorization header. */
const authScheme = /^\s*(bearer|basic|digest)\s+/i;

export type Header = readonly [name: string, value: string];

/** A longer body is not searched, because that would block the server. */
const maxSearchedCharacters = 131_072;
const tagDigits = 8;
const maxCachedCharacters = 1024;

/** Shared by all sandboxes of the process: a client sends the same token with every call. */
const tags = new LRUCache<string, { readonly key: string; readonly tag: string }>({ max: 1000 });

export class Redactor {
  readonly #hashes: Hashes;
  readonly #key: string;

  /** @param key the sandbox's own; readers of the journal do not know it */
  constructor(hashes: Hashes, key: string) {
    this.#hashes = hashes;
    this.#key = key;
  }

  /** The text in place of a secret: `[redacted 1f2e3d4c]`. */
  tag(secret: string): string {
    const known = tags.get(secret);
    if (known?.key === this.#key) return known.tag;
    const tag = `[redacted ${hex(this.#hashes.hmac(utf8(this.#key), secret)).slice(0, tagDigits)}]`;
    if (secret.length <= maxCachedCharacters) tags.set(secret, { key: this.#key, tag });
    return tag;
  }

  /** A header's value. The scheme of an Authorization header stays. */
  header(name: string, value: string): string {
    const [scheme = ''] = authScheme.exec(value) ?? [];
    if (!scheme && !isSecretName(name)) return this.text(value);
    const secret = value.slice(scheme.length).trimEnd();
    return secret === '' ? value : scheme + this.tag(secret);
  }

  /** A query with its question mark. */
  query(text: string): string {
    if (!mayHoldSecret.test(text)) return text;
    const pairs = text.slice(1).split('&');
    return `?${pairs.map((pair) => this.#pair(pair)).join('&')}`;
  }

  /** A received body. A long one that may hold a secret becomes a tag as a whole. */
  body(text: string): string {
    const unsigned = withoutSignatures(text);
    if (!mayHoldSecret.test(unsigned)) return unsigned;
    if (text.length > maxSearchedCharacters) return this.tag(text);
    const json = readJson(text);
    if (json) return JSON.stringify(this.value(json.value));
    return this.#cut(this.#withoutTokens(text), afterWord);
  }

  /** An XML document of this server: each text by the name of its element. */
  xml(text: string): string {
    return text.replaceAll(
      /<([\w-]+)>([^<]*)<\/\1>/g,
      (_, name: string, value: string) => `<${name}>${this.field(name, value)}</${name}>`,
    );
  }

  /** A text other than a body: a path, a header's value, a string of a JSON body. */
  text(text: string): string {
    if (!mayHoldSecret.test(text)) return text;
    const question = urlWithQuery.test(text) ? text.indexOf('?') : -1;
    const path = text.slice(0, question);
    if (question < 0 || afterAssignment.inUnescaped.test(unescaped(path))) return this.#prose(text);
    return this.#prose(path) + this.query(text.slice(question));
  }

  /** A JSON value, no deeper than `readJson` allows. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [this.text(name), this.field(name, part)]));
  }

  /** The JSON value of the field with this name. An empty value is not a secret. */
  field(name: string, value: unknown): unknown {
    if (!isSecretName(name)) return this.value(value);
    if (value === undefined || value === null || value === '') return value;
    return this.tag(typeof value === 'string' ? value : JSON.stringify(value));
  }

  #pair(pair: string): string {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    if (equals < 0 || !isSecretName(name)) return this.#prose(pair);
    const secret = decoded(pair.slice(equals + 1));
    const unsigned = withoutSignatures(pair);
    return unsigned !== pair || secret === '' ? unsigned : `${name}=${this.tag(secret)}`;
  }

  #prose(text: string): string {
    if (!mayHoldSecret.test(text)) return text;
    return this.#cut(this.#withoutTokens(text), afterAssignment);
  }

  /** A text whose escapes hide a token is shown unescaped. */
  #withoutTokens(text: string): string {
    const redacted = text.replaceAll(jsonWebToken, (token) => this.tag(token));
    const plain = unescaped(redacted);
    return plain.search(jsonWebToken) < 0 ? redacted : plain.replaceAll(jsonWebToken, (token) => this.tag(token));
  }

  #cut(text: string, { inUnescaped, inText }: SecretStart): string {
    if (!inUnescaped.test(unescaped(text))) return text;
    const found = inText.exec(text);
    const end = (found?.index ?? 0) + (found?.[1]?.length ?? 0);
    return end === text.length ? text : text.slice(0, end) + this.tag(text.slice(end));
  }
}

export type TextRedactor = Omit<Redactor, 'tag'>;

/** Reads what another server has redacted already. */
export const alreadyRedacted: TextRedactor = {
  header: (_, value) => value,
  query: (text) => text,
  body: (text) => text,
  xml: (text) => text,
  text: (text) => text,
  value: (value) => value,
  field: (_, value) => value,
};

/** Shortens the signatures of label URLs. Their first digits reveal no more than a hash. */
const withoutSignatures = (text: string): string => text.replaceAll(labelSignature, 'X-Amz-Signature=[redacted $1]');

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

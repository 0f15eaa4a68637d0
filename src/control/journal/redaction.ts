// Redaction: secrets leave a text before it is read. Each becomes a short tag, keyed per sandbox, so that equal ones can be told as
// equal and nothing else be told about them. What has no known form is cut from the first place on where a secret could stand.

import { LRUCache } from 'lru-cache';
import { isDebugHeader } from '../../contract/debug-headers.ts';
import { isRecord } from '../../contract/schema.ts';
import { type Hashes, hex, utf8 } from '../../domain/hashes.ts';
import { readJson } from './json-text.ts';
import {
  afterAssignment,
  afterWord,
  authScheme,
  isSecretName,
  jsonWebToken,
  labelSignature,
  labelSignatureName,
  mayHoldSecret,
  type Place,
  unescaped,
  url,
} from './secrets.ts';

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

// Redaction: secrets leave a text before it is kept. Each becomes a short tag, keyed per sandbox, so that equal ones can be told as
// equal and nothing else be told about them. What has no known form is cut from the first place on where a secret could stand.

import { Lately } from '../../contract/lately.ts';
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

// What is remembered is shared by all sandboxes of the process: it has one bound, however many there are.
/** Tags of the secrets seen last, and by which key: a client sends the same token with every call. */
const tags = new Lately<string, Made<string>>(1000);
/** Of each name the header of a request that came last, as it is kept: clients send the same ones with every call. */
const lastByName = new Lately<string, Made<Header> & { readonly came: string }>(128);
/** Of each name the value of an answer's header that came last and is clean by any key. */
const lastClean = new Lately<string, string>(128);

/** What was made by this key; by none where it would be the same by any. */
interface Made<T> {
  readonly key: string | undefined;
  readonly made: T;
}

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
    if (known?.key === this.#key) return known.made;
    const tag = `[redacted ${hex(this.#hashes.hmac(utf8(this.#key), secret)).slice(0, tagDigits)}]`;
    if (secret.length > maxTagCharacters) return tag;
    return tags.keep(secret, { key: this.#key, made: tag }).made;
  }

  /** A header of a request. */
  pair(header: Header): Header {
    const [name, value] = header;
    const last = lastByName.get(name);
    if (last?.came === value && (last.key === undefined || last.key === this.#key)) return last.made;
    const told = this.header(name, value);
    const made: Header = told === value ? header : [name, told];
    if (value.length > maxTagCharacters || name.length > maxTagCharacters) return made;
    lastByName.keep(name, { came: value, key: told === value ? undefined : this.#key, made });
    return made;
  }

  /** Whether nothing of a header of an answer is redacted. */
  isClean(name: string, value: string): boolean {
    if (lastClean.get(name) === value) return true;
    const isClean = this.header(name, value) === value;
    if (isClean && value.length <= maxTagCharacters) lastClean.keep(name, value);
    return isClean;
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
export function withoutSignatures(text: string): string {
  if (!text.includes(labelSignatureName)) return text;
  return text.replaceAll(
    labelSignature,
    (_, secret) => `${labelSignatureName}[redacted ${secret.slice(0, tagDigits)}]`,
  );
}

const hasPlace = (text: string, { sought }: Place): boolean => sought.test(unescaped(text));

/** A part of a query as the server reads it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

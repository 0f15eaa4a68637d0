// How two answers to the same call differ. Values that no two services share (ids, times, tokens, signatures) are
// compared by their kind, and ids also by their relations.
import { isRecord } from '../contract/schema.ts';
import { jsonValueOf, jsonWebToken } from '../journal/redaction.ts';
import type { RecordedCall } from './recorded-call.ts';

export type RecordedAnswer = Pick<RecordedCall, 'status' | 'responseHeaders' | 'responseBody'>;

/** A place where two JSON values differ. Undefined: the value has no such place. */
export interface Difference {
  /** Dotted, empty for the whole value. */
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** Every place where two JSON values differ. */
export function differencesOf(one: unknown, other: unknown, path = ''): Difference[] {
  const areArrays = Array.isArray(one) && Array.isArray(other);
  if (!areArrays && !(isRecord(one) && isRecord(other))) return Object.is(one, other) ? [] : [{ path, one, other }];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) =>
    differencesOf(own(one, name), own(other, name), path === '' ? name : `${path}.${name}`),
  );
}

/** A field of an answer may be named `constructor`. */
const own = (record: object, name: string): unknown =>
  Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined;

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The UUIDs of a text, in lower case. */
export const idsIn = (text: string): string[] => text.match(uuids)?.map((id) => id.toLowerCase()) ?? [];

/** The operation, or the method and the path without ids. */
export const callName = (operation: string | null | undefined, method: string, path: string): string =>
  operation ?? `${method} ${path.replaceAll(uuids, '{id}')}`;

/** A kind of values that differ between two services. */
export type Kind = 'id' | 'time' | 'token' | 'cursor' | 'number' | 'url';

export const isUuid = new RegExp(`^${uuids.source}$`, 'i');
const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)$/;
const isToken = new RegExp(String.raw`^(?:${jsonWebToken.source}|\[redacted [0-9a-f]+\])$`);
const kindsByName: Readonly<Record<string, Kind>> = {
  access_token: 'token',
  refresh_token: 'token',
  next_cursor: 'cursor',
  'x-next-cursor': 'cursor',
  shipment_order_id: 'number',
  shipment_order_number: 'number',
  tracking_number: 'number',
};

/** @param name of the field with the text */
export function kindOf(name: string, text: string): Kind | undefined {
  if (Object.hasOwn(kindsByName, name)) return kindsByName[name];
  if (isUuid.test(text)) return 'id';
  if (isTime.test(text)) return 'time';
  if (isToken.test(text)) return 'token';
  return /^https?:\/\/\S+$/.test(text) ? 'url' : undefined;
}

/** The parameters of a signed URL: values that hold for one URL only are replaced by their kind. */
function signedParts(url: string): string {
  const query = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
  const parts = Array.from(query, ([name, value]) => {
    const isOwn = /^[0-9a-f]{40,}$|^\d{8}T\d{6}Z$/i.test(value) || /credential|signature|token|key/i.test(name);
    return isOwn ? name : `${name}=${value}`;
  });
  return ['<url>', ...parts.sort()].join(' ');
}

/** A Link header without the base URL, the ids and the cursor. */
const linkParts = (link: string): string =>
  link
    .replaceAll(/<[^>]*?(?=\/v2\/)/g, '<')
    .replaceAll(/\bcursor=[^&>]*/g, 'cursor=<cursor>')
    .replaceAll(uuids, '{id}');

const comparedHeaders = ['content-type', 'retry-after', 'www-authenticate', 'link', 'x-next-cursor'] as const;
/** Whether a page has these depends on the data. */
const pageHeaders: readonly string[] = ['link', 'x-next-cursor'];

export interface Worlds {
  /** The ids of the sandbox's fixtures. */
  readonly fixtureIds: ReadonlySet<string>;
  /** Whether the target has the same fixtures. If not, its data is compared by form. */
  readonly isSameData: boolean;
}

type Pair = readonly [unknown, unknown];

/** Compares the answers of a target with those of a sandbox, in the order of the calls. */
export class AnswerComparison {
  readonly #worlds: Worlds;
  /** Ids of the target and of the sandbox that name the same record, both ways. */
  readonly #toSandbox = new Map<string, string>();
  readonly #toTarget = new Map<string, string>();

  constructor(worlds: Worlds) {
    this.#worlds = worlds;
  }

  /** @param method of the call: a GET may show data from before the comparison */
  differences(method: string, target: RecordedAnswer, sandbox: RecordedAnswer): Difference[] {
    const isRead = ['GET', 'HEAD'].includes(method);
    const areSuccesses = target.status < 300 && sandbox.status < 300;
    const isStrict = this.#worlds.isSameData || !isRead || !areSuccesses;
    const bodies = [target, sandbox].map(bodyOf);
    const [one, other] = this.#normalize([bodies[0], bodies[1]], '', isStrict);
    return [
      ...differencesOf(target.status, sandbox.status, 'status'),
      ...differencesOf(...this.#headers(target, sandbox, isStrict), 'headers'),
      ...differencesOf(one, other, 'body'),
    ];
  }

  #headers(target: RecordedAnswer, sandbox: RecordedAnswer, isStrict: boolean): Pair {
    const names = comparedHeaders.filter((name) => {
      const isInBoth = [target, sandbox].every(({ responseHeaders }) => responseHeaders.has(name));
      return isStrict || isInBoth || !pageHeaders.includes(name);
    });
    const [one, other] = [target, sandbox].map(({ responseHeaders }) =>
      Object.fromEntries(
        names.map((name) => {
          const value = responseHeaders.get(name);
          return [name, name === 'link' && value !== undefined ? linkParts(value) : value];
        }),
      ),
    );
    return this.#normalize([one, other], '', true);
  }

  /** Both values with what may differ replaced by the same text. */
  #normalize(pair: Pair, name: string, isStrict: boolean): Pair {
    const [one, other] = pair;
    if (typeof one === 'string' && typeof other === 'string') return this.#texts(one, other, name, isStrict);
    if (Array.isArray(one) && Array.isArray(other)) return this.#arrays(one, other, isStrict);
    if (isRecord(one) && isRecord(other)) return this.#records(one, other, isStrict);
    const isMissing = one === undefined || other === undefined;
    const isOfOneForm = one === null || other === null || typeof one === typeof other;
    if (!isStrict && !isMissing && isOfOneForm) return ['<any>', '<any>'];
    return [shown(name, one), shown(name, other)];
  }

  #texts(one: string, other: string, name: string, isStrict: boolean): Pair {
    const [kind, otherKind] = [kindOf(name, one), kindOf(name, other)];
    if (kind === 'id' && otherKind === 'id' && isStrict)
      return this.#isSameRecord(one.toLowerCase(), other.toLowerCase()) ? [one, one] : [one, other];
    if (kind === 'url' && otherKind === 'url' && isStrict) return [signedParts(one), signedParts(other)];
    if (kind === otherKind && (kind !== undefined || !isStrict)) return [`<${kind}>`, `<${kind}>`];
    return [shown(name, one), shown(name, other)];
  }

  #arrays(one: readonly unknown[], other: readonly unknown[], isStrict: boolean): Pair {
    const length = isStrict ? Math.max(one.length, other.length) : Math.min(one.length, other.length, 1);
    const items = Array.from({ length }, (_, at) => this.#normalize([one[at], other[at]], '', isStrict));
    return [items.map(([item]) => item), items.map(([, item]) => item)];
  }

  #records(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>, isStrict: boolean): Pair {
    const [id, otherId] = [one.id, other.id];
    // A record that both have: one of the fixtures, or one that was created during the comparison.
    const isShared = typeof id === 'string' && (id === otherId || this.#toSandbox.get(id) === otherId);
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const parts = names.map((name) => {
      const [part, otherPart] = this.#normalize([own(one, name), own(other, name)], name, isStrict || isShared);
      return [[name, part] as const, [name, otherPart] as const] as const;
    });
    return [Object.fromEntries(parts.map(([part]) => part)), Object.fromEntries(parts.map(([, part]) => part))];
  }

  /** Two new ids name the same record from their first place on. */
  #isSameRecord(one: string, other: string): boolean {
    if (one === other) return true;
    const { fixtureIds } = this.#worlds;
    if (fixtureIds.has(one) || fixtureIds.has(other)) return false;
    if (!this.#toSandbox.has(one) && !this.#toTarget.has(other)) {
      this.#toSandbox.set(one, other);
      this.#toTarget.set(other, one);
    }
    return this.#toSandbox.get(one) === other;
  }
}

/** The JSON of the body, or its text. */
const bodyOf = ({ responseBody }: RecordedAnswer): unknown => jsonValueOf(responseBody ?? null) ?? responseBody;

/** A value as a difference shows it: of a secret or a time only the kind. */
function shown(name: string, value: unknown): unknown {
  const kind = typeof value === 'string' ? kindOf(name, value) : undefined;
  return kind === undefined || kind === 'id' ? value : `<${kind}>`;
}

// How two answers to the same call differ. Values that no two services share (ids, times, tokens, signatures) are
// compared by their kind, and ids also by their relations.
import { isRecord } from '../contract/schema.ts';
import { jsonWebToken } from '../journal/redaction.ts';
import { answerJsonOf, type RecordedCall } from './recorded-call.ts';

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
  const parts = partPairs(one, other);
  if (!parts) return Object.is(one, other) ? [] : [{ path, one, other }];
  return parts.flatMap(([name, ...pair]) => differencesOf(...pair, path === '' ? name : `${path}.${name}`));
}

/** The parts of two lists or two records by name, each with its counterpart; undefined for other values. */
export function partPairs(one: unknown, other: unknown): [name: string, one: unknown, other: unknown][] | undefined {
  const areLists = Array.isArray(one) && Array.isArray(other);
  if (!areLists && !(isRecord(one) && isRecord(other))) return undefined;
  // A field may be named `constructor`.
  const own = (value: object, name: string): unknown =>
    Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Array.from(names, (name) => [name, own(one, name), own(other, name)]);
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The UUIDs of a text, in lower case. */
export const idsIn = (text: string): string[] => text.match(uuids)?.map((id) => id.toLowerCase()) ?? [];

/** The operation, or the method and the path without ids. */
export const callName = (operation: string | null | undefined, method: string, path: string): string =>
  operation ?? `${method} ${path.replaceAll(uuids, '{id}')}`;

/** A kind of values that differ between two services. */
export type Kind = 'id' | 'time' | 'token' | 'cursor' | 'number' | 'url';

export const isUuid = new RegExp(`^${uuids.source}$`, 'i');
const kindsByName: readonly (readonly [Kind, RegExp])[] = [
  ['token', /^(?:access|refresh)_token$/],
  ['cursor', /^(?:next_cursor|x-next-cursor)$/],
  ['number', /^(?:shipment_order_id|shipment_order_number|tracking_number)$/],
];
const kindsByForm: readonly (readonly [Kind, RegExp])[] = [
  ['id', isUuid],
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)$/],
  ['token', new RegExp(String.raw`^(?:${jsonWebToken.source}|\[redacted [0-9a-f]+\])$`)],
  ['url', /^https?:\/\/\S+$/],
];

/** The kind of a text; undefined for other values. @param name of its field */
export function kindOf(name: string, text: unknown): Kind | undefined {
  if (typeof text !== 'string') return undefined;
  const byName = kindsByName.find(([, names]) => names.test(name));
  return (byName ?? kindsByForm.find(([, form]) => form.test(text)))?.[0];
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

/** The header as it is compared; undefined if the answer lacks it. */
function headerOf({ responseHeaders }: RecordedAnswer, name: string): string | undefined {
  const value = responseHeaders.get(name);
  return name === 'link' && value !== undefined ? linkParts(value) : value;
}

export interface Worlds {
  /** The ids of the sandbox's fixtures. */
  readonly fixtureIds: ReadonlySet<string>;
  /** Whether the target has the same fixtures. If not, its data is compared by form. */
  readonly isSameData: boolean;
}

/** Compares the answers of a target with those of a sandbox, in the order of the calls. */
export class AnswerComparison {
  readonly #worlds: Worlds;
  /** Ids of the target and of the sandbox that name the same record, both ways. */
  readonly #counterparts = new Map<string, string>();

  constructor(worlds: Worlds) {
    this.#worlds = worlds;
  }

  /** @param method of the call: a GET may show data from before the comparison */
  differences(method: string, target: RecordedAnswer, sandbox: RecordedAnswer): Difference[] {
    const isRead = ['GET', 'HEAD'].includes(method);
    const areSuccesses = target.status < 300 && sandbox.status < 300;
    const isStrict = this.#worlds.isSameData || !isRead || !areSuccesses;
    const headers = comparedHeaders.flatMap((name) => {
      const [one, other] = [headerOf(target, name), headerOf(sandbox, name)];
      const isCompared = isStrict || !pageHeaders.includes(name) || (one !== undefined && other !== undefined);
      return isCompared ? this.#compare(one, other, `headers.${name}`, true) : [];
    });
    const bodies = [target, sandbox].map((answer) => answerJsonOf(answer) ?? answer.responseBody);
    return [
      ...this.#compare(target.status, sandbox.status, 'status', true),
      ...headers,
      ...this.#compare(bodies[0], bodies[1], 'body', isStrict),
    ];
  }

  #compare(one: unknown, other: unknown, path: string, isStrict: boolean): Difference[] {
    const parts = partPairs(one, other);
    if (!parts) return this.#compareValues(one, other, path, isStrict);
    const [id, otherId] = parts.find(([name]) => name === 'id')?.slice(1) ?? [];
    // A record that both have: one of the fixtures, or one that was created during the comparison.
    const isShared = typeof id === 'string' && (id === otherId || this.#counterparts.get(id) === otherId);
    // Lists of other data are compared by the form of their first items.
    const areForms = Array.isArray(one) && Array.isArray(other) && !isStrict;
    return (areForms ? parts.slice(0, Math.min(one.length, other.length, 1)) : parts).flatMap(([name, ...pair]) =>
      this.#compare(...pair, `${path}.${name}`, isStrict || isShared),
    );
  }

  #compareValues(one: unknown, other: unknown, path: string, isStrict: boolean): Difference[] {
    const name = path.slice(path.lastIndexOf('.') + 1);
    const [kind, otherKind] = [kindOf(name, one), kindOf(name, other)];
    const areTexts = typeof one === 'string' && typeof other === 'string';
    if (areTexts && isStrict && kind === 'id' && otherKind === 'id')
      return this.#isSameRecord(one.toLowerCase(), other.toLowerCase()) ? [] : [{ path, one, other }];
    if (areTexts && isStrict && kind === 'url' && otherKind === 'url')
      return differencesOf(signedParts(one), signedParts(other), path);
    if (areTexts && kind === otherKind && (kind !== undefined || !isStrict)) return [];
    const isMissing = one === undefined || other === undefined;
    const isOfOneForm = one === null || other === null || typeof one === typeof other;
    if (!areTexts && !isStrict && !isMissing && isOfOneForm) return [];
    // Of a secret or a time only the kind is shown.
    const shown = (value: unknown, its: Kind | undefined) => (its === undefined || its === 'id' ? value : `<${its}>`);
    return differencesOf(shown(one, kind), shown(other, otherKind), path);
  }

  /** Two new ids name the same record from their first place on. */
  #isSameRecord(one: string, other: string): boolean {
    const { fixtureIds } = this.#worlds;
    if (one === other || fixtureIds.has(one) || fixtureIds.has(other)) return one === other;
    if (!this.#counterparts.has(one) && !this.#counterparts.has(other))
      this.#counterparts.set(one, other).set(other, one);
    return this.#counterparts.get(one) === other;
  }
}

// A completed call as the conduct rules see it: what came, what the client was told, and what identifies a call that comes again.
import { operations } from '../contract/operations.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import type { RuleId } from '../contract/rules.ts';
import { type Hashes, hex } from '../domain/hashes.ts';
import type { StageName } from '../journal/decision.ts';
import type { Answer, Entry } from '../journal/entry.ts';
import { fieldsOf } from '../journal/entry.ts';

// Who may have known what: whether a call was made by a client that had an earlier answer already, or was under way beside it.

/** An answer, as far as it matters who has seen it. It holds no bodies. */
export interface Told {
  /** The id of its request. */
  readonly id: string;
  /** Of a call in process: when the caller had the answer. */
  readonly handedOver: Answer['handedOver'];
  /** Real time in milliseconds. */
  readonly endedAt: number;
  readonly isOverPort: boolean;
  /** The sandbox's time in milliseconds. */
  readonly answeredAt: number;
}

/** A call on its arrival. */
export type Came = Pick<Entry, 'isOverPort' | 'sequence' | 'startedAt'>;

/** Over a port: what a call may wait for its connection, or take until it is read. */
const underWayMilliseconds = 1000;
export const toldBy = (
  { id, isOverPort, startedAt }: Entry,
  { handedOver, durationMilliseconds, answeredAt }: Answer,
): Told => ({ id, handedOver, isOverPort, endedAt: startedAt + durationMilliseconds, answeredAt });

/** Real time in milliseconds after which no call arrives that was sent beside the answered one. */
const settledAt = ({ isOverPort, endedAt, handedOver }: Told): number =>
  isOverPort ? endedAt + underWayMilliseconds : handedOver.settledAt;

/**
 * Whether whoever made the call had the answer. What comes soon may have been sent beside the one that was answered, and have waited for
 * its connection: that cannot be told (docs/decisions/0012).
 */
export function knew(told: Told, call: Came): 'yes' | 'no' | 'perhaps' {
  if (!cameAfter(told, call)) return 'no';
  return call.startedAt > settledAt(told) ? 'yes' : 'perhaps';
}

/** Whether the call came after the answer had been given, whoever had it; in process, after it could be read. */
export const cameAfter = ({ endedAt, handedOver }: Told, { isOverPort, startedAt, sequence }: Came): boolean =>
  startedAt >= endedAt && (isOverPort || sequence >= handedOver.from);

type Fields = Readonly<Record<string, unknown>>;

/** Refusals of the token and of the rate limit. */
const passing = [401, 429];
/** A longer text is kept as its hash: longer than most orders, which are hashed slowly where only JavaScript does it. */
const longestKeyCharacters = 1000;
const longestNameCharacters = 200;

/** Calls are compared as they came, with their secrets; only names of fields and paths stand in the report, redacted. */
export class CompletedCall implements Came {
  readonly #entry: Entry;
  readonly #answer: Answer;
  readonly #hashes: Hashes;
  #bearer: string | null | undefined;
  #key: string | undefined;
  #told: Told | undefined;
  #sent: Fields | undefined;
  #got: Fields | undefined;
  /** The status that the client was told; null where the answer was lost. */
  readonly status: number | null;

  constructor(entry: Entry, answer: Answer, hashes: Hashes) {
    this.#entry = entry;
    this.#answer = answer;
    this.#hashes = hashes;
    this.status = answer.decision.isLost ? null : answer.status;
  }

  get id(): string {
    return this.#entry.id;
  }
  get sequence(): number {
    return this.#entry.sequence;
  }
  get startedAt(): number {
    return this.#entry.startedAt;
  }
  get isOverPort(): boolean {
    return this.#entry.isOverPort;
  }
  get method(): string {
    return this.#entry.method;
  }
  /** Whether it asks only: such calls may well be made side by side, each the same as the other. */
  get isSafe(): boolean {
    return this.method === 'GET' || this.method === 'HEAD';
  }
  get operation(): Entry['operation'] {
    return this.#entry.operation;
  }
  /** As it came: it may hold a secret. */
  get path(): string {
    return this.#entry.received.path;
  }
  /** The query with its question mark, or nothing. */
  get query(): string {
    return this.#entry.received.query;
  }
  /** The cursor that is asked for; null where there is none. */
  get cursor(): string | null {
    return this.query.includes('cursor') ? new URLSearchParams(this.query).get('cursor') : null;
  }
  /** When it came, in milliseconds of the sandbox's time. */
  get at(): number {
    return this.#entry.receivedAt;
  }
  /** The status that the service came to, whether the client was told or not; null where it never came to one. */
  get reached(): number | null {
    return this.#answer.status;
  }
  /** Whether it was refused for good: neither for its token nor for the time being. */
  get isFinal(): boolean {
    return this.status !== null && this.status >= 400 && this.status < 500 && !passing.includes(this.status);
  }
  get isLost(): boolean {
    return this.#answer.decision.isLost;
  }
  get isInjected(): boolean {
    return this.#answer.decision.isInjected;
  }
  get stage(): StageName {
    return this.#answer.decision.stage;
  }
  get rules(): readonly RuleId[] {
    return this.#answer.decision.rules;
  }
  get fields(): readonly (string | null)[] {
    return this.#answer.decision.details.map(({ field }) => field);
  }
  get assumptions(): Assumptions | undefined {
    return this.#answer.decision.assumptions;
  }
  /** The next cursor that it was answered with; null on the last page, undefined where it is no page. */
  get next(): string | null | undefined {
    return this.#answer.decision.next;
  }
  /** The username of the caller, where the token was good. */
  get caller(): string | null {
    return this.#answer.caller;
  }
  /** The name of what was called: the operation's, else method and path, as far as a name may be long. */
  get name(): string {
    return this.operation ?? `${this.#entry.method} ${this.#entry.path}`.slice(0, longestNameCharacters);
  }
  get told(): Told {
    this.#told ??= toldBy(this.#entry, this.#answer);
    return this.#told;
  }

  /** What stands for the access token; undefined where there is none, or where none is needed. */
  get bearer(): string | undefined {
    if (this.#bearer === undefined) this.#bearer = bearerOf(this.#entry) ?? null;
    return this.#bearer ?? undefined;
  }

  /** The same for two calls that ask for the same: by method, path, query and body. */
  get key(): string {
    this.#key ??= keyOf(this.#entry, this.#hashes);
    return this.#key;
  }

  /** A text of the call as it may be shown. */
  redacted(text: string): string {
    return this.#entry.redactor?.text(text) ?? text;
  }

  /** Whether this text stands in the body of the answer. */
  tells(text: string): boolean {
    return this.#answer.sentBody?.includes(text) === true;
  }

  /** The fields of the body; none where it is no JSON object. */
  get sent(): Fields {
    this.#sent ??= fieldsOf(this.#entry.received.body);
    return this.#sent;
  }

  /** The fields of the answer. */
  get got(): Fields {
    this.#got ??= fieldsOf(this.#answer.sentBody);
    return this.#got;
  }

  /** A header of the answer, by its name as the service writes it. */
  header(name: string): string | undefined {
    return this.#answer.sentHeaders[name];
  }
}

const scheme = /^\s*bearer\s+/i;

function bearerOf({ received: { operation, headers } }: Entry): string | undefined {
  if (!operation || operations[operation].permission === null) return undefined;
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  const value = at < 0 ? undefined : headers[at + 1];
  return value !== undefined && scheme.test(value) ? value.replace(scheme, '') : undefined;
}

function keyOf({ received: { method, path, query, body } }: Entry, hashes: Hashes): string {
  const text = `${method} ${path}${query}\n${body ?? ''}`;
  return text.length > longestKeyCharacters ? hex(hashes.sha256(text)) : text;
}

// Whether the same order means the same wish: who orders the same again a week later wants it again.

const weekMilliseconds = 7 * 86_400_000;

export const isSameWant = ({ answeredAt }: Told, { at }: { readonly at: number }): boolean =>
  at - answeredAt < weekMilliseconds;

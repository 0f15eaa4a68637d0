// Sends the calls of a recording again: which of them can be sent, and how each is sent to another service, where ids,
// tokens and cursors have other values.
import { isRecord } from '../contract/schema.ts';
import { operationOf } from './call-to-judge.ts';
import { idsIn, kindOf, partPairs, type RecordedAnswer } from './difference.ts';
import { decoded, textOf, textsIn } from './json-parts.ts';
import { answerJsonOf, bearerOf, headersOf, type RecordedCall, requestJsonOf } from './recorded-call.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Calls to send, and how many are left out, by the reason. */
export interface ReplayPlan {
  readonly calls: readonly RecordedCall[];
  readonly leftOut: Readonly<Record<string, number>>;
}

const isRead = ({ method }: RecordedCall): boolean => ['GET', 'HEAD'].includes(method);
const sentMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const writesReason = 'they may write, which needs --allow-writes';

function reasonToLeaveOut(call: RecordedCall, allowsWrites: boolean): string | undefined {
  const { method, path, requestBody } = call;
  if (!path.startsWith('/v2/')) return 'their path is not below /v2';
  if (!sentMethods.includes(method)) return `the method ${method} is not sent`;
  if (requestBody === undefined) return 'the recording does not have the body of the request';
  const isWrite = !isRead(call) && operationOf(call)?.operation.permission !== null;
  return isWrite && !allowsWrites ? writesReason : undefined;
}

/** The tokens of a login that the recording does not have. */
const ownTokens = { access_token: 'eyJ.own.access', refresh_token: 'eyJ.own.refresh', expires_in: 86_400 };
const invalidToken = 'x.y.z';
const isSecret = /^(?:[\w-]+\.[\w-]+\.[\w-]*|\[redacted [0-9a-f]+\])$/;
const isSuccess = ({ status }: Pick<RecordedCall, 'status'>): boolean => status >= 200 && status < 300;

/** The plan, in the order in which the calls were made. It begins with a login if the recording lacks one. */
export function planReplay(recorded: readonly RecordedCall[], allowsWrites: boolean): ReplayPlan {
  const leftOut: Record<string, number> = {};
  const known = new Set<unknown>();
  const calls: RecordedCall[] = [];
  for (const call of recorded.toSorted((one, other) => one.at - other.at)) {
    const reason = reasonToLeaveOut(call, allowsWrites);
    if (reason === undefined) calls.push(withKnownTokens(call, known));
    else leftOut[reason] = (leftOut[reason] ?? 0) + 1;
    const answer = reason === undefined && answerJsonOf(call);
    if (isRecord(answer)) for (const name of ['access_token', 'refresh_token']) known.add(answer[name]);
  }
  const usesOwn = calls.some((call) => bearerOf(call) === ownTokens.access_token || call.requestBody === ownRefresh);
  return { calls: usesOwn ? [ownLogin(calls[0]), ...calls] : calls, leftOut };
}

const ownRefresh = JSON.stringify({ refresh_token: ownTokens.refresh_token });

/** With the tokens of the own login in place of those that no answer before gave. */
function withKnownTokens(call: RecordedCall, known: ReadonlySet<unknown>): RecordedCall {
  const operation = operationOf(call)?.operation;
  if (operation?.id === 'authentication.refresh') {
    const token = textOf(requestJsonOf(call), 'refresh_token');
    return isSuccess(call) && !known.has(token) ? { ...call, requestBody: ownRefresh } : call;
  }
  const token = bearerOf(call);
  const isUnknown = token !== undefined && isSecret.test(token) && !known.has(token);
  // The recorder left the header out.
  const isStripped = !call.requestHeaders.has('authorization') && isSuccess(call) && operation?.permission != null;
  if (!isStripped && !isUnknown) return call;
  const isRefused = call.status === 401;
  // A refused token stays as it is, unless it is redacted: then any invalid one takes its place.
  if (isRefused && !token?.startsWith('[')) return call;
  const authorization = `Bearer ${isRefused ? invalidToken : ownTokens.access_token}`;
  return { ...call, requestHeaders: new Map([...call.requestHeaders, ['authorization', authorization]]) };
}

const ownLogin = (first: RecordedCall | undefined): RecordedCall => ({
  ...{ at: first?.at ?? 0, baseUrl: first?.baseUrl ?? '', method: 'POST', path: '/v2/authentication/token', query: '' },
  requestHeaders: headersOf([['content-type', 'application/json']]),
  requestBody: JSON.stringify({ username: '', password: '' }),
  ...{ status: 200, responseHeaders: new Map(), responseBody: JSON.stringify(ownTokens) },
});

/** The usernames that the recording logged in with, and whether their passwords are redacted. Empty: the own login. */
export const loginsIn = ({ calls }: ReplayPlan): { readonly username: string; readonly isRedacted: boolean }[] =>
  calls
    .filter(isLogin)
    .map(requestJsonOf)
    .map((body) => ({
      username: textOf(body, 'username') ?? '',
      isRedacted: isSecret.test(textOf(body, 'password') ?? '[redacted 0]'),
    }));

export const isLogin = (call: RecordedCall): boolean =>
  operationOf(call)?.operation.id === 'authentication.token' && isSuccess(call);

/**
 * Of the calls, those that must be sent so that the wanted ones get the same answers: the calls that changed
 * something, and those whose answers have the ids and cursors that later ones send.
 */
export function neededCalls(calls: readonly RecordedCall[], wanted: ReadonlySet<number>): Set<number> {
  const givers = new Map(calls.flatMap((call, at) => valuesGiven(call).map((value) => [value, at] as const)).reverse());
  const writes = [...calls.keys()].filter((at) => calls[at] && isSuccess(calls[at]) && !isRead(calls[at]));
  const needed = new Set([...wanted, ...writes]);
  // The loop also visits values that it adds.
  for (const at of needed)
    for (const value of valuesSent(calls[at] as RecordedCall)) needed.add(Math.min(givers.get(value) ?? at, at));
  return needed;
}

const valuesGiven = (call: RecordedCall): string[] => idsIn(call.responseBody ?? '').concat(cursorOf(call) ?? []);
const valuesSent = ({ path, query, requestBody }: RecordedCall): string[] =>
  idsIn(`${path}${query}${requestBody}`).concat(new URLSearchParams(query).getAll('cursor'));

export interface ReplayRequest {
  readonly method: string;
  /** Path and query, still encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Rewrites the calls of a recording for one service, with the values that its answers have in the same places. */
export class Correlation {
  readonly #credentialsOf: (username: string) => Credentials | undefined;
  readonly #ownIds: ReadonlySet<string>;
  /** The values of this service by the recorded ones. */
  readonly #values = new Map<string, string>();

  /**
   * @param credentialsOf for the login of a recorded username; undefined: the recorded ones
   * @param ownIds ids that this service is known to have; they stay the same
   */
  constructor(credentialsOf: (username: string) => Credentials | undefined, ownIds: ReadonlySet<string> = new Set()) {
    this.#credentialsOf = credentialsOf;
    this.#ownIds = ownIds;
  }

  requestFor(call: RecordedCall): ReplayRequest {
    const { method, path, query, requestHeaders } = call;
    const token = bearerOf(call);
    const type = requestHeaders.get('content-type');
    const ownPart = (part: string): string => {
      const value = decoded(part.replaceAll('+', ' '));
      return value === this.#valueOf(value) ? part : encodeURIComponent(this.#valueOf(value));
    };
    const authorization = token === undefined ? requestHeaders.get('authorization') : `Bearer ${this.#valueOf(token)}`;
    return {
      method,
      target: path.replaceAll(/[^/]+/g, (part) => this.#valueOf(part)) + query.replaceAll(/(?<==)[^&]+/g, ownPart),
      headers: {
        ...(type !== undefined && { 'content-type': type }),
        ...(authorization !== undefined && { authorization }),
      },
      body: isRead(call) ? null : this.#bodyFor(call),
    };
  }

  /** Learns the values of this service from its answer to a call. */
  add(call: RecordedCall, answer: RecordedAnswer): void {
    const [recorded, own] = [call, answer].map(answerJsonOf);
    const [recordedTexts, ownTexts] = [new Set(textsIn(recorded)), new Set(textsIn(own))];
    for (const [name, text, ownText] of textPairs(recorded, own)) {
      if (!['id', 'token'].includes(kindOf(name, text) ?? '') || this.#values.has(text)) continue;
      // A list of the service may have the same records in other places.
      if (this.#ownIds.has(text) || ownTexts.has(text)) this.#values.set(text, text);
      else if (!recordedTexts.has(ownText)) this.#values.set(text, ownText);
    }
    const [cursor, ownCursor] = [cursorOf(call), cursorOf(answer)];
    if (cursor !== undefined && ownCursor !== undefined) this.#values.set(cursor, ownCursor);
  }

  #valueOf(text: string): string {
    return this.#values.get(text) ?? text;
  }

  #bodyFor(call: RecordedCall): string | null {
    const { requestBody = null } = call;
    const body = requestJsonOf(call);
    if (isLogin(call)) {
      const credentials = this.#credentialsOf(textOf(body, 'username') ?? '');
      return credentials ? JSON.stringify({ ...(body as object), ...credentials }) : requestBody;
    }
    // The text stays as it is unless a value changes: the service may read odd JSON in its own way.
    return textsIn(body).some((text) => this.#valueOf(text) !== text)
      ? JSON.stringify(body, (_, value) => (typeof value === 'string' ? this.#valueOf(value) : value))
      : requestBody;
  }
}

/** The texts at the same places of two JSON values, with the name of their field. */
function textPairs(one: unknown, other: unknown, name = ''): (readonly [name: string, one: string, other: string])[] {
  if (typeof one === 'string' && typeof other === 'string') return [[name, one, other]];
  return (partPairs(one, other) ?? []).flatMap(([key, ...pair]) => textPairs(...pair, key));
}

/** The cursor of the next page, from each place that `next_cursor` allows. */
function cursorOf(answer: RecordedAnswer): string | undefined {
  const { responseHeaders } = answer;
  const body = answerJsonOf(answer);
  const [linked = ''] = /(?<=[?&])cursor=[^&>]+/.exec(responseHeaders.get('link') ?? '') ?? [];
  return (
    textOf(body, 'next_cursor') ??
    textOf(isRecord(body) ? body.meta : undefined, 'next_cursor') ??
    responseHeaders.get('x-next-cursor') ??
    new URLSearchParams(linked).get('cursor') ??
    undefined
  );
}

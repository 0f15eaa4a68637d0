// A recorded call with what it is judged by: its operation, its parts, and what the recording showed before it.
import { namesIn, patternOf, queryValues } from '../contract/addresses.ts';
import { operationList, type ServiceOperation } from '../contract/operations.ts';
import { probeMark } from '../contract/probes.ts';
import { internTimes } from '../contract/resolved-assumptions.ts';
import { jsonValueOf } from '../journal/redaction.ts';
import type { History, TokenState } from './history.ts';
import { decoded, pouchesOf, textOf } from './json-parts.ts';
import { answerJsonOf, type RecordedCall } from './recorded-call.ts';

/** A call with what it is judged by. */
export interface CallToJudge {
  readonly call: RecordedCall;
  /** The file of the recording, or the URL of the service. */
  readonly source: string;
  readonly operation: ServiceOperation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  /** The JSON of the request, null without a body; undefined with a fault. */
  readonly body?: unknown;
  /** `unknown`: the recording does not have the body. */
  readonly bodyFault?: 'malformed' | 'unsupported' | 'unknown';
  /** The JSON of the answer; undefined for another text. */
  readonly answer: unknown;
  readonly token: TokenState;
  readonly history: History;
}

/** The operation of a call, and the values of its path. */
export type FoundOperation = Pick<CallToJudge, 'operation' | 'params'>;

const operationPatterns = operationList.map((operation) => ({
  operation,
  pattern: new RegExp(patternOf(operation.path).source.replaceAll('[^/]+', '([^/]+)')),
}));

/** Undefined for a path or method that the contract does not have. */
export function operationOf({ method, path }: RecordedCall): FoundOperation | undefined {
  for (const { operation, pattern } of operationPatterns) {
    const match = operation.method === method && pattern.exec(path);
    if (!match) continue;
    const names = namesIn(operation.path);
    return { operation, params: Object.fromEntries(names.map((name, at) => [name, decoded(match[at + 1] ?? '')])) };
  }
  return undefined;
}

const jsonType = /^application\/(?:[^/ \t;]+\+)?json(?:[ \t;]|$)/i;

function bodyOf({ requestBody, requestHeaders }: RecordedCall): Pick<CallToJudge, 'body' | 'bodyFault'> {
  if (requestBody === undefined || requestHeaders.has('content-encoding')) return { bodyFault: 'unknown' };
  if (!requestBody) return { body: null };
  const type = requestHeaders.get('content-type');
  if (type && !jsonType.test(type)) return { bodyFault: 'unsupported' };
  const body = jsonValueOf(requestBody);
  return body === undefined ? { bodyFault: 'malformed' } : { body };
}

export function callToJudge(call: RecordedCall, found: FoundOperation, history: History, source: string): CallToJudge {
  const [query, token] = [queryValues(call.query), history.tokenState(call, source)];
  return { ...found, ...bodyOf(call), call, source, query, answer: answerJsonOf(call), token, history };
}

/** The list of `time_of_administration: closed`. Unknown: every time of the request is in it, except a probe's. */
export function timesFor({ body }: CallToJudge, known: readonly string[] | undefined): readonly string[] {
  const inRequest = pouchesOf(body).flatMap(([, pouch]) => textOf(pouch, 'time_of_administration') ?? []);
  const times = ['', ...inRequest.filter((time) => !time.startsWith(probeMark))];
  return internTimes({ values: known ?? [...new Set(times)] }).values;
}

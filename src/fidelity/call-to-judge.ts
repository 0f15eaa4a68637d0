// A recorded call with what it is judged by: its operation, its parts, and what the recording showed before it.
import { patternOf, queryValues } from '../contract/addresses.ts';
import { operationList, type ServiceOperation } from '../contract/operations.ts';
import { probeMark } from '../contract/probes.ts';
import { internTimes } from '../contract/resolved-assumptions.ts';
import { jsonValueOf, readJson } from '../journal/redaction.ts';
import type { History, TokenState } from './history.ts';
import { decoded, pouchesOf, textOf } from './json-parts.ts';
import type { RecordedCall } from './recorded-call.ts';

/** A call with what it is judged by. */
export interface CallToJudge {
  readonly call: RecordedCall;
  readonly operation: ServiceOperation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  /** `unknown`: the recording does not have it. */
  readonly body: { readonly value: unknown } | 'malformed' | 'unsupported' | 'unknown';
  /** The JSON of the answer; undefined if the recording does not have it. */
  readonly answer: { readonly value: unknown } | 'malformed' | undefined;
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
    const [, id] = (operation.method === method && pattern.exec(path)) || [];
    if (operation.method === method && pattern.test(path)) {
      const [name] = /(?<=\{)\w+/.exec(operation.path) ?? [];
      return { operation, params: name === undefined || id === undefined ? {} : { [name]: decoded(id) } };
    }
  }
  return undefined;
}

const jsonType = /^application\/(?:[^/ \t;]+\+)?json(?:[ \t;]|$)/i;

function bodyOf({ requestBody, requestHeaders }: RecordedCall): CallToJudge['body'] {
  if (requestBody === undefined || requestHeaders.has('content-encoding')) return 'unknown';
  if (requestBody === null || requestBody === '') return { value: null };
  const type = requestHeaders.get('content-type');
  if (type && !jsonType.test(type)) return 'unsupported';
  return readJson(requestBody) ?? 'malformed';
}

/** @param source of the call */
export function callToJudge(call: RecordedCall, found: FoundOperation, history: History, source: string): CallToJudge {
  const { responseBody } = call;
  return {
    ...found,
    call,
    query: queryValues(call.query),
    body: bodyOf(call),
    answer: responseBody === undefined ? undefined : (readJson(responseBody) ?? 'malformed'),
    token: history.tokenState(call, source),
    history,
  };
}

/** The list of `time_of_administration: closed`. While it is unknown, every time of a request is in it, except a probe's. */
export function timesFor({ call }: CallToJudge, known: readonly string[] | undefined): readonly string[] {
  const inRequest = pouchesOf(jsonValueOf(call.requestBody ?? null))
    .flatMap(([, pouch]) => textOf(pouch, 'time_of_administration') ?? [])
    .filter((time) => !time.startsWith(probeMark));
  return internTimes({ values: known ?? [...new Set(['', ...inRequest])] }).values;
}

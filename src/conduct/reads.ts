// The conduct rules about what a client reads and sends: `cursor_opaque`, `cursor_to_the_end`, `fresh_label`,
// `documented_fields`.
import { labelPath, storagePath } from '../contract/addresses.ts';
import type { Operation } from '../contract/operation.ts';
import { type OperationId, operations } from '../contract/operations.ts';
import { Assumptions, internChoices } from '../contract/resolved-assumptions.ts';
import type { Decision, StageName } from '../journal/decision.ts';
import { type CallTiming, type CompletedCall, hadAnswer } from './completed-call.ts';
import type { Rule } from './rule.ts';
import { RecentMap } from './sessions.ts';

/** The client sends only cursors from responses. The service signs them, so it rejects an invented one. */
export const cursorOpaque: Rule = (verdict) => ({
  observe({ id, cursor, decision }) {
    if (cursor === null) return;
    if (decision.next !== undefined) verdict.pass(id);
    else if (decision.stage !== 'admission' && isCursorRefused(decision))
      verdict.fail('The client sent a cursor that no response had', id);
  },
});

/** A list without pages rejects a cursor as an unknown parameter. */
const isCursorRefused = ({ details, rules }: Decision): boolean =>
  details.some(({ field }, index) => field === 'cursor' && rules[index] !== 'unknown_fields');

/**
 * The client follows the next cursor of every page, with any `limit`: once it has read a list to its end, it need not
 * follow cursors of an earlier or smaller page. In lists of orders, the newest are enough to find an order.
 */
export const cursorToTheEnd: Rule = (verdict, sessions) => {
  /** The requests whose next cursors were not followed yet, and their lists, by operation and cursor. */
  const open = new RecentMap<string, { readonly id: string; readonly list: string }>();
  function read(call: CompletedCall, next: string | null): void {
    const list = `${sessions.userOf(call)}\n${listOf(call)}`;
    if (next !== null) open.set(`${call.name} ${next}`, { id: call.id, list });
    else for (const [key, page] of open) if (page.list === list) open.delete(key);
    if (call.cursor !== null || next !== null) verdict.pass(call.id);
  }
  return {
    observe(call) {
      if (call.operation === 'orders.list') return;
      const { cursor, name } = call;
      const next = call.status === null || call.method === 'HEAD' ? undefined : call.decision.next;
      // After a final refusal of a page, the client can follow no further.
      if (cursor !== null && (next !== undefined || call.isFinal)) open.delete(`${name} ${cursor}`);
      if (next !== undefined) read(call, next);
    },
    outstanding: () => ({
      finding: 'The client did not read a list to its end',
      evidence: Array.from(open.values(), ({ id }) => id),
    }),
  };
};

/** The list that a page belongs to: its path and filters. */
function listOf({ path, query }: CompletedCall): string {
  const filters = new URLSearchParams(query);
  for (const name of ['limit', 'cursor']) filters.delete(name);
  return `${path}?${filters}`;
}

const labelPattern = new RegExp(`^${labelPath('([\\da-f-]{36})')}$`, 'i');
/** Refusals caused by the stored object, not by its URL. */
const objectRefusals = [412, 416];
/** Answers with fresh label URLs of several fulfillments. */
const labelLists: readonly OperationId[] = ['fulfillments.list', 'orders.fulfillments'];

/** A rejected label_url is not used again: the client gets the fulfillment again, which has a fresh one. */
export const freshLabel: Rule = (verdict) => {
  const refused = new RecentMap<string, CallTiming>();
  /**
   * The number of label URLs in responses, less their uses, by fulfillment. Within a second the service returns the
   * same URL again, so a client may use a URL as often as it was returned.
   */
  const unused = new RecentMap<string, number>();
  let unusedOfAll = 0;
  const countUnused = (id: string, change: number) => unused.set(id, (unused.get(id) ?? 0) + change);
  /** The requests that were refused, by fulfillment, until the client asks for a fresh URL. */
  const stale = new RecentMap<string, string>();
  function downloaded(call: CompletedCall): void {
    const id = labelPattern.exec(call.path)?.[1]?.toLowerCase() ?? '';
    countUnused(id, -1);
    verdict.pass(call.id);
    if (!isLabelRefused(call)) return void stale.delete(id);
    const refusal = refused.get(call.key);
    const known = refusal && hadAnswer(call, refusal);
    if (refusal && (known === 'yes' || (known === 'perhaps' && (unused.get(id) ?? 0) + unusedOfAll < 0)))
      verdict.fail('The client used a label_url again after it was rejected', refusal.id, call.id);
    refused.set(call.key, refusal ?? call.timing);
    if (id !== '') stale.set(id, call.id);
  }
  function asked({ path, status, isFinal }: CompletedCall): void {
    if (status !== 200 && !isFinal) return;
    const id = path.split('/').at(-1)?.toLowerCase() ?? '';
    stale.delete(id);
    countUnused(id, 1);
  }
  function listed({ status, isFinal, answer }: CompletedCall): void {
    if (status !== 200 && !isFinal) return;
    unusedOfAll += 1;
    // A client whose list is refused can do no more.
    for (const id of [...stale.keys()]) if (isFinal || answer.sentBody?.includes(id)) stale.delete(id);
  }
  return {
    observe(call) {
      const { method, path, operation } = call;
      if (method !== 'GET') return;
      if (path.startsWith(`${storagePath}/`)) {
        if (isAboutUrl(call)) downloaded(call);
      } else if (operation === 'fulfillments.get') asked(call);
      else if (operation !== null && labelLists.includes(operation)) listed(call);
    },
    outstanding: () => ({
      finding: 'The client did not get a fresh label_url after one was rejected',
      evidence: [...stale.values()],
    }),
  };
};

/** A service that fails says nothing about the URL, nor does a refusal of an Authorization header. */
const isAboutUrl = ({ isServerError, decision }: CompletedCall): boolean =>
  !isServerError && !decision.rules.includes('storage_auth');

const isLabelRefused = ({ isFinal, status }: CompletedCall): boolean =>
  status === 401 || (isFinal && !objectRefusals.includes(status ?? 0));

/** The stages that answer once the fields were validated. */
const stagesAfterFields: readonly StageName[] = ['query', 'bodySchema', 'operation'];

/** The client sends only fields that the contract names, even if the sandbox ignores others. */
export const documentedFields: Rule = (verdict) => ({
  observe(call) {
    const { operation, id } = call;
    if (operation === null || !stagesAfterFields.includes(call.decision.stage)) return;
    const unknown = unknownFields(call, operations[operation]);
    const names = unknown.map((name) => call.entry.redactor.text(name));
    if (names.length > 0)
      verdict.fail(`The client called ${call.name} with fields that are not in the contract: ${quotedList(names)}`, id);
    else if (!verdict.isFull && hasFields(call)) verdict.pass(id);
  },
});

const hasFields = ({ query, requestFields }: CompletedCall): boolean =>
  query !== '' || Object.keys(requestFields).length > 0;

/** The fields and parameters that the contract does not name, as dotted paths. */
function unknownFields(call: CompletedCall, { query, body }: Operation): string[] {
  const { rules, details, assumptions } = call.decision;
  const parameters = query || call.query === '' ? [] : [...new URLSearchParams(call.query).keys()];
  if (!body) parameters.push(...Object.keys(call.requestFields));
  const reported = rules.flatMap((rule, index) =>
    rule === 'unknown_fields' ? [details[index]?.field ?? 'more fields'] : [],
  );
  if (reported.length > 0 || !assumptions || reportsAllUnknown(call.decision, assumptions))
    return [...parameters, ...reported];
  const { choices, administrationTimes } = assumptions;
  const strict = new Assumptions(internChoices({ ...choices, unknown_fields: 'reject' }), administrationTimes);
  return [
    ...parameters,
    ...(query ? unrecognizedKeys(query(strict), Object.fromEntries(new URLSearchParams(call.query))) : []),
    ...(body ? unrecognizedKeys(body(strict), call.requestFields) : []),
  ];
}

const reportsAllUnknown = ({ rules }: Decision, { choices }: Assumptions): boolean =>
  choices.unknown_fields === 'reject' && (rules.length === 0 || choices.validation_report === 'all');

const unrecognizedKeys = (schema: ReturnType<NonNullable<Operation['body']>>, value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  );

const maxNames = 5;
const maxNameCharacters = 60;

/** The first names, safe to print whatever the client sent. */
function quotedList(names: readonly string[]): string {
  const quoted = names
    .slice(0, maxNames)
    .map((name) => `"${name.slice(0, maxNameCharacters).replaceAll(/[\p{C}"]/gu, '?')}"`);
  return quoted.join(', ') + (names.length > maxNames ? ' and more' : '');
}

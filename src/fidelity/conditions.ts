// What a success must meet besides its schema: values, the order of a list, the size of a page, earlier answers.
import { limits } from '../contract/limits.ts';
import { nextCursorHeaders } from '../contract/paging.ts';
import { probeMark } from '../contract/probes.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import { isRecord } from '../contract/schema.ts';
import { refreshLifetimeSeconds } from '../domain/tokens.ts';
import type { CallToJudge } from './call-to-judge.ts';
import { isUuid } from './difference.ts';
import { recordsIn, textOf } from './json-parts.ts';
import { schemaOf } from './schemas.ts';

/** Returns a problem, or undefined. Reads an assumption only if the answer can show it. */
type Condition = (judged: CallToJudge, body: Readonly<Record<string, unknown>>, assumptions: Assumptions) => unknown;

/** The sentences of the conditions that the answer does not meet. */
export function conditions(judged: CallToJudge, body: unknown, assumptions: Assumptions): string[] {
  if (!isRecord(body)) return [];
  return conditionList.flatMap((condition) => {
    const problem = condition(judged, body, assumptions);
    return typeof problem === 'string' ? [problem] : [];
  });
}

const conditionList: readonly Condition[] = [
  accessLifetime,
  refreshLifetime,
  singleUse,
  inactiveProducts,
  pageSize,
  cursorHeaders,
  listOrder,
  statusIds,
  matchedConsumer,
  markedPack,
];

function accessLifetime(_: CallToJudge, { access_token, expires_in }: Readonly<Record<string, unknown>>) {
  const seconds = limits.accessTokenSeconds;
  return access_token !== undefined && expires_in !== seconds && `expires_in is ${expires_in}, not ${seconds} (AUTH-1)`;
}

/** Only a refresh token that is a JSON Web Token shows its lifetime. */
function refreshLifetime(...[, { refresh_token }, assumptions]: Parameters<Condition>) {
  const claims = claimsOf(refresh_token);
  if (claims === undefined) return undefined;
  const expected = refreshLifetimeSeconds[assumptions.get('refresh_token_lifetime')];
  const found = claims.exp === undefined ? undefined : Number(claims.exp) - Number(claims.iat);
  return (
    found !== expected &&
    `the refresh token lives ${found ?? 'without end'} (seconds), not ${expected ?? 'without end'}`
  );
}

function claimsOf(token: unknown): Readonly<Record<string, unknown>> | undefined {
  const [, payload = '', ...rest] = String(token).split('.');
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return rest.length === 1 && isRecord(claims) && 'iat' in claims ? claims : undefined;
  } catch {
    return undefined;
  }
}

function singleUse({ operation, body, history, call }: CallToJudge, ...[, assumptions]: [unknown, Assumptions]) {
  if (operation.id !== 'authentication.refresh' || typeof body === 'string' || !isRecord(body.value)) return undefined;
  const isUsed = (history.usesOf(body.value.refresh_token, call.at) ?? 0) > 0;
  return isUsed && assumptions.get('refresh_token_lifetime') === 'single_use' && 'the refresh token worked twice';
}

function inactiveProducts({ operation, history, call }: CallToJudge, ...[body, assumptions]: [unknown, Assumptions]) {
  if (operation.id !== 'products.list') return undefined;
  const products = recordsIn(body);
  const ids = new Set(products.map(({ id }) => id));
  const isListed = products.some(({ active }) => active === false);
  const isLeftOut = history.inactiveProducts(call).some((id) => !ids.has(id));
  if (!isListed && !isLeftOut) return undefined;
  const choice = assumptions.get('product_list');
  if (isListed && choice === 'active_only') return 'the list has an inactive product';
  return isLeftOut && choice === 'all' && 'the list lacks an inactive product';
}

/** Where the answer of a list has its next cursor; null on the last page. */
function nextOf({ call }: CallToJudge, body: Readonly<Record<string, unknown>>, assumptions: Assumptions) {
  switch (assumptions.get('next_cursor')) {
    case 'body':
      return body.next_cursor;
    case 'meta':
      return isRecord(body.meta) ? body.meta.next_cursor : null;
    case 'link_header':
      return isNextLink(call.responseHeaders.get('link')) ? 'link' : null;
    case 'header':
      return call.responseHeaders.get(nextCursorHeaders.header.toLowerCase()) ?? null;
  }
}

const isNextLink = (link = ''): boolean => /;\s*rel="?next"?/i.test(link);

/** The most results of a page; empty for other calls. */
export function limitOf({ operation, query }: CallToJudge, assumptions: Assumptions): { readonly limit?: number } {
  const { data } = operation.query ? schemaOf(operation.query, assumptions).safeParse(query) : {};
  return isRecord(data) ? { limit: Number(data.limit) } : {};
}

function pageSize(judged: CallToJudge, body: Readonly<Record<string, unknown>>, assumptions: Assumptions) {
  const { query, history } = judged;
  const { limit } = limitOf(judged, assumptions);
  if (limit === undefined) return undefined;
  const items = Object.values(body).find(Array.isArray)?.length ?? 0;
  const hasNext = nextOf(judged, body, assumptions) !== null;
  if (hasNext && items > 0 && Number(query.limit) > items) history.pageSize = Math.max(items, history.pageSize ?? 0);
  if (items > limit) return `the page has ${items} results, more than ${limit}`;
  return hasNext && items < limit && `the page has ${items} results and a next one, not ${limit}`;
}

function cursorHeaders({ operation, call }: CallToJudge, ...[, assumptions]: [unknown, Assumptions]) {
  if (!operation.query) return undefined;
  const place = assumptions.get('next_cursor');
  const { link_header, header } = nextCursorHeaders;
  if (isNextLink(call.responseHeaders.get('link')) && place !== 'link_header')
    return `the header ${link_header} has the next page`;
  return call.responseHeaders.has(header.toLowerCase()) && place !== 'header' && `there is a header ${header}`;
}

/** By created_at. */
function listOrder({ operation }: CallToJudge, ...[body, assumptions]: [unknown, Assumptions]) {
  if (!operation.shapedBy?.includes('list_order')) return undefined;
  const times = recordsIn(body).flatMap((record) => Date.parse(textOf(record, 'created_at') ?? '') || []);
  const steps = times.slice(1).map((time, at) => Math.sign(time - (times[at] ?? time)));
  const [isRising, isFalling] = [steps.includes(1), steps.includes(-1)];
  if (isRising === isFalling) return undefined;
  const choice = assumptions.get('list_order');
  return (choice === 'newest_first') === isRising && `the list is not ordered ${choice}`;
}

function statusIds(_: CallToJudge, ...[body, assumptions]: [unknown, Assumptions]) {
  const ids = recordsIn(body).flatMap(({ status_id }) => (typeof status_id === 'string' ? [status_id] : []));
  if (ids.length === 0) return undefined;
  const choice = assumptions.get('status_id');
  const wrong = ids.find((id) => isUuid.test(id) !== (choice === 'uuid'));
  return wrong !== undefined && `the status_id "${wrong}" is not a ${choice}`;
}

/** A second order with the email of a new consumer. */
function matchedConsumer(
  { operation, call, body, history }: CallToJudge,
  ...[answer, assumptions]: [unknown, Assumptions]
) {
  if (typeof body === 'string' || !isRecord(body.value) || !operation.id.endsWith('.create')) return undefined;
  const consumer = operation.id === 'orders.create' ? body.value.consumer : body.value;
  const [record] = recordsIn(answer);
  if (!isRecord(consumer) || typeof consumer.email !== 'string' || !record) return undefined;
  const before = history.consumersWith(call, consumer.email);
  if (!before) return undefined;
  const { id } = isRecord(record.consumer) ? record.consumer : record;
  const isKnown = before.has(String(id));
  const choice = assumptions.get('new_consumer_match');
  return (
    isKnown === (choice === 'always_new') && `the consumer with this email is ${isKnown ? 'the same' : 'another'} one`
  );
}

/** The pack of a probe does not exist. */
function markedPack({ body }: CallToJudge, ...[, assumptions]: [unknown, Assumptions]) {
  const isMarked = typeof body !== 'string' && JSON.stringify(body.value)?.includes(`"pack_id":"${probeMark}`);
  return isMarked && assumptions.get('pack_id') === 'known' && 'an unknown pack was accepted';
}

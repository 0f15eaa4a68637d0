// What a success must meet besides its schema: values, the order of a list, the size of a page, earlier answers.
import { limits } from '../contract/limits.ts';
import { nextCursorHeaders } from '../contract/paging.ts';
import { probeMark } from '../contract/probes.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import { isRecord } from '../contract/schema.ts';
import { refreshLifetimeSeconds } from '../domain/tokens.ts';
import type { CallToJudge } from './call-to-judge.ts';
import { isUuid } from './difference.ts';
import { type JsonRecord, recordsIn, textOf } from './json-parts.ts';
import { schemaOf } from './schemas.ts';

interface Success extends CallToJudge {
  readonly answer: JsonRecord;
  readonly assumptions: Assumptions;
}

/** Returns a problem, or another value. Reads an assumption only if the answer can show it. */
type Condition = (success: Success) => unknown;

/** The sentences of the conditions that the answer does not meet. */
export function conditionProblems(judged: CallToJudge, assumptions: Assumptions): string[] {
  const { answer } = judged;
  if (!isRecord(answer)) return [];
  const success = { ...judged, answer, assumptions };
  return Object.values(conditions)
    .map((condition) => condition(success))
    .filter((problem) => typeof problem === 'string');
}

const conditions: Readonly<Record<string, Condition>> = {
  accessLifetime({ answer: { access_token, expires_in } }) {
    const seconds = limits.accessTokenSeconds;
    return (
      access_token !== undefined && expires_in !== seconds && `expires_in is ${expires_in}, not ${seconds} (AUTH-1)`
    );
  },

  /** Only a refresh token that is a JSON Web Token shows its lifetime. */
  refreshLifetime({ answer, assumptions }) {
    const claims = claimsOf(answer.refresh_token);
    if (claims === undefined) return undefined;
    const expected = refreshLifetimeSeconds[assumptions.get('refresh_token_lifetime')];
    const found = claims.exp === undefined ? undefined : Number(claims.exp) - Number(claims.iat);
    const inWords = (seconds: number | undefined) => seconds ?? 'without end';
    return found !== expected && `the refresh token lives ${inWords(found)} (seconds), not ${inWords(expected)}`;
  },

  singleUse(success) {
    const { operation, history, assumptions } = success;
    const isReused = operation.id === 'authentication.refresh' && history.isReused(success);
    return isReused && assumptions.get('refresh_token_lifetime') === 'single_use' && 'the refresh token worked twice';
  },

  inactiveProducts({ operation, history, call, answer, assumptions }) {
    if (operation.id !== 'products.list') return undefined;
    const products = recordsIn(answer);
    const ids = new Set(products.map(({ id }) => id));
    const isListed = products.some(({ active }) => active === false);
    const isLeftOut = history.inactiveProducts(call).some((id) => !ids.has(id));
    if (!isListed && !isLeftOut) return undefined;
    const choice = assumptions.get('product_list');
    if (isListed && choice === 'active_only') return 'the list has an inactive product';
    return isLeftOut && choice === 'all' && 'the list lacks an inactive product';
  },

  pageSize(success) {
    const { query, history, answer, assumptions } = success;
    const { limit } = limitOf(success, assumptions);
    if (limit === undefined) return undefined;
    const items = Object.values(answer).find(Array.isArray)?.length ?? 0;
    const hasNext = nextOf(success) !== null;
    if (hasNext && items > 0 && Number(query.limit) > items) history.pageSize = Math.max(items, history.pageSize ?? 0);
    if (items > limit) return `the page has ${items} results, more than ${limit}`;
    return hasNext && items < limit && `the page has ${items} results and a next one, not ${limit}`;
  },

  cursorHeaders({ operation, call, assumptions }) {
    if (!operation.query) return undefined;
    const place = assumptions.get('next_cursor');
    const { link_header, header } = nextCursorHeaders;
    if (hasNextLink(call) && place !== 'link_header') return `the header ${link_header} has the next page`;
    return call.responseHeaders.has(header.toLowerCase()) && place !== 'header' && `there is a header ${header}`;
  },

  /** By created_at. */
  listOrder({ operation, answer, assumptions }) {
    if (!operation.shapedBy?.includes('list_order')) return undefined;
    const times = recordsIn(answer).flatMap((record) => Date.parse(textOf(record, 'created_at') ?? '') || []);
    const steps = times.slice(1).map((time, at) => Math.sign(time - (times[at] ?? time)));
    const [isRising, isFalling] = [steps.includes(1), steps.includes(-1)];
    if (isRising === isFalling) return undefined;
    const choice = assumptions.get('list_order');
    return (choice === 'newest_first') === isRising && `the list is not ordered ${choice}`;
  },

  statusIds({ answer, assumptions }) {
    const ids = recordsIn(answer).flatMap((record) => textOf(record, 'status_id') ?? []);
    if (ids.length === 0) return undefined;
    const choice = assumptions.get('status_id');
    const wrong = ids.find((id) => isUuid.test(id) !== (choice === 'uuid'));
    return wrong !== undefined && `the status_id "${wrong}" is not a ${choice}`;
  },

  /** A second order with the email of a new consumer. */
  matchedConsumer(success) {
    const isKnown = success.history.isKnownConsumer(success);
    if (isKnown === undefined) return undefined;
    const isWrong = isKnown === (success.assumptions.get('new_consumer_match') === 'always_new');
    return isWrong && `the consumer with this email is ${isKnown ? 'the same' : 'another'} one`;
  },

  /** The pack of a probe does not exist. */
  markedPack({ body, assumptions }) {
    const isMarked = JSON.stringify(body)?.includes(`"pack_id":"${probeMark}`);
    return isMarked && assumptions.get('pack_id') === 'known' && 'an unknown pack was accepted';
  },
};

function claimsOf(token: unknown): JsonRecord | undefined {
  const [, payload = '', ...rest] = String(token).split('.');
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return rest.length === 1 && isRecord(claims) && 'iat' in claims ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Where the answer of a list has its next cursor; null on the last page. */
function nextOf({ call, answer, assumptions }: Success): unknown {
  const places = {
    body: answer.next_cursor,
    meta: isRecord(answer.meta) ? answer.meta.next_cursor : null,
    link_header: hasNextLink(call) ? 'link' : null,
    header: call.responseHeaders.get(nextCursorHeaders.header.toLowerCase()) ?? null,
  };
  return places[assumptions.get('next_cursor')];
}

const hasNextLink = ({ responseHeaders }: CallToJudge['call']): boolean =>
  /;\s*rel="?next"?/i.test(responseHeaders.get('link') ?? '');

/** The most results of a page; empty for other calls. */
export function limitOf({ operation, query }: CallToJudge, assumptions: Assumptions): { readonly limit?: number } {
  const { data } = operation.query ? schemaOf(operation.query, assumptions).safeParse(query) : {};
  return isRecord(data) ? { limit: Number(data.limit) } : {};
}

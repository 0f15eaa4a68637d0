// What all lists share: limit, cursor, and the place of the next cursor.
import { z } from 'zod';
import { limits } from './limits.ts';
import { type Assumptions, perAssumptions } from './resolved-assumptions.ts';
import { isSafe, numberFromText, object } from './schema.ts';

const wrong = 'malformed_parameter';

/** A query value. All its faults are `malformed_parameter`, in Joi's words. */
export const queryText = () => z.string(wrong).min(1, { error: wrong, abort: true });

/** The words for a cursor that the service did not give. */
export const invalidCursor = '"cursor" contains an invalid value';

const saying = (words: string) => ({ error: wrong, params: { words } });

/**
 * An integer of at least 1, as JSON Schema and Joi's `number().integer()` both take one from a query: a number without
 * a fraction in any spelling. An empty value is malformed, and does not count as missing.
 * `over_max_limit` decides whether a larger one than `max_limit` is rejected.
 * @example 'limit=5', 'limit=5.0', 'limit=+5' and 'limit=5e0' are 5; 'limit=', 'limit=1.5' and 'limit=0' are rejected
 */
function limit(assumptions: Assumptions) {
  const max = Number(assumptions.get('max_limit'));
  const isBounded = assumptions.get('over_max_limit') === 'reject';
  const safe = z.number(wrong).refine(isSafe, { ...saying('must be a safe number'), abort: true });
  const whole = safe.refine(Number.isInteger, saying('must be an integer')).min(1, wrong);
  const bounded = isBounded ? whole.max(max, 'over_max_limit') : whole;
  return z
    .preprocess(
      numberFromText,
      bounded.transform((value) => Math.min(value, max)),
    )
    .default(limits.defaultPageItems)
    .meta({
      description: `The number of results, at most ${max}${isBounded ? '' : `. A larger number counts as ${max}`}.`,
      override: {
        type: 'integer',
        minimum: 1,
        maximum: isBounded ? max : Number.MAX_SAFE_INTEGER,
        default: limits.defaultPageItems,
      },
    });
}

/** The query of a list: limit, cursor and the list's own filters. */
function pageQuery<Shape extends z.core.$ZodLooseShape>(assumptions: Assumptions, filters: Shape) {
  const cursor = queryText().optional().meta({ description: 'The next cursor of the page before, unchanged.' });
  return object(assumptions, { limit: limit(assumptions), cursor, ...filters });
}

/** The header with the next cursor, for the choices of `next_cursor` that use one. */
export const nextCursorHeaders = { link_header: 'Link', header: 'X-Next-Cursor' } as const;

/** The headers of a list, each with its description. */
function pageHeaders(assumptions: Assumptions): Readonly<Record<string, string>> {
  const { link_header, header } = nextCursorHeaders;
  return {
    body: {},
    meta: {},
    link_header: { [link_header]: 'The next page, as `<URL>; rel="next"`. Omitted on the last page.' },
    header: { [header]: 'The cursor of the next page. Omitted on the last page.' },
  }[assumptions.get('next_cursor')];
}

/** The response of a list: the items under their key, and the next cursor if `next_cursor` puts it in the body. */
function pageBody<Key extends string, Item extends z.ZodType>(assumptions: Assumptions, key: Key, item: Item) {
  const next = z.string().nullable().meta({ description: 'The cursor of the next page. null on the last page.' });
  const place = {
    body: { next_cursor: next },
    meta: { meta: z.strictObject({ next_cursor: next }) },
    link_header: {},
    header: {},
  }[assumptions.get('next_cursor')];
  return z.strictObject({ [key as string]: z.array(item), ...place } as { [K in Key]: z.ZodArray<Item> } & {
    next_cursor?: z.ZodNullable<z.ZodString>;
    meta?: z.ZodObject<{ next_cursor: z.ZodNullable<z.ZodString> }>;
  });
}

/** The rules that can reject a request for a list. */
export const listRefusals = ['malformed_parameter', 'over_max_limit', 'unknown_fields'] as const;

/**
 * The parts of an operation that lists records in pages. A row replaces `shapedBy` and `refusals` if it has more.
 * @param filters the list's own query parameters
 */
export const listParts = <Key extends string, Item extends z.ZodType, Filters extends z.core.$ZodLooseShape = object>(
  key: Key,
  item: (assumptions: Assumptions) => Item,
  filters: () => Filters = () => ({}) as Filters,
) => ({
  query: perAssumptions((assumptions) => pageQuery(assumptions, filters())),
  responses: { 200: perAssumptions((assumptions) => pageBody(assumptions, key, item(assumptions))) },
  headers: pageHeaders,
  shapedBy: ['list_order'] as const,
  refusals: listRefusals,
});

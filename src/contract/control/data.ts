// Pages of the control API's lists: limits, and cursors, which are opaque to clients.
import { z } from 'zod';
import {
  type CollectionName,
  collectionNames,
  collections,
  type RecordOf,
  type SingleName,
  type SingleOf,
  singleNames,
  singles,
} from '../records.ts';
import { numberFromText } from '../schema.ts';
import { bounds } from './bounds.ts';

const mark = 'after ';

/** The cursor of the page after what was shown last: a sequence number, or an id. */
export const cursorAfter = (last: string | number): string => btoa(mark + last).replaceAll('=', '');

/** A cursor as a client gives it back, as what was shown last; only the very text that was given is one. */
export const cursorOf = <T extends string | number>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    const last = read(decoded(text).replace(mark, ''));
    if (last !== '' && cursorAfter(last) === text) return last;
    context.issues.push({ code: 'custom', message: 'a next_cursor of this list', input: text });
    return z.NEVER;
  });

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

/** A whole number in a query. */
export const wholeNumber = (minimum: number, maximum: number) =>
  z
    .preprocess(numberFromText, z.int().min(minimum).max(maximum))
    .meta({ override: { type: 'integer', minimum, maximum } });

/** The query of a list of records. Without limit and cursor the list is complete. */
export const recordsQuery = z.strictObject({
  limit: wholeNumber(1, bounds.pageItems).optional(),
  /** As the sequence number of the last record shown. */
  cursor: cursorOf(Number).optional(),
});
export type RecordsQuery = z.output<typeof recordsQuery>;

// The data of a sandbox over the control API: five operations for every collection, two for what a sandbox has one of.

/** A new record or a merge patch (RFC 7396); the schema of its resource judges what becomes of it. */
const given = z.record(z.string(), z.unknown());

/** An operation with its literal types, as the handler table and the client need them. */
type Declared<Id extends string, Method, Path extends string, Responses, Parts = unknown> = {
  readonly id: Id;
  readonly method: Method;
  readonly path: `/_admin/sandboxes/{sandbox}/${Path}`;
  readonly summary: string;
  readonly responses: Readonly<Responses>;
} & Parts;
type Queried = { readonly query: typeof recordsQuery };
type Bodied = { readonly body: typeof given; readonly shownBody: () => z.ZodType };

type Listed<Name extends CollectionName> = { readonly [Key in Name]: readonly RecordOf<Name>[] } & {
  /** Only where there is a next page. */
  readonly next_cursor?: string;
};
type Shown<Name extends CollectionName> = z.ZodType<RecordOf<Name>>;

interface RecordVerbs<Name extends CollectionName> {
  readonly list: Declared<`records.${Name}.list`, 'GET', Name, { 200: z.ZodType<Listed<Name>> }, Queried>;
  readonly create: Declared<`records.${Name}.create`, 'POST', Name, { 201: Shown<Name> }, Bodied>;
  readonly get: Declared<`records.${Name}.get`, 'GET', `${Name}/{id}`, { 200: Shown<Name> }>;
  readonly update: Declared<`records.${Name}.update`, 'PATCH', `${Name}/{id}`, { 200: Shown<Name> }, Bodied>;
  readonly delete: Declared<`records.${Name}.delete`, 'DELETE', `${Name}/{id}`, { 204: null }>;
}

function recordVerbs<Name extends CollectionName>(name: Name): RecordVerbs<Name> {
  const path = `/_admin/sandboxes/{sandbox}/${name}` as const;
  const one = `${path}/{id}` as const;
  const words = name.replaceAll('_', ' ');
  const record = collections[name] as unknown as Shown<Name>;
  const listed = z.strictObject({ [name]: z.array(record), next_cursor: z.string().optional() });
  return {
    list: {
      id: `records.${name}.list`,
      method: 'GET',
      path,
      summary: `List the ${words}, oldest first`,
      query: recordsQuery,
      responses: { 200: listed as unknown as z.ZodType<Listed<Name>> },
    },
    create: {
      id: `records.${name}.create`,
      method: 'POST',
      path,
      summary: `Add one to the ${words}`,
      body: given,
      shownBody: () => newOf(collections[name]),
      responses: { 201: record },
    },
    get: {
      id: `records.${name}.get`,
      method: 'GET',
      path: one,
      summary: `Get one of the ${words}`,
      responses: { 200: record },
    },
    update: {
      id: `records.${name}.update`,
      method: 'PATCH',
      path: one,
      summary: `Patch one of the ${words}`,
      body: given,
      shownBody: () => patchOf(record),
      responses: { 200: record },
    },
    delete: {
      id: `records.${name}.delete`,
      method: 'DELETE',
      path: one,
      summary: `Remove one of the ${words}`,
      responses: { 204: null },
    },
  };
}

interface SingleVerbs<Name extends SingleName> {
  readonly get: Declared<`singles.${Name}.get`, 'GET', Name, { 200: z.ZodType<SingleOf<Name>> }>;
  readonly update: Declared<`singles.${Name}.update`, 'PATCH', Name, { 200: z.ZodType<SingleOf<Name>> }, Bodied>;
}

function singleVerbs<Name extends SingleName>(name: Name): SingleVerbs<Name> {
  const path = `/_admin/sandboxes/{sandbox}/${name}` as const;
  const words = name.replaceAll('_', ' ');
  const responses = { 200: singles[name] as unknown as z.ZodType<SingleOf<Name>> };
  return {
    get: { id: `singles.${name}.get`, method: 'GET', path, summary: `Get the ${words}`, responses },
    update: {
      id: `singles.${name}.update`,
      method: 'PATCH',
      path,
      summary: `Patch the ${words}`,
      body: given,
      shownBody: () => patchOf(singles[name]),
      responses,
    },
  };
}

type RecordVerb = keyof RecordVerbs<CollectionName>;
type SingleVerb = keyof SingleVerbs<SingleName>;
export type DataOperationId = `records.${CollectionName}.${RecordVerb}` | `singles.${SingleName}.${SingleVerb}`;
type DataOperations = {
  readonly [Id in DataOperationId]: Id extends `records.${infer Name extends CollectionName}.${infer Verb extends RecordVerb}`
    ? RecordVerbs<Name>[Verb]
    : Id extends `singles.${infer Name extends SingleName}.${infer Verb extends SingleVerb}`
      ? SingleVerbs<Name>[Verb]
      : never;
};

/** `records.orders.list`, `singles.operator.update` and so on. */
export const dataOperations = Object.fromEntries(
  [...collectionNames.map(recordVerbs), ...singleNames.map(singleVerbs)]
    .flatMap((verbs) => Object.values(verbs))
    .map((operation) => [operation.id, operation]),
) as unknown as DataOperations;

// What documents show of a body that becomes a record. The schema of the whole record validates the result.

/** What is filled in where a new record leaves it out. */
const filledIn: readonly string[] = ['id', 'created_at', 'updated_at'];

/** A new record: its id and times may be left out, and what may be null; so may the ids of its lines. */
function newOf({ shape }: z.ZodObject): z.ZodType {
  const fields = Object.entries<z.core.$ZodType>(shape).map(([name, field]) => [
    name,
    filledIn.includes(name) || field instanceof z.ZodNullable ? (field as z.ZodType).optional() : withoutIds(field),
  ]);
  return z.strictObject(Object.fromEntries(fields));
}

function withoutIds(field: z.core.$ZodType): z.core.$ZodType {
  const lines = field instanceof z.ZodArray ? field.element : undefined;
  if (!(lines instanceof z.ZodObject && 'pouches' in lines.shape)) return field;
  return z.array(lines.partial({ id: true })).min(1);
}

/**
 * A merge patch (RFC 7396): every field of an object may be left out, at any depth; null removes one that the object need not have. Lists are
 * replaced whole.
 */
function patchOf(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return patchOf(schema.unwrap()).nullable();
  if (schema instanceof z.ZodOptional) return patchOf(schema.unwrap()).nullish();
  if (!(schema instanceof z.ZodObject)) return schema as z.ZodType;
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, patchOf(field).optional()])));
}

// The data of a sandbox over the control API: five operations for every collection, two for every single resource.
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
import { bounds } from './bounds.ts';
import { sandboxOperation } from './control-operation.ts';
import { sequenceCursor, wholeNumber } from './paging.ts';

/** The query of a list of records. Without limit and cursor the response has all of them. */
const recordsQuery = z.strictObject({
  limit: wholeNumber(1, bounds.pageItems).optional(),
  /** The sequence number of the last record shown. */
  cursor: sequenceCursor.optional(),
});
export type RecordsQuery = z.output<typeof recordsQuery>;

/** A new record or a merge patch (RFC 7396). The schema of the collection validates the resulting record. */
const recordInput = z.record(z.string(), z.unknown());

type RecordList<Name extends CollectionName> = { readonly [Key in Name]: readonly RecordOf<Name>[] } & {
  /** Missing on the last page. */
  readonly next_cursor?: string;
};

const mergePatch = 'A JSON merge patch (RFC 7396): missing fields stay unchanged, and lists are replaced whole.';

/** `fulfillment_statuses` → `FulfillmentStatusRecord` */
export function recordName(collection: string): string {
  const singular = collection.replace(/(?<=s)es$|s$/, '');
  return `${pascalCase(singular)}Record`;
}

/** `start_production` → `StartProduction` */
const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function recordOperations<Name extends CollectionName>(name: Name) {
  const words = name.replaceAll('_', ' ');
  const one = recordName(name);
  const record = collections[name] as unknown as z.ZodType<RecordOf<Name>>;
  const list = z.strictObject({ [name]: z.array(record), next_cursor: z.string().optional() });
  return {
    list: sandboxOperation('GET', `/${name}`, `List the ${words}, oldest first`, {
      operationId: `list${one}s`,
      description: 'Also those of other clients. Without `limit`, the response has all of them.',
      query: recordsQuery,
      responses: { 200: list as unknown as z.ZodType<RecordList<Name>> },
    }),
    create: sandboxOperation('POST', `/${name}`, `Add a record to the ${words}`, {
      operationId: `create${one}`,
      description:
        'Fills in the id, the times and nullable fields if they are missing. Other records must exist first.',
      body: recordInput,
      documentedBody: () => newRecordSchema(collections[name]),
      responses: { 201: record },
    }),
    get: sandboxOperation('GET', `/${name}/{id}`, `Get one of the ${words}`, {
      operationId: `get${one}`,
      description: 'The whole stored record, with the fields that the service does not show.',
      responses: { 200: record },
    }),
    update: sandboxOperation('PATCH', `/${name}/{id}`, `Update one of the ${words}`, {
      operationId: `update${one}`,
      description: mergePatch,
      body: recordInput,
      documentedBody: () => mergePatchSchema(record),
      responses: { 200: record },
    }),
    delete: sandboxOperation('DELETE', `/${name}/{id}`, `Delete one of the ${words}`, {
      operationId: `delete${one}`,
      description: 'Deletes the record. 422 if other records refer to it.',
      responses: { 204: null },
    }),
  };
}

const singleDescriptions: Readonly<Record<SingleName, string>> = {
  operator: 'The name of the operator of the service, which the message of ORD-20 contains.',
  administration_times: 'The values of `time_of_administration` if the assumption of this name is `closed`.',
  timeline: 'The delays of the steps that orders and packages take if `fulfillment_timeline` is `automatic`.',
};

function singleOperations<Name extends SingleName>(name: Name) {
  const words = name.replaceAll('_', ' ');
  const responses = { 200: singles[name] as unknown as z.ZodType<SingleOf<Name>> };
  return {
    get: sandboxOperation('GET', `/${name}`, `Get the ${words}`, {
      operationId: `get${pascalCase(name)}`,
      description: singleDescriptions[name],
      responses,
    }),
    update: sandboxOperation('PATCH', `/${name}`, `Update the ${words}`, {
      operationId: `update${pascalCase(name)}`,
      description: `${singleDescriptions[name]}\n\n${mergePatch}`,
      body: recordInput,
      documentedBody: () => mergePatchSchema(singles[name]),
      responses,
    }),
  };
}

type RecordOperations<Name extends CollectionName> = ReturnType<typeof recordOperations<Name>>;
type SingleOperations<Name extends SingleName> = ReturnType<typeof singleOperations<Name>>;
export type DataOperationId =
  | `records.${CollectionName}.${keyof RecordOperations<CollectionName>}`
  | `singles.${SingleName}.${keyof SingleOperations<SingleName>}`;
type DataOperations = {
  readonly [Id in DataOperationId]: Id extends `records.${infer Name extends CollectionName}.${infer Verb}`
    ? RecordOperations<Name>[Verb & keyof RecordOperations<Name>]
    : Id extends `singles.${infer Name extends SingleName}.${infer Verb}`
      ? SingleOperations<Name>[Verb & keyof SingleOperations<Name>]
      : never;
};

const prefixed = (prefix: string, operations: object) =>
  Object.entries(operations).map(([verb, operation]) => [`${prefix}.${verb}`, operation]);

/**
 * `records.orders.list`, `singles.operator.update` and so on: five of every collection, two of every single resource.
 */
export const dataOperations = Object.fromEntries([
  ...collectionNames.flatMap((name) => prefixed(`records.${name}`, recordOperations(name))),
  ...singleNames.flatMap((name) => prefixed(`singles.${name}`, singleOperations(name))),
]) as unknown as DataOperations;

/** Fields of a new record that are filled in if they are missing. */
const generatedFields: readonly string[] = ['id', 'created_at', 'updated_at'];

/** For documents: a new record. Its id and times, fields that may be null, and the ids of lines may be missing. */
function newRecordSchema({ shape }: z.ZodObject): z.ZodType {
  const fields = Object.entries<z.core.$ZodType>(shape).map(([name, field]) => [
    name,
    generatedFields.includes(name) || field instanceof z.ZodNullable
      ? (field as z.ZodType).optional()
      : optionalLineIds(field),
  ]);
  return z.strictObject(Object.fromEntries(fields));
}

function optionalLineIds(field: z.core.$ZodType): z.core.$ZodType {
  const lines = field instanceof z.ZodArray ? field.element : undefined;
  if (!(lines instanceof z.ZodObject && 'pouches' in lines.shape)) return field;
  return z.array(lines.partial({ id: true })).min(1);
}

/**
 * For documents: a merge patch (RFC 7396). Every field may be missing, at any depth; null removes an optional one.
 * Lists are replaced whole.
 */
function mergePatchSchema(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return mergePatchSchema(schema.unwrap()).nullable();
  if (schema instanceof z.ZodOptional) return mergePatchSchema(schema.unwrap()).nullish();
  if (!(schema instanceof z.ZodObject)) return schema as z.ZodType;
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, mergePatchSchema(field).optional()])));
}

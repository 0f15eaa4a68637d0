// Parts of an OpenAPI document: its operations, schemas and examples, and the errors of a JSON Schema validator.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { controlOpenApiPath, openApiPath } from '../../src/contract/addresses.ts';
import type { Choices } from '../../src/contract/assumptions.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { controlDocument } from '../../src/openapi/control-document.ts';
import { controlExamples, samplesOf } from '../../src/openapi/samples.ts';
import { serviceDocument } from '../../src/openapi/service-document.ts';
import { firstReadyUser, orderOf } from '../../src/sample-order.ts';
import { shippedFixtures } from '../../src/shipped.ts';
import type { TestSachet } from './sachet.ts';

export interface ShownOperation {
  readonly method: string;
  readonly path: string;
  /** The operation's object. */
  readonly shown: Json;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** In the document's order. */
export const operationsIn = ({ paths }: Json): ShownOperation[] =>
  Object.entries(paths as Record<string, Json>).flatMap(([path, item]) =>
    methods.filter((method) => method in item).map((method) => ({ method, path, shown: item[method] })),
  );

/** @throws Error if the document has no such operation. */
export function operationIn(document: Json, id: string): ShownOperation {
  const found = operationsIn(document).find(({ shown }) => shown['x-operation'] === id);
  if (!found) throw new Error(`the document has no operation ${id}`);
  return found;
}

/** The target of a reference. @throws Error if it has none. */
export function referred(document: Json, reference: string): Json {
  const parts = reference.replace(/^#\//, '').split('/');
  const found = parts.reduce((at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  if (!reference.startsWith('#/') || found === undefined) throw new Error(`nothing stands at ${reference}`);
  return found;
}

/** The response of an operation with a status; undefined if the document has none. */
export function responseAt(document: Json, { shown }: ShownOperation, status: number | string): Json | undefined {
  const response = shown.responses[status];
  return response?.$ref === undefined ? response : referred(document, response.$ref);
}

/** The value of a named example of a response or request body. */
export const exampleIn = (holder: Json, name: string): Json =>
  holder?.content?.['application/json']?.examples?.[name]?.value;

/** The names of the examples of a response or request body. */
export const exampleNames = (holder: Json): string[] =>
  Object.keys(holder?.content?.['application/json']?.examples ?? {});

/** Every JSON body in the document: of requests, responses and shared responses. */
export function bodiesIn(document: Json) {
  const bodyOf = (where: string, holder: Json) => {
    const media = holder?.content?.['application/json'];
    const examples: Readonly<Record<string, Json>> = media?.examples ?? {};
    return media ? [{ where, schema: media.schema as Json, examples }] : [];
  };
  const own = operationsIn(document).flatMap(({ shown }) => [
    ...bodyOf(`${shown['x-operation']} request`, shown.requestBody),
    ...Object.keys(shown.responses).flatMap((status) =>
      bodyOf(`${shown['x-operation']} ${status}`, shown.responses[status]),
    ),
  ]);
  const shared = Object.entries(document.components.responses as Record<string, Json>);
  return [...own, ...shared.flatMap(([name, response]) => bodyOf(name, response))];
}

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
/** By the text of a schema: documents of different choices share most schemas. */
const byText = new Map<string, ValidateFunction>();
const bySchema = new WeakMap<object, ValidateFunction>();

/** Validation errors of a value. @throws Error for an invalid JSON Schema of 2020-12. */
export function complaints(document: Json, schema: Json, value: unknown): string[] {
  const validate = bySchema.get(schema) ?? compiled(standingAlone(document, schema));
  bySchema.set(schema, validate);
  return validate(value) ? [] : [ajv.errorsText(validate.errors)];
}

function compiled(schema: Json): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = byText.get(text) ?? ajv.compile(schema);
  byText.set(text, validate);
  return validate;
}

/** The schema with its references resolved. */
function standingAlone(document: Json, schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((item) => standingAlone(document, item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema;
  const beside = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, standingAlone(document, value)]));
  if (typeof $ref !== 'string') return '$ref' in schema ? { $ref: standingAlone(document, $ref), ...beside } : beside;
  const target = standingAlone(document, referred(document, $ref));
  return Object.keys(beside).length === 0 ? target : { ...beside, allOf: [...(beside.allOf ?? []), target] };
}

type Asked = Pick<TestSachet, 'call'>;

/** The service's document under a base URL of the server. */
export const serviceDocumentOf = async (sachet: Asked, base = ''): Promise<Json> =>
  (await sachet.call('GET', base + openApiPath)).body;

export const controlDocumentOf = async (sachet: Asked): Promise<Json> =>
  (await sachet.call('GET', controlOpenApiPath)).body;

/** The base URL of the document's paths. */
export const baseUrlIn = ({ servers }: Json): string => servers[0].url;

// biome-ignore lint/suspicious/noExplicitAny: a document is read as JSON, member by member
export type Json = any;

const baseUrl = 'http://localhost:4010';
const fixtures = shippedFixtures();
const samples = samplesOf(fixtures, firstReadyUser(fixtures), orderOf(fixtures));
/** By the choices, which are interned, and the administration times. */
const services = new WeakMap<Choices, Map<string, Json>>();

export function publishedService(choices: Choices, times: readonly string[]): Json {
  const ofChoices = services.get(choices) ?? new Map<string, Json>();
  const assumptions = new Assumptions(choices, times);
  const document =
    ofChoices.get(times.join()) ?? serviceDocument({ assumptions, baseUrl, version: '0', samples, answers: {} });
  services.set(choices, ofChoices.set(times.join(), document));
  return document;
}

/** The service's document with these choices, the others by default, of the shipped fixtures. */
export const documentBy = (assumptions: Partial<Choices> = {}): Json =>
  publishedService(resolveChoices(assumptions), fixtures.administration_times.values);

let control: { readonly document: Json } | undefined;
export function publishedControl(): { readonly document: Json } {
  control ??= { document: controlDocument({ url: baseUrl, version: '0', examples: controlExamples(fixtures) }) };
  return control;
}

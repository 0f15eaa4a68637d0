// Parts of an OpenAPI document: its operations, schemas and examples, and the errors of a JSON Schema validator. And a fetch that checks every response
// against the published documents: its status, its body, the rule that rejected the request, and the assumptions that shaped it; and of an accepted
// request the body.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { controlOpenApiPath, openApiPath, patternOf } from '../../src/contract/addresses.ts';
import type { Choices } from '../../src/contract/assumptions.ts';
import { controlStatusNames } from '../../src/contract/control/control-operation.ts';
import { controlOperationList } from '../../src/contract/control/operations.ts';
import { answerStatusNames } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { errorBody } from '../../src/contract/refusal.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import type { Engine, EngineOptions } from '../../src/engine.ts';
import type { RequestHandler } from '../../src/http/response.ts';
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
function referred(document: Json, reference: string): Json {
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

function publishedService(choices: Choices, times: readonly string[]): Json {
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

/** Literal paths before those with a name in their place. */
const routes = [...controlOperationList, ...operationList]
  .map(({ method, path }) => ({ method, path, pattern: patternOf(path) }))
  .sort((one, other) => one.path.split('{').length - other.path.split('{').length);

/** The options of the server. */
type ServerOptions = Pick<EngineOptions, 'assumptions' | 'profile' | 'fixtures'>;

interface Exchange {
  readonly method: string;
  readonly url: string;
  /** The body of the request, if it is a string. */
  readonly sent: unknown;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

function expectPublished(exchange: Exchange, { assumptions, profile, fixtures }: ServerOptions): void {
  const { method, url, sent, status, text, headers } = exchange;
  const path = new URL(url).pathname.replace(/^\/sandboxes\/[^/]+(?=\/v2\/)/, '');
  const where = `${method} ${path} ${status} ${text.slice(0, 2000)}`;
  expectErrorBody(exchange, where);
  const route = routes.find((one) => one.method === method && one.pattern.test(path));
  if (!route) return;
  const list = (name: string) => (headers.get(name) ?? '').split(', ').filter((part) => part !== '');
  const [rule] = list('sandbox-rule');
  const choices: Partial<Choices> = Object.fromEntries(list('sandbox-assumption').map((one) => one.split('=')));
  const document: Json = route.path.startsWith('/_admin')
    ? publishedControl().document
    : publishedService(resolveChoices({ ...assumptions, ...choices }, profile), fixtures.administration_times.values);
  const operation = document.paths[route.path]?.[method.toLowerCase()];
  if (!operation) {
    // Maintenance, the rate limit and a full memory answer before the route is known (HTTP-4).
    const early = /^(HTTP-1|.*_endpoints|HTTP-3|LIM-1|max_memory)$/;
    expect(rule ?? '', `${where} is of no published operation`).toMatch(early);
    return;
  }

  // Only the sandbox has these responses: its limits, and the faults that a tester sets.
  const isOfSandbox =
    headers.has('sandbox-fault') ||
    rule?.startsWith('max_') ||
    (status === 404 && text.includes('There is no sandbox'));
  const isListed = String(status) in operation.responses;
  if (!isListed) expect(isOfSandbox, `${where} has a status that is not published`).toBe(true);
  // Every error has the body of a 500, also if its status is not published.
  const listed = operation.responses[isListed ? status : 500];
  const response = listed.$ref ? referred(document, listed.$ref) : listed;
  const { schema } = response.content['application/json'];
  expect(complaints(document, schema, JSON.parse(text)), where).toEqual([]);
  if (status < 300 && operation.requestBody && typeof sent === 'string' && sent) {
    const body = operation.requestBody.content['application/json'].schema;
    expect(complaints(document, body, JSON.parse(sent)), `${where} to ${sent}`).toEqual([]);
  }
  if (!operation['x-assumptions']) return;
  expect(Object.keys(operation['x-assumptions']), where).toEqual(expect.arrayContaining(Object.keys(choices)));
  if (rule && !isOfSandbox) expect(exampleNames(response), where).toContain(rule);
}

const errorNames: Readonly<Record<number, string>> = { ...answerStatusNames, ...controlStatusNames };

function expectErrorBody({ method, status, text }: Exchange, where: string): void {
  // An error of MCP has the form of JSON-RPC.
  if (status < 400 || method === 'HEAD' || text.startsWith('{"jsonrpc"')) return;
  const { statusCode, error } = errorBody.parse(JSON.parse(text), { error: () => `no error body: ${where}` });
  expect({ statusCode, error }, where).toEqual({ statusCode: status, error: errorNames[status] });
}

/** With the other stores the same responses repeat. */
const isSecondRun = process.env.TEST_STORE !== undefined;

/** A response that breaks off declares its whole length; another reader would take its first half from the test. */
const isWholeJson = ({ headers, status }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true &&
  !headers.has('content-length') &&
  status !== 405;

/** A fetch that checks every response. */
export const publishedFetch =
  (fetch: Engine['fetch'], options: ServerOptions): Engine['fetch'] =>
  async (input, init) => {
    const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method ?? 'GET' };
    const response = await fetch(input, init);
    if (!isSecondRun && isWholeJson(response)) {
      const { status, headers } = response;
      const text = await response.clone().text();
      expectPublished({ url, method, sent: init?.body, status, headers, text }, options);
    }
    return response;
  };

/** The same for an app. */
export const publishedApp = (app: RequestHandler, options: ServerOptions): RequestHandler => ({
  fetch: (request, bindings) =>
    publishedFetch(async (input) => app.fetch(input as Request, bindings), options)(request) as Promise<Response>,
});

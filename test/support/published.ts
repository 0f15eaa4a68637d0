// A fetch that checks every response against the published documents: its status, its body, the rule that rejected the request, and the
// assumptions that shaped it; and of an accepted request the body.
import { expect } from 'vitest';
import { patternOf } from '../../src/contract/addresses.ts';
import type { Choices } from '../../src/contract/assumptions.ts';
import { controlStatusNames } from '../../src/contract/control/control-operation.ts';
import { controlOperationList } from '../../src/contract/control/operations.ts';
import { answerStatusNames } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { errorBody } from '../../src/contract/refusal.ts';
import { resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import type { Engine, EngineOptions } from '../../src/engine.ts';
import type { RequestHandler } from '../../src/http/response.ts';
import {
  complaints,
  exampleNames,
  type Json,
  publishedControl,
  publishedService,
  referred,
} from './openapi-document.ts';

/** Literal paths before those with a name in their place. */
const routes = [...controlOperationList, ...operationList]
  .map(({ method, path }) => ({ method, path, pattern: patternOf(path) }))
  .sort((one, other) => one.path.split('{').length - other.path.split('{').length);

/** The options of the server. */
type Options = Pick<EngineOptions, 'assumptions' | 'profile' | 'fixtures'>;

interface Exchange {
  readonly method: string;
  readonly url: string;
  /** The body of the request, if it is a string. */
  readonly sent: unknown;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

function expectPublished(exchange: Exchange, { assumptions, profile, fixtures }: Options): void {
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
  if (status < 400 || method === 'HEAD') return;
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
  (fetch: Engine['fetch'], options: Options): Engine['fetch'] =>
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
export const publishedApp = (app: RequestHandler, options: Options): RequestHandler => ({
  fetch: (request, bindings) =>
    publishedFetch(async (input) => app.fetch(input as Request, bindings), options)(request) as Promise<Response>,
});

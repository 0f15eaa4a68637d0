// Every answer is one that the published documents have, by a validator that nobody here wrote: its status, its body, the rule that
// refused it, and the assumptions that shaped it; and what is taken is what they say may be sent.
import { expect } from 'vitest';
import { patternOf } from '../../src/contract/addresses.ts';
import type { Choices } from '../../src/contract/assumptions.ts';
import { controlOperationList } from '../../src/contract/control/operations.ts';
import { operationList } from '../../src/contract/operations.ts';
import { resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import type { Engine, EngineOptions } from '../../src/engine.ts';
import type { RequestHandler } from '../../src/http/response.ts';
import { exampleNames, referred } from './openapi-document.ts';
import { type Json, type Published, publishedControl, publishedService } from './published-documents.ts';

/** Literal paths before those with a name in their place. */
const routes = [...controlOperationList, ...operationList]
  .map(({ method, path }) => ({ method, path, pattern: patternOf(path) }))
  .sort((one, other) => one.path.split('{').length - other.path.split('{').length);

/** What the server was made with. */
type Made = Pick<EngineOptions, 'assumptions' | 'profile' | 'fixtures'>;

interface Exchange {
  readonly method: string;
  /** Without the base URL. */
  readonly path: string;
  /** What was sent, where it is a text. */
  readonly sent: unknown;
  readonly status: number;
  readonly text: string;
  readonly told: ReturnType<typeof toldBy>;
}

/** A call to an operation that is published. */
function expectPublished(route: { readonly path: string }, exchange: Exchange, by: Made): void {
  const { method, told } = exchange;
  const published = documentFor(route.path, told.choices, by);
  const operation = published.document.paths[route.path]?.[method.toLowerCase()];
  const where = `${method} ${exchange.path} ${exchange.status} ${exchange.text.slice(0, 2000)}`;
  if (!operation) {
    expect(told.rules[0] ?? '', `${where} is of no published operation`).toMatch(/^(HTTP-1|.*_endpoints)$/);
    return;
  }
  const at = `/paths/${route.path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  expectAnswer(published, operation, at, exchange, where);
  if (exchange.status < 300 && operation.requestBody && typeof exchange.sent === 'string' && exchange.sent)
    expect(
      published.faultsOf(`${at}/requestBody/${json}`, JSON.parse(exchange.sent)),
      `${where} to ${exchange.sent}`,
    ).toEqual([]);
}

const json = 'content/application~1json/schema';

function documentFor(path: string, told: Partial<Choices>, { assumptions, profile, fixtures }: Made): Published {
  if (path.startsWith('/_admin')) return publishedControl();
  return publishedService(resolveChoices({ ...assumptions, ...told }, profile), fixtures.administration_times.values);
}

function expectAnswer(published: Published, operation: Json, at: string, exchange: Exchange, where: string): void {
  const { text, told, status } = exchange;
  // Answers that the sandbox gives and the service has not: its bounds, and the faults that a tester sets.
  const isBent =
    told.isFaulted ||
    told.rules.some((rule) => rule.startsWith('max_')) ||
    (status === 404 && text.includes('There is no sandbox'));
  const isListed = String(status) in operation.responses;
  if (!isListed) expect(isBent, `${where} has a status that is not published`).toBe(true);
  // Every error has the body of a 500, also where its status is not published.
  const listed = isListed ? status : 500;
  const response = operation.responses[listed].$ref?.slice(1) ?? `${at}/responses/${listed}`;
  expect(published.faultsOf(`${response}/${json}`, JSON.parse(text)), where).toEqual([]);
  if (!operation['x-assumptions']) return;
  expect(Object.keys(operation['x-assumptions']), where).toEqual(expect.arrayContaining(Object.keys(told.choices)));
  if (isBent || told.rules.length === 0) return;
  expect(exampleNames(referred(published.document, `#${response}`)), where).toContain(told.rules[0]);
}

/** What the headers of an answer tell of it. */
function toldBy(headers: Headers) {
  const list = (name: string) => (headers.get(name) ?? '').split(', ').filter((part) => part !== '');
  const choices = Object.fromEntries(list('sandbox-assumption').map((one) => one.split('=') as [string, string]));
  return {
    rules: list('sandbox-rule'),
    choices: choices as Partial<Choices>,
    isFaulted: headers.has('sandbox-fault'),
  };
}

/** A fetch whose every answer is looked at. */
export const publishedFetch =
  (fetch: Engine['fetch'], by: Made): Engine['fetch'] =>
  async (input, init) => {
    const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method ?? 'GET' };
    const response = await fetch(input, init);
    if (isWholeJson(response))
      expectOfRoute({ url, method, sent: init?.body }, response, await response.clone().text(), by);
    return response;
  };

/** An app, likewise. */
export const publishedApp = (app: RequestHandler, by: Made): RequestHandler => ({
  fetch: (request, bindings) =>
    publishedFetch(async (input) => app.fetch(input as Request, bindings), by)(request) as Promise<Response>,
});

function expectOfRoute(
  { url, method, sent }: Pick<Exchange, 'method' | 'sent'> & { readonly url: string },
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  by: Made,
): void {
  const path = new URL(url).pathname.replace(/^\/sandboxes\/[^/]+(?=\/v2\/)/, '');
  const route = routes.find((one) => one.method === method && one.pattern.test(path));
  if (route && !isSecondRun) expectPublished(route, { method, path, sent, status, text, told: toldBy(headers) }, by);
}

/** Over the other stores the same answers come again. */
const isSecondRun = process.env.TEST_STORE !== undefined;

/** What breaks in the middle has its whole length told; a second reader would take its first half from the test. */
const isWholeJson = ({ headers, status }: Pick<Response, 'headers' | 'status'>): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true &&
  !headers.has('content-length') &&
  status !== 405;

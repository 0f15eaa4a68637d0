// The examples of an OpenAPI document: good requests made of the fixtures, and what a new sandbox of the same readings answers to them.
import type { Readings } from './contract/assumptions.ts';
import type { Fixtures } from './contract/fixtures.ts';
import { controlExamples } from './contract/openapi/control-examples.ts';
import { type SampleAnswer, type SampleRequest, type Samples, samplesOf } from './contract/openapi/samples.ts';
import type { Operation } from './contract/operation.ts';
import { operationList, operations } from './contract/operations.ts';
import type { Engine, EngineOptions } from './engine-options.ts';
import type { Illustrations } from './http/docs/documents.ts';
import { orderOf, readyUser } from './sample-order.ts';

/** Where the clock of the examples stands. */
const clock = '2026-01-01T12:00:00Z';
/** Stands for a password that is its owner's. */
const ownPassword = 'your-password';

export interface ExamplesOptions {
  readonly fixtures: Fixtures;
  /** Whether passwords are the fixtures' own, which everybody may know. */
  readonly showPassword: boolean;
  readonly createEngine: (options: EngineOptions) => Engine;
}

/** Each document of the service has a sandbox of its own to ask, in an engine that nobody else reaches. */
export function examplesOf({ fixtures, showPassword, createEngine }: ExamplesOptions): Illustrations {
  const service: Illustrations['service'] = async (readings, baseUrl) => {
    const user = readyUser(fixtures);
    const samplesWith = (password: string) => samplesOf(fixtures, user, { password, order: orderOf(fixtures) });
    const engine = createEngine({
      fixtures,
      assumptions: readings,
      clock,
      randomSeed: 'examples',
      debugHeaders: false,
    });
    const answers = await recorded(engine, readings, samplesWith(user?.password ?? ownPassword), baseUrl);
    engine.close();
    return { samples: samplesWith((showPassword && user?.password) || ownPassword), answers };
  };
  return { service, control: () => controlExamples(fixtures, showPassword ? undefined : ownPassword) };
}

/** What the engine answers to the sample requests, one after the other. */
async function recorded({ fetch }: Engine, readings: Readings, { requests }: Samples, baseUrl: string) {
  const answers: Record<string, SampleAnswer> = {};
  let tokens: Readonly<Record<string, string>> = {};
  for (const operation of operationList.filter((one) => isOffered(one, readings))) {
    const sample = requests[operation.id as keyof Samples['requests']];
    const { access_token, refresh_token } = tokens;
    const body = operation === operations['authentication.refresh'] ? { refresh_token } : sample.body;
    const response = await fetch(baseUrl + pathOf(operation, sample), requestInit(operation, body, access_token));
    answers[operation.id] = { status: response.status, body: shortened(await response.json()) };
    if (operation === operations['authentication.token']) tokens = answers[operation.id]?.body as typeof tokens;
  }
  return answers;
}

const isOffered = ({ offeredBy }: Operation, readings: Readings): boolean =>
  !offeredBy || readings[offeredBy] === 'assumed';

function requestInit({ method }: Operation, body: unknown, token: string | undefined): RequestInit {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
}

const pathOf = ({ path }: Operation, { params = {}, query = {} }: SampleRequest): string =>
  `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')}?${new URLSearchParams({ ...query })}`;

/** A list says enough with two of its items. */
const shortened = (body: unknown): unknown =>
  Object.fromEntries(
    Object.entries(body as object).map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, 2) : value]),
  );

// What an engine answers to the sample requests: the examples of successes in an OpenAPI document.
import { controlClient } from './client/control-client.ts';
import { stage } from './contract/addresses.ts';
import type { Illustrated, SampleAnswer, SampleRequest, Samples } from './contract/openapi/samples.ts';
import { isOffered, type Operation } from './contract/operation.ts';
import { type OperationId, operationList } from './contract/operations.ts';
import { filled } from './contract/path-template.ts';
import type { Assumptions } from './contract/terms.ts';
import type { Engine } from './engine-options.ts';

/** What the engine answers to the sample requests, one after the other. */
export async function recordedAnswers(
  engine: Engine,
  assumptions: Assumptions,
  { requests }: Samples,
  origin: string,
): Promise<Illustrated['answers']> {
  const answers: { [Id in OperationId]?: SampleAnswer[] } = {};
  let tokens: Readonly<Record<string, string>> = {};
  for (const operation of operationList.filter((one) => isOffered(one, assumptions))) {
    const { id } = operation;
    const { access_token, refresh_token } = tokens;
    const sample = id === 'authentication.refresh' ? { body: { refresh_token } } : requests[id];
    const ask = () => answerOf(engine, origin, operation, sample, access_token);
    answers[id] = [{ name: 'sample', summary: 'Of a new sandbox', ...(await ask()) }];
    if (id === 'authentication.token') tokens = answers[id]?.[0]?.body as typeof tokens;
    if (id === 'orders.create') answers[id]?.push({ ...needsChanges, ...(await whileInactive(engine, ask)) });
  }
  return answers;
}

const needsChanges = { name: 'needs_changes', summary: 'A success, too: the operator must approve the packaging' };

type Answer = Pick<SampleAnswer, 'status' | 'body'>;

/** The answer where no PAG is Active. */
async function whileInactive({ fetch, adminKey }: Engine, ask: () => Promise<Answer>): Promise<Answer> {
  const { sandbox } = controlClient({ url: 'http://localhost', adminKey, fetch });
  await sandbox(stage).switches.set({ inactive_pags: { all: true } });
  const answer = await ask();
  await sandbox(stage).switches.clear();
  return answer;
}

async function answerOf(
  { fetch }: Engine,
  origin: string,
  operation: Operation,
  sample: SampleRequest,
  token: string | undefined,
): Promise<Answer> {
  const response = await fetch(origin + pathOf(operation, sample), requestInit(operation, sample.body, token));
  return { status: response.status, body: shortened(await response.json()) };
}

function requestInit({ method }: Operation, body: unknown, token: string | undefined): RequestInit {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
}

const pathOf = ({ path }: Operation, { params = {}, query = {} }: SampleRequest): string =>
  `${filled(path, (name) => params[name] ?? '')}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;

/** A list says enough with two of its items. */
const shortened = (body: unknown): unknown =>
  Object.fromEntries(
    Object.entries(body as object).map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, 2) : value]),
  );

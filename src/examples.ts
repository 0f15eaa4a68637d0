// The examples of an OpenAPI document: good requests made of the fixtures, and what a new sandbox of the same readings answers to them.

import { controlClient } from './client/control-client.ts';
import { filled, stage } from './contract/addresses.ts';
import type { Fixtures } from './contract/fixtures.ts';
import { isOffered, type Operation } from './contract/operation.ts';
import { type OperationId, operationList } from './contract/operations.ts';
import { type FulfillmentAction, fulfillmentActions, type OrderAction, orderActions } from './contract/records.ts';
import type { Assumptions } from './contract/resolved-assumptions.ts';
import { actionsFrom } from './domain/fulfillments.ts';
import { operatorActions } from './domain/orders.ts';
import type { Engine, EngineOptions } from './engine.ts';
import type { Illustrations } from './http/docs/documents.ts';
import { controlExamples } from './openapi/control-document.ts';
import { type Illustrated, type SampleAnswer, type SampleRequest, type Samples, samplesOf } from './openapi/samples.ts';
import { orderOf, readyUser } from './sample-order.ts';
import { shippedFixtures } from './shipped.ts';

/** Where the clock of the examples stands. */
const clock = '2026-01-01T12:00:00Z';
/** The same examples at every start; no sandbox has it, so no key of these examples is a sandbox's. */
const randomSeed = 'the examples of the OpenAPI document';

export interface ExamplesOptions {
  /** The server's own. */
  readonly fixtures: Fixtures;
  readonly createEngine: (options: EngineOptions) => Engine;
}

/**
 * Each document of the service has a sandbox of its own to ask, in an engine that nobody else reaches. One that is not open shows the data of the
 * shipped fixtures, which is nobody's.
 */
export function examplesOf({ fixtures, createEngine }: ExamplesOptions): Illustrations {
  const shownTo = (isOpen: boolean) => (isOpen ? fixtures : withoutPasswords(shippedFixtures()));
  const service: Illustrations['service'] = async (assumptions, origin, isOpen) => {
    const shown = withTimesOf(assumptions, shownTo(isOpen), isOpen);
    const samples = samplesOf(shown, readyUser(shown), orderOf(shown));
    const engine = createEngine({
      fixtures: shown,
      assumptions: assumptions.choices,
      clock,
      randomSeed,
      debugHeaders: false,
    });
    try {
      return { samples, answers: await recordedAnswers(engine, assumptions, samples, origin) };
    } finally {
      engine.close();
    }
  };
  return { service, control: async (isOpen) => controlExamples(shownTo(isOpen), actedOn(shownTo(isOpen))) };
}

/** A closed list of the sandbox stands in the schema, so that examples must follow it; an open one may be somebody's own. */
const withTimesOf = (assumptions: Assumptions, fixtures: Fixtures, isOpen: boolean): Fixtures =>
  isOpen || assumptions.choices.time_of_administration === 'closed'
    ? { ...fixtures, administration_times: { values: [...assumptions.administrationTimes] } }
    : fixtures;

/** The same data, for whoever may not know how to log in. */
export const withoutPasswords = ({ users, ...others }: Fixtures): Fixtures => ({
  ...others,
  users: users.map((user) => ({ ...user, password: 'your-password' })),
});

/** What an action of the operator can be tried on: the first order or package that is where it may be taken. */
function actedOn({ orders, fulfillments }: Fixtures): Readonly<Record<string, string | undefined>> {
  const isNow = (action: OrderAction) =>
    orders.find(({ status }) => operatorActions(status, 'documented_path').includes(action));
  const isThere = (action: FulfillmentAction) =>
    fulfillments.find(({ status_id }) => actionsFrom(status_id).includes(action));
  return {
    ...Object.fromEntries(orderActions.map((action) => [`orders.${action}`, isNow(action)?.id])),
    ...Object.fromEntries(fulfillmentActions.map((action) => [`fulfillments.${action}`, isThere(action)?.id])),
    'orders.ship': orders.find(
      ({ id, status }) => status === 'In Production' && !fulfillments.some(({ order_id }) => order_id === id),
    )?.id,
  };
}

// What an engine answers to the sample requests: the examples of successes in an OpenAPI document.

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

// The examples of the OpenAPI documents: sample requests of the fixtures, and the answers of a new sandbox with the
// same assumptions.
import { controlClient } from './client/control-client.ts';
import { filled, stage } from './contract/addresses.ts';
import type { Fixtures } from './contract/fixtures.ts';
import { isOffered, type Operation } from './contract/operation.ts';
import { type OperationId, operationList, type ServiceOperation } from './contract/operations.ts';
import { type FulfillmentAction, fulfillmentActions, type OrderAction, orderActions } from './contract/records.ts';
import type { Refusal } from './contract/refusal.ts';
import type { Assumptions } from './contract/resolved-assumptions.ts';
import type { RuleId } from './contract/rules.ts';
import { actionsFrom } from './domain/fulfillments.ts';
import { operatorActions } from './domain/orders.ts';
import type { Engine, EngineOptions } from './engine.ts';
import type { Illustrations } from './http/docs/documents.ts';
import { sampleRefusal } from './openapi/refusal-examples.ts';
import {
  controlExamples,
  type DocumentExamples,
  type SampleAnswer,
  type SampleRequest,
  type Samples,
  samplesOf,
} from './openapi/samples.ts';
import { firstReadyUser, orderOf } from './sample-order.ts';
import { shippedFixtures } from './shipped.ts';

/** The frozen clock of the examples. */
const clock = '2026-01-01T12:00:00Z';
/** Gives the same examples at every start. No other sandbox has this seed, so the keys in the examples open nothing. */
const randomSeed = 'the examples of the OpenAPI document';

/**
 * Each document asks a sandbox in an engine of its own. A document that is not open shows the data of the shipped
 * fixtures, which contain no secrets.
 */
export function examplesOf(fixtures: Fixtures, createEngine: (options: EngineOptions) => Engine): Illustrations {
  const fixturesFor = (isOpen: boolean) => (isOpen ? fixtures : withoutPasswords(shippedFixtures()));
  const service: Illustrations['service'] = async (assumptions, origin, isOpen) => {
    const data = withTimesOf(assumptions, fixturesFor(isOpen), isOpen);
    const samples = samplesOf(data, firstReadyUser(data), orderOf(data));
    const engine = createEngine({
      fixtures: data,
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
  return { service, control: async (isOpen) => controlExamples(fixturesFor(isOpen), actedOn(fixturesFor(isOpen))) };
}

/** As a fault with a rule answers: with the names of the server's fixtures, and the times of the sandbox. */
export function sampleRefusalOf(
  fixtures: Fixtures,
  operation: ServiceOperation,
  rule: RuleId,
  assumptions: Assumptions,
): Refusal | undefined {
  const data = withTimesOf(assumptions, fixtures, true);
  return sampleRefusal(operation, rule, assumptions, samplesOf(data, firstReadyUser(data), orderOf(data)));
}

/** Examples must use the sandbox's list of times if it is closed, because it is part of the schema. */
const withTimesOf = (assumptions: Assumptions, fixtures: Fixtures, isOpen: boolean): Fixtures =>
  isOpen || assumptions.choices.time_of_administration === 'closed'
    ? { ...fixtures, administration_times: { values: [...assumptions.administrationTimes] } }
    : fixtures;

export const withoutPasswords = ({ users, ...others }: Fixtures): Fixtures => ({
  ...others,
  users: users.map((user) => ({ ...user, password: 'your-password' })),
});

/** The id of the first order or package that allows the action, by operation. */
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

/** The engine's answers to the sample requests, sent one after the other. */
async function recordedAnswers(
  engine: Engine,
  assumptions: Assumptions,
  { requests }: Samples,
  origin: string,
): Promise<DocumentExamples['answers']> {
  const answers: { [Id in OperationId]?: SampleAnswer[] } = {};
  let tokens: Readonly<Record<string, string>> = {};
  for (const operation of operationList.filter((one) => isOffered(one, assumptions))) {
    const { id } = operation;
    const { access_token, refresh_token } = tokens;
    const sample = id === 'authentication.refresh' ? { body: { refresh_token } } : requests[id];
    const ask = () => answerOf(engine, origin, operation, sample, access_token);
    answers[id] = [{ name: 'sample', summary: 'The response of a new sandbox', ...(await ask()) }];
    // A refresh may end the token before it (`old_token_after_refresh`).
    if (operation.permission === null) tokens = { ...tokens, ...(answers[id]?.[0]?.body as typeof tokens) };
    if (id === 'orders.create') answers[id]?.push({ ...needsChanges, ...(await whileInactive(engine, ask)) });
  }
  return answers;
}

const needsChanges = { name: 'needs_changes', summary: 'Also a success: the operator must approve the packaging' };

type Answer = Pick<SampleAnswer, 'status' | 'body'>;

/** The answer while no PAG is Active. */
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
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const body = sample.body ? JSON.stringify(sample.body) : null;
  const response = await fetch(origin + pathOf(operation, sample), { method: operation.method, headers, body });
  return { status: response.status, body: shortened(await response.json()) };
}

function pathOf({ path }: Operation, { params = {}, query = {} }: SampleRequest): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `${filled(path, (name) => params[name] ?? '')}?${search}`;
}

/** Shortens lists to two items. */
const shortened = (body: unknown): unknown =>
  Object.fromEntries(
    Object.entries(body as object).map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, 2) : value]),
  );

// The examples of an OpenAPI document: good requests made of the fixtures, and what a new sandbox of the same readings answers to them.
import type { Fixtures } from './contract/fixtures.ts';
import { controlExamples } from './contract/openapi/control-examples.ts';
import { samplesOf } from './contract/openapi/samples.ts';
import {
  type FulfillmentAction,
  fulfillmentActions,
  type OrderAction,
  orderActions,
} from './contract/order-progress.ts';
import type { Assumptions } from './contract/terms.ts';
import { actionsFrom } from './domain/fulfillment-status.ts';
import { operatorActions } from './domain/order-status.ts';
import type { Engine, EngineOptions } from './engine-options.ts';
import type { Illustrations } from './http/docs/documents.ts';
import { recordedAnswers } from './recorded-answers.ts';
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

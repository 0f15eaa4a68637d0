// The tools that change a sandbox: create one, switches, clock, scenarios, orders.
import { z } from 'zod';
import { findOrder, movePackages } from '../client/orders.ts';
import type { Sandbox } from '../client/sandbox.ts';
import type { Input, Result } from '../client/sandbox-control.ts';
import { consoleStartPath } from '../contract/addresses.ts';
import { toIsoDuration } from '../contract/control/clock.ts';
import { type SwitchName, switchNames } from '../contract/control/switch-names.ts';
import { switchExamples } from '../contract/control/switches.ts';
import { type FulfillmentAction, fulfillmentActions, type OrderAction, orderActions } from '../contract/records.ts';
import { oneOf, type Page, pageOf, paging, short, type Tool, text, tool, writes, writesOnce } from './tool.ts';

const maxLogins = 3;

/** Not for an own key. */
export const createSandbox = tool({
  name: 'create_sandbox',
  description:
    'Creates an isolated copy of the service with its own data, clock and journal, and returns its base URL and ' +
    'logins. Call it first; pass the name as `sandbox` to the other tools.',
  input: {
    sandbox: text('name of the new sandbox, such as w7; default: a random name'),
    scenario: text('scenario to start with; apply_scenario lists them'),
    clock: text('ISO 8601 instant at which the clock is frozen; with a + at its end it runs from there'),
    random_seed: text('the same seed, frozen clock and calls give the same ids'),
    ttl_seconds: z.int().min(1).optional().describe('delete it after this time without use'),
    assumptions: z
      .record(z.string(), z.string())
      .optional()
      .describe('choices for open questions of the contract, such as {"next_cursor": "meta"}'),
  },
  annotations: writes,
  run: async (_, { sandbox: name, assumptions, ...options }, { sachet }) => {
    const made = await sachet.createSandbox({ ...options, name, assumptions: assumptions as object | undefined });
    const { base_url } = await made.get();
    const logins = made.logins.slice(0, maxLogins).map(({ username, password }) => `${username} / ${password}`);
    const more = made.logins.length > maxLogins ? ` (and ${made.logins.length - maxLogins} more)` : '';
    return [
      `sandbox: ${made.name}`,
      `base_url: ${base_url}`,
      `logins (username / password): ${logins.join(', ') || 'none can log in'}${more}`,
      `clock: ${clockText(await made.clock.get())}`,
      `console: ${sachet.baseUrl}${consoleStartPath(made.name)}`,
      `next: point the client at base_url (paths begin with /v2); pass "sandbox": "${made.name}" to the other tools`,
    ];
  },
});

const clockText = ({ now, frozen, rate }: Awaited<Result<'clock.get'>>): string =>
  `${now}, ${frozen ? 'frozen' : `running at rate ${rate}`}`;

const settingExamples = switchNames
  .map((name) => `${name} ${JSON.stringify((switchExamples[name] as Record<string, unknown>)[name])}`)
  .join(', ');

const setSwitch = tool({
  name: 'set_switch',
  description:
    'Makes the service misbehave: expired tokens, 429, 500, delays, broken connections. Replaces the settings of one ' +
    'switch; null turns it off.',
  input: {
    switch: oneOf(switchNames).describe('name of the switch'),
    settings: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(`null for off, or for example: ${settingExamples}; \`match\` limits it to some calls`),
  },
  annotations: writes,
  run: async (sandbox, { switch: name, settings }) => {
    const all = await sandbox.switches.set({ [name]: settings } as Input<'switches.set'>);
    const others = switchNames.filter((other) => other !== name && all[other]);
    const stateOf = (one: SwitchName): string => `${one}: ${all[one] ? JSON.stringify(all[one]) : 'off'}`;
    return [stateOf(name), ...(others.length > 0 ? [`also on: ${others.map(stateOf).join(', ')}`] : [])];
  },
});

const advanceClock = tool({
  name: 'advance_clock',
  description:
    'Moves the clock of a sandbox forward, so that tokens, label URLs and rate limits expire. Takes due steps.',
  input: { by: z.string().describe('ISO 8601 duration such as PT15M or P1D, or words such as "15 minutes"') },
  annotations: writes,
  run: async (sandbox, { by }) => {
    const duration = toIsoDuration(by);
    if (duration === undefined)
      throw new Error(`"${short(by, 80)}" is not a duration; use ISO 8601 such as PT15M or P1D, or "15 minutes".`);
    return [`clock: ${clockText(await sandbox.clock.advance({ by: duration }))}`];
  },
});

const applyScenario = tool({
  name: 'apply_scenario',
  description:
    'Applies a named situation: switches, faults, assumptions and data, with what a correct client does. Without a ' +
    'name it lists all scenarios.',
  input: {
    action: oneOf(['list', 'apply', 'remove']).optional().describe('default: apply with a scenario, else list'),
    scenario: text('name of the scenario; remove without it removes all'),
    ...paging(50),
  },
  annotations: writesOnce,
  run: async (sandbox, { scenario, action = scenario === undefined ? 'list' : 'apply', ...page }) => {
    if (action === 'apply' && scenario !== undefined) {
      const { name, intent, right_client } = await sandbox.scenarios.apply(scenario);
      return [`applied: ${name}`, `intent: ${intent}`, `a correct client: ${right_client}`];
    }
    const { scenarios } = await sandbox.scenarios.list();
    if (action === 'apply') throw new Error(`apply needs a scenario: ${scenarios.map(({ name }) => name).join(', ')}`);
    if (action === 'list')
      return pageOf(
        scenarios.map(({ name, intent, applied_at }) => ({
          id: name,
          line: `${name}${applied_at ? ' (applied)' : ''}: ${short(intent, 200)}`,
        })),
        page,
      );
    const applied = scenarios.filter(({ applied_at }) => applied_at !== null).map(({ name }) => name);
    const removed = scenario === undefined ? applied : [scenario];
    for (const name of removed) await sandbox.scenarios.take_back(name);
    return [`removed: ${removed.join(', ') || 'nothing was applied'}`];
  },
});

const shipping = ['ship', ...fulfillmentActions] as const;
const isOrderAction = (action: string): action is OrderAction => (orderActions as readonly string[]).includes(action);

const ordersAction = tool({
  name: 'orders_action',
  description:
    'Lists the orders of a sandbox, newest first, or acts as the operator (accept, start_production, ship …) or the ' +
    'carrier (pick_up, deliver …). The path is accept, start_production, ship, pick_up, depart, deliver.',
  input: {
    action: oneOf(['list', ...orderActions, ...shipping]).default('list'),
    order: text('id of an order or its beginning, the number of a shipment such as SO-50001, or "latest"'),
    force: z.boolean().optional().describe('carrier actions: skip the check of the status'),
    status: text('list: only orders with this status, such as Pending'),
    ...paging(20),
  },
  annotations: writes,
  run: async (sandbox, { action, order, force, status, ...page }) => {
    if (action === 'list') return listOrders(sandbox, status, page);
    if (order === undefined)
      throw new Error(`${action} needs the argument order: an id, its beginning, SO-… or "latest"; list shows them`);
    if (isOrderAction(action)) {
      const { id, status: now } = await sandbox.orders[action]((await findOrder(sandbox, order)).id);
      return [`order ${id}: ${now}`];
    }
    const packages =
      action === 'ship'
        ? [await sandbox.orders.ship((await findOrder(sandbox, order)).id)]
        : await movePackages(sandbox, order, action as FulfillmentAction, force === undefined ? {} : { force });
    return packages.map(
      (one) => `fulfillment ${one.id} (${one.shipment_order_number}) of order ${one.order_id}: ${one.status_id}`,
    );
  },
});

async function listOrders({ records }: Sandbox, status: string | undefined, page: Page): Promise<string[]> {
  const { orders } = await records.orders.list();
  const { fulfillments } = await records.fulfillments.list();
  const wanted = orders.filter((one) => status === undefined || one.status.toLowerCase() === status.toLowerCase());
  const lines = wanted.toReversed().map(({ id, status: now, created_at }) => {
    const own = fulfillments.filter(({ order_id }) => order_id === id);
    const packages = own.map((one) => ` ${one.shipment_order_number}=${one.status_id}`);
    return { id, line: `${id} ${now} created ${created_at}${packages.join('')}` };
  });
  if (lines.length > 0) return pageOf(lines, page);
  const statuses = [...new Set(orders.map((one) => one.status))].join(', ');
  return [`no such order; statuses of the ${orders.length} orders: ${statuses || 'none'}`];
}

export const controlTools: readonly Tool[] = [createSandbox, setSwitch, advanceClock, applyScenario, ordersAction];

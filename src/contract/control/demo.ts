// Demo data over the control API: a brand with a catalog, and orders over the last weeks.
import { z } from 'zod';
import { fulfillmentStatuses, orderStatuses } from '../records.ts';
import { bounds } from './bounds.ts';
import { sandboxOperation } from './control-operation.ts';
import { login, seed } from './sandboxes.ts';

/** The brands that demo data can be about; sandbox/personas.ts has their data. */
export const personaNames = ['vitamins', 'sports', 'clinic'] as const;
export type PersonaName = (typeof personaNames)[number];

const count = z.int().min(0);
/** Properties, because linters of OpenAPI reject required names that a record does not list. */
const countsOf = <Name extends string>(names: readonly Name[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>);

const demoBody = z.strictObject({
  persona: z.enum(personaNames).default('vitamins').describe('the kind of brand'),
  seed: seed.default('1').describe('the same seed gives the same data at the same time of the clock'),
  orders: z.int().min(1).max(bounds.demoOrders).default(200).describe('number of orders'),
  days: z.int().min(1).max(bounds.demoDays).default(90).describe('age of the oldest order, in days'),
});
export type DemoBody = z.output<typeof demoBody>;

export const addedDemo = z.strictObject({
  persona: z.enum(personaNames),
  seed: z.string(),
  brand: z.strictObject({ id: z.guid(), name: z.string() }),
  login,
  consumers: count,
  /** By status. */
  orders: countsOf(orderStatuses),
  /** By status. */
  fulfillments: countsOf(fulfillmentStatuses),
});

export const demoOperations = {
  'sandboxes.seed': sandboxOperation('POST', '/seed', 'Add a demo brand with orders in every status', {
    operationId: 'seedSandbox',
    description:
      'Adds a brand with a login, products, packs, packaging and consumers, and its orders and packages over the ' +
      'last days of the clock: delivered, split, delayed, lost, returned, on hold and canceled ones. Changes ' +
      'nothing else. The response has the login. 409 if the sandbox already has the brand of this persona.',
    body: demoBody.prefault({}),
    examples: { sample: { persona: 'vitamins', seed: 7 } },
    responses: { 201: addedDemo },
  }),
} as const;

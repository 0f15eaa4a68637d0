// Switches, faults, scenarios and assumptions over the control API.
import { z } from 'zod';
import { assumptionIds } from '../assumptions.ts';
import { controlOperation } from './control-operation.ts';
import { fault } from './faults.ts';
import { readingsPatch } from './readings-patch.ts';
import { switchesPatch, switchesShown } from './switches.ts';

const faultShown = z.looseObject({
  id: z.string(),
  /** Calls it met; 0 for one that matched nothing. */
  hits: z.int(),
  /** Of `times`. */
  remaining: z.int().optional(),
  /** Of `for_seconds`, by the sandbox's clock. */
  ends_at: z.iso.datetime().optional(),
  scenario: z.string().optional(),
});

const scenarioShown = z.strictObject({
  name: z.string(),
  intent: z.string(),
  right_client: z.string(),
  /** When it was applied, by the sandbox's clock; null where it is not. */
  applied_at: z.iso.datetime({ precision: 3 }).nullable(),
});

const readingsShown = z.strictObject(
  Object.fromEntries(assumptionIds.map((id) => [id, z.string()])) as Record<
    (typeof assumptionIds)[number],
    z.ZodString
  >,
);

export const leverOperations = {
  'switches.get': controlOperation({
    id: 'switches.get',
    method: 'GET',
    path: '/_admin/sandboxes/{sandbox}/switches',
    summary: 'Every switch, and what remains of it',
    responses: { 200: switchesShown },
  }),
  'switches.set': controlOperation({
    id: 'switches.set',
    method: 'PATCH',
    path: '/_admin/sandboxes/{sandbox}/switches',
    summary: 'Turn switches',
    body: switchesPatch,
    example: { rate_limit: { burst: 3 } },
    responses: { 200: switchesShown },
  }),
  'switches.clear': controlOperation({
    id: 'switches.clear',
    method: 'DELETE',
    path: '/_admin/sandboxes/{sandbox}/switches',
    summary: 'Turn all switches off',
    responses: { 204: null },
  }),
  'faults.list': controlOperation({
    id: 'faults.list',
    method: 'GET',
    path: '/_admin/sandboxes/{sandbox}/faults',
    summary: 'List the faults',
    responses: { 200: z.strictObject({ faults: z.array(faultShown) }) },
  }),
  'faults.create': controlOperation({
    id: 'faults.create',
    method: 'POST',
    path: '/_admin/sandboxes/{sandbox}/faults',
    summary: 'Add a fault',
    body: fault,
    example: { id: 'lost-orders', match: { operation: 'orders.create' }, drop: 'after_processing', times: 1 },
    responses: { 201: faultShown },
  }),
  'faults.get': controlOperation({
    id: 'faults.get',
    method: 'GET',
    path: '/_admin/sandboxes/{sandbox}/faults/{id}',
    summary: 'Get a fault',
    responses: { 200: faultShown },
  }),
  'faults.delete': controlOperation({
    id: 'faults.delete',
    method: 'DELETE',
    path: '/_admin/sandboxes/{sandbox}/faults/{id}',
    summary: 'Take a fault out',
    responses: { 204: null },
  }),
  'scenarios.list': controlOperation({
    id: 'scenarios.list',
    method: 'GET',
    path: '/_admin/sandboxes/{sandbox}/scenarios',
    summary: 'List the scenarios',
    responses: { 200: z.strictObject({ scenarios: z.array(scenarioShown) }) },
  }),
  'scenarios.apply': controlOperation({
    id: 'scenarios.apply',
    method: 'POST',
    path: '/_admin/sandboxes/{sandbox}/scenarios/{name}',
    summary: 'Apply a scenario',
    responses: { 200: scenarioShown },
  }),
  'scenarios.take_back': controlOperation({
    id: 'scenarios.take_back',
    method: 'DELETE',
    path: '/_admin/sandboxes/{sandbox}/scenarios/{name}',
    summary: 'Take a scenario back',
    responses: { 204: null },
  }),
  'assumptions.get': controlOperation({
    id: 'assumptions.get',
    method: 'GET',
    path: '/_admin/sandboxes/{sandbox}/assumptions',
    summary: 'The readings in force',
    responses: { 200: readingsShown },
  }),
  'assumptions.set': controlOperation({
    id: 'assumptions.set',
    method: 'PATCH',
    path: '/_admin/sandboxes/{sandbox}/assumptions',
    summary: 'Turn readings',
    body: readingsPatch,
    example: { next_cursor: 'meta' },
    responses: { 200: readingsShown },
  }),
} as const;

// Sandboxes over the control API, with reset and named snapshots.
import { z } from 'zod';
import { builtInSandboxes, sandboxName } from '../addresses.ts';
import { parseClockInstant } from '../records.ts';
import { bounds } from './bounds.ts';
import { controlOperation, sandboxOperation } from './control-operation.ts';
import { choicesPatch } from './overrides.ts';

export const login = z.strictObject({ username: z.string(), password: z.string() });

export const sandboxSchema = z.strictObject({
  name: z.string(),
  environment: z.enum(builtInSandboxes),
  base_url: z.url().describe('the {base_url} of the contract for this sandbox'),
  made_by_login: z.boolean(),
  has_own_key: z.boolean(),
  ttl_seconds: z.int().nullable(),
  last_used_at: z.iso.datetime({ precision: 3 }).describe('real time of the last use'),
});

/** A new sandbox with its logins and its own key. */
export const createdSandbox = z.strictObject({
  ...sandboxSchema.shape,
  logins: z.array(login),
  key: z.string().nullable(),
});

export const seed = z
  .union([z.string().min(1).max(1000), z.int()], 'a text of 1 to 1000 characters, or a whole number')
  .transform(String);

const ownKey = /^[!-~]{16,200}$/;
const isOwnKey = (given: unknown): boolean => given === true || (typeof given === 'string' && ownKey.test(given));
const isClock = (text: string): boolean => parseClockInstant(text.replace(/\+$/, '')) !== undefined;

/** The settings of a new sandbox. The defaults are the server's own settings. */
const newSandbox = z.strictObject({
  name: z
    .string()
    .regex(sandboxName, 'a name such as w7: lowercase letters, digits, ".", "_" and "-", at most 63')
    .optional(),
  environment: z.enum(builtInSandboxes).optional(),
  random_seed: seed
    .optional()
    .describe(
      'seed of ids and random numbers: the same seed, frozen clock and calls give the same ids under any name; a ' +
        'number counts as its text',
    ),
  clock: z
    .string()
    .refine(isClock, 'an ISO 8601 instant such as 2026-01-01T00:00:00Z, or with a + at the end to run from there')
    .nullable()
    .optional()
    .describe(
      'ISO 8601 instant at which the clock is frozen, or runs from there if a `+` follows it; null for real time',
    ),
  ttl_seconds: z
    .int()
    .min(1)
    .max(bounds.seconds)
    .optional()
    .describe('seconds of real time without use after which the sandbox is deleted'),
  assumptions: choicesPatch.optional(),
  scenario: z.string().optional().describe('name of a scenario to start with, also after a reset'),
  fixtures: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("collections that replace those of the server's fixtures"),
  own_key: z
    .custom<true | string>(isOwnKey, 'true, or a key of 16 to 200 visible ASCII characters')
    .meta({
      override: {
        anyOf: [
          { type: 'boolean', const: true },
          { type: 'string', pattern: ownKey.source },
        ],
      },
    })
    .optional()
    .describe('true to create a key that controls only this sandbox, or a key of your own'),
});
export type NewSandbox = z.output<typeof newSandbox>;

export const sandboxOperations = {
  'sandboxes.list': controlOperation('GET', '/_admin/sandboxes', 'List the sandboxes', {
    operationId: 'listSandboxes',
    description:
      'Needs the admin key of the server. Each sandbox is listed by name with its base URL and its environment.',
    responses: { 200: z.strictObject({ sandboxes: z.array(sandboxSchema) }) },
  }),
  'sandboxes.create': controlOperation('POST', '/_admin/sandboxes', 'Create a sandbox', {
    operationId: 'createSandbox',
    description:
      'Creates an isolated copy of the service with its own data, clock, switches, assumptions and journal. The ' +
      'response has its base URL and the logins of its users, which have its name as their tag, such as `demo+w7`. ' +
      'All settings are optional; the defaults are those of the server. A login with a tag creates a sandbox, too.',
    body: newSandbox,
    bodyBytes: bounds.stateBytes,
    examples: { sample: { name: 'w7' } },
    responses: {
      201: createdSandbox,
    },
  }),
  'sandboxes.get': sandboxOperation('GET', '', 'Get a sandbox', {
    operationId: 'getSandbox',
    description: 'The base URL, the environment and the time of the last use of one sandbox.',
    responses: { 200: sandboxSchema },
  }),
  'sandboxes.delete': sandboxOperation('DELETE', '', 'Delete a sandbox', {
    operationId: 'deleteSandbox',
    description:
      'Deletes the sandbox with its data, journal and snapshots. `stage` and `production` cannot be deleted.',
    responses: { 204: null },
  }),
} as const;

const snapshotName = z
  .string()
  .regex(sandboxName, 'a name such as base-1: lowercase letters, digits, ".", "_" and "-", at most 63');

export const snapshot = z.strictObject({ name: snapshotName, created_at: z.iso.datetime({ precision: 3 }) });

export const snapshotOperations = {
  'sandboxes.reset': sandboxOperation('POST', '/reset', 'Reset to the initial state', {
    operationId: 'resetSandbox',
    description:
      'Restores data, clock, switches, faults, scenarios and assumptions as they were when the sandbox was ' +
      'created, and clears the journal. Keeps snapshots, keys and tokens that have not expired.',
    freesMemory: true,
    responses: { 200: sandboxSchema },
  }),
  'snapshots.list': sandboxOperation('GET', '/snapshots', 'List the snapshots', {
    operationId: 'listSnapshots',
    description: 'The named snapshots of the sandbox, each with the time at which it was taken.',
    responses: { 200: z.strictObject({ snapshots: z.array(snapshot) }) },
  }),
  'snapshots.create': sandboxOperation('POST', '/snapshots', 'Take a snapshot', {
    operationId: 'createSnapshot',
    description:
      'Saves the whole state under a name: data, clock, switches, faults, scenarios and assumptions. The journal ' +
      'is not part of it.',
    body: z.strictObject({ name: snapshotName }),
    examples: { sample: { name: 'base' } },
    responses: { 201: snapshot },
  }),
  'snapshots.get': sandboxOperation('GET', '/snapshots/{name}', 'Get a snapshot', {
    operationId: 'getSnapshot',
    description: 'The name of the snapshot, and the time at which it was taken.',
    responses: { 200: snapshot },
  }),
  'snapshots.delete': sandboxOperation('DELETE', '/snapshots/{name}', 'Delete a snapshot', {
    operationId: 'deleteSnapshot',
    description: 'Deletes the snapshot. The state of the sandbox stays as it is.',
    responses: { 204: null },
  }),
  'snapshots.restore': sandboxOperation('POST', '/snapshots/{name}/restore', 'Restore a snapshot', {
    operationId: 'restoreSnapshot',
    description:
      'Replaces the state of the sandbox with the snapshot. The journal stays as it is. The snapshot can be ' +
      'restored again.',
    freesMemory: true,
    responses: { 200: snapshot },
  }),
} as const;

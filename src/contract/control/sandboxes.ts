// Sandboxes over the control API, with reset and named snapshots.
import { z } from 'zod';
import { builtInSandboxes, sandboxName } from '../addresses.ts';
import { parseClockInstant } from '../records.ts';
import { bounds } from './bounds.ts';
import { controlOperation, sandboxOperation } from './control-operation.ts';
import { choicesPatch } from './overrides.ts';

export const login = z.strictObject({ username: z.string(), password: z.string() });

const inviteSchema = z.strictObject({
  status: z.enum(['open', 'claimed', 'expired']),
  expires_at: z.iso.datetime({ precision: 3 }).describe('real time'),
});

export const sandboxSchema = z.strictObject({
  name: z.string(),
  environment: z.enum(builtInSandboxes),
  base_url: z.url().describe('the {base_url} of the contract for this sandbox'),
  made_by_login: z.boolean(),
  has_own_key: z.boolean(),
  ttl_seconds: z.int().nullable(),
  last_used_at: z.iso.datetime({ precision: 3 }).describe('real time of the last use'),
  invite: inviteSchema.optional().describe('only for a sandbox that was created with an invite'),
});

/** A new sandbox with its logins and its own key. With an invite, only the claim shows them. */
export const createdSandbox = z.strictObject({
  ...sandboxSchema.shape,
  logins: z.array(login),
  key: z.string().nullable(),
  invite: inviteSchema.extend({ url: z.url().describe('the link for the guest') }).optional(),
});

/** What a guest gets for the link, once. */
export const claimedSandbox = z.strictObject({
  ...sandboxSchema.shape,
  logins: z.array(login),
  key: z.string(),
  console_url: z.url(),
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
  invite: z
    .strictObject({
      expires_in_seconds: z.int().min(1).max(bounds.inviteSeconds).default(604_800),
    })
    .optional()
    .describe(
      'creates a link that hands out the logins and the own key once; then `ttl_seconds` is 14 days by default',
    ),
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
  'sandboxes.claim': controlOperation('POST', '/_admin/claim', 'Claim an invited sandbox', {
    operationId: 'claimSandbox',
    description:
      'Needs no key, but the token of an invite link. Returns the logins and the own key of the sandbox, once. An ' +
      'expired or used link is 410. An unknown sandbox and a wrong token are 404; too many wrong tokens are 429.',
    isPublic: true,
    body: z.strictObject({ sandbox: z.string().max(63), token: z.string().min(1).max(200) }),
    examples: { sample: { sandbox: 'acme', token: 'the part of the link after #token=' } },
    responses: { 200: claimedSandbox },
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

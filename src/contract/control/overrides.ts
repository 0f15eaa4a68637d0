// Overrides: the switches and faults that are on. Then the operations on switches, faults, scenarios and assumptions.
import { z } from 'zod';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices, profiles } from '../assumptions.ts';
import type { DeepReadonly } from '../records.ts';
import { conductRuleId } from './conduct.ts';
import { sandboxOperation } from './control-operation.ts';
import { expectation } from './match.ts';
import { requiredOutcome } from './outcomes.ts';
import { type OverrideKind, type OverridePhase, switchesPath } from './switch-names.ts';
import { type Fault, fault, type SwitchSettings, switchExamples, switchesPatch, switchesSchema } from './switches.ts';

type SettingsByKind = DeepReadonly<SwitchSettings & { fault: Fault }>;
export type SettingsOf<Kind extends OverrideKind> = SettingsByKind[Kind];

/** A window of a rate limit: its start in milliseconds of sandbox time, and the number of calls in it. */
export interface RateWindow {
  readonly began_at: number;
  readonly calls: number;
}

/** Rate-limit windows by the id of the user whose calls they count. */
export type RateWindows = Readonly<Record<string, RateWindow>>;

interface OverrideState {
  /** The name, then `@` and the scenario if one set it. */
  readonly id: string;
  /** The name of the switch, or the id of the fault. */
  readonly name: string;
  readonly turn: OverridePhase;
  /** The scenario that set it. */
  readonly scenario: string | null;
  /** Overridden by a later setting of the same switch. */
  readonly hidden: boolean;
  /** Sandbox time in milliseconds. */
  readonly made_at: number;
  /** Matching calls so far; counted only with `after`. */
  readonly seen: number;
  /** Calls that it affected. */
  readonly hits: number;
  /** Random numbers drawn so far. */
  readonly rolls: number;
  readonly window: RateWindow | null;
  /** Of calls that count by user (`rate_limit_scope`); `window` counts the others. */
  readonly windows?: RateWindows | undefined;
  /** For the calls that it matches, tokens or label URLs of earlier generations are expired. */
  readonly generation: number | null;
}

export type OverrideOf<Kind extends OverrideKind> = OverrideState & {
  readonly kind: Kind;
  readonly settings: SettingsOf<Kind>;
};
export type Override = { [Kind in OverrideKind]: OverrideOf<Kind> }[OverrideKind];

const choiceOf = <Id extends AssumptionId>(id: Id) =>
  z.enum(assumptionRegister[id].choices.map(([name]) => name as Choices[Id])).describe(assumptionRegister[id].question);

export const choices = Object.fromEntries(assumptionIds.map((id) => [id, choiceOf(id)]));

/** The current choice of every assumption. */
export const choicesSchema = z.strictObject(choices) as unknown as z.ZodType<Choices, Choices>;

type Shape = { readonly [Id in AssumptionId]: z.ZodOptional<z.ZodNullable<ReturnType<typeof choiceOf<Id>>>> };

const patches = Object.fromEntries(
  Object.entries(choices).map(([id, choice]) => [id, choice.nullable().optional()]),
) as unknown as Shape;

/** PATCH …/assumptions: single choices, null for the default. `profile` sets all others. */
export const choicesPatch = z.strictObject({
  profile: z.enum(Object.keys(profiles) as (keyof typeof profiles)[]).optional(),
  ...patches,
});
export type ChoicesPatch = z.output<typeof choicesPatch>;

export const faultSchema = z.strictObject({
  ...fault.shape,
  id: z.string(),
  hits: z.int().describe('number of calls that it affected'),
  remaining: z.int().optional().describe('calls left of `times`'),
  ends_at: z.iso.datetime().optional().describe("end of `for_seconds`, on the sandbox's clock"),
  scenario: z.string().optional().describe('scenario that set it'),
});

export const scenarioSchema = z.strictObject({
  name: z.string(),
  intent: z.string(),
  right_client: z.string(),
  expect: z.array(expectation).describe('calls that a correct client makes'),
  conduct: z.array(conductRuleId).describe('rules of the conduct report that it tests'),
  outcomes: z.array(requiredOutcome).describe('what the client must reach'),
  advance: z.string().optional().describe('by how much certify advances the clock before a last round'),
  applied_at: z.iso
    .datetime({ precision: 3 })
    .nullable()
    .describe("when it was applied, on the sandbox's clock; null if it is not applied"),
});

export const overrideOperations = {
  'switches.get': sandboxOperation('GET', switchesPath, 'Get all switches', {
    operationId: 'getSwitches',
    description:
      'Every switch with its settings; null is off. An active switch also shows how many calls it affected and ' +
      'when it ends.',
    responses: { 200: switchesSchema },
  }),
  'switches.set': sandboxOperation(
    'PATCH',
    switchesPath,
    'Set switches: each given switch replaces its previous settings, null turns it off',
    {
      operationId: 'setSwitches',
      description:
        'Sets the given switches; the others do not change. Each given switch replaces its previous settings, ' +
        'and null turns it off.',
      body: switchesPatch,
      examples: switchExamples,
      responses: { 200: switchesSchema },
    },
  ),
  'switches.clear': sandboxOperation('DELETE', switchesPath, 'Turn all switches off', {
    operationId: 'clearSwitches',
    description: 'Turns all switches off. Faults stay.',
    responses: { 204: null },
  }),
  'faults.list': sandboxOperation('GET', '/faults', 'List the faults', {
    operationId: 'listFaults',
    description: 'All faults, oldest first, each with the number of calls that it affected.',
    responses: { 200: z.strictObject({ faults: z.array(faultSchema) }) },
  }),
  'faults.create': sandboxOperation('POST', '/faults', 'Create a fault', {
    operationId: 'createFault',
    description:
      'Answers matching calls with a status or as a rule would, delays them, or breaks their connection. Without ' +
      '`match`, the fault affects all calls. It ends after `times` calls or `for_seconds`, or when it is deleted.',
    body: fault,
    examples: {
      sample: { id: 'lost-orders', match: { operation: 'orders.create' }, drop: 'after_processing', times: 1 },
    },
    responses: { 201: faultSchema },
  }),
  'faults.get': sandboxOperation('GET', '/faults/{id}', 'Get a fault', {
    operationId: 'getFault',
    description: 'The settings of one fault, and the number of calls that it affected.',
    responses: { 200: faultSchema },
  }),
  'faults.delete': sandboxOperation('DELETE', '/faults/{id}', 'Delete a fault', {
    operationId: 'deleteFault',
    description: 'Deletes the fault. It affects no later call.',
    responses: { 204: null },
  }),
  'scenarios.list': sandboxOperation('GET', '/scenarios', 'List the scenarios', {
    operationId: 'listScenarios',
    description:
      'All scenarios of the server, each with its intent, the calls of a correct client, and when it was applied ' +
      'to this sandbox.',
    responses: { 200: z.strictObject({ scenarios: z.array(scenarioSchema) }) },
  }),
  'scenarios.apply': sandboxOperation('POST', '/scenarios/{name}', 'Apply a scenario', {
    operationId: 'applyScenario',
    description:
      'Sets the switches, faults, assumptions and records of the scenario. Several scenarios can be applied at a ' +
      'time; a later one overrides an earlier one.',
    responses: { 200: scenarioSchema },
  }),
  'scenarios.take_back': sandboxOperation('DELETE', '/scenarios/{name}', 'Remove a scenario', {
    operationId: 'removeScenario',
    description:
      'Removes what the scenario set, and restores what it replaced. Records that a client changed meanwhile ' +
      'stay changed.',
    responses: { 204: null },
  }),
  'assumptions.get': sandboxOperation('GET', '/assumptions', 'Get the choices of all assumptions', {
    operationId: 'getAssumptions',
    description:
      'The current choice of every assumption. The OpenAPI document of the service lists all questions and choices.',
    responses: { 200: choicesSchema },
  }),
  'assumptions.set': sandboxOperation('PATCH', '/assumptions', 'Change choices of assumptions', {
    operationId: 'setAssumptions',
    description:
      'Changes the given choices from the next call on; null restores a default. `profile` first sets all ' +
      'assumptions to the choices of a profile.',
    body: choicesPatch,
    examples: { sample: { next_cursor: 'meta' } },
    responses: { 200: choicesSchema },
  }),
} as const;

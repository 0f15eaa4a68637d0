// The first state of a sandbox: who it is, the fixtures, and what it was told to begin with.

import { builtInSandboxes } from '../contract/addresses.ts';
import type { Choices } from '../contract/assumptions.ts';
import type { NewSandbox } from '../contract/control/sandboxes.ts';
import { refuseFaults } from '../contract/control/switches.ts';
import { FixturesError } from '../contract/file-errors.ts';
import { readFixtures } from '../contract/fixtures.ts';
import { internChoices } from '../contract/resolved-assumptions.ts';
import type { Scenario } from '../contract/scenarios.ts';
import { type Hashes, hex } from '../domain/hashes.ts';
import type { Identity } from '../domain/world.ts';
import { readClock, realClock, restartedClock, timeOf } from '../state/clock.ts';
import { initialSnapshot, type RecordOptions, type Seed, State, seedOf } from '../state/state.ts';
import { type Answered, type AnsweredName, answeredNames, type ClockState } from '../state/values.ts';
import { randomSecret } from '../system/random.ts';
import { turned } from './assumptions.ts';
import { applyScenario } from './scenarios.ts';

/** What every sandbox of a server begins with, unless it is told otherwise. */
export interface SandboxDefaults {
  readonly seed: Seed;
  /** The server's seed; none: each sandbox has one that nobody can guess. */
  readonly randomSeed: string | undefined;
  readonly choices: Choices;
  readonly clock: ClockState;
  readonly scenarios: readonly Scenario[];
  readonly hashes: Hashes;
  readonly recordOptions: RecordOptions;
}

/** Who a sandbox is, before it has keys. */
export type NewIdentity = Pick<Identity, 'name' | 'environment' | 'madeByLogin'>;

/** What one sandbox is told to begin with. */
export type NewSandboxSettings = Pick<NewSandbox, 'random_seed' | 'clock' | 'assumptions' | 'fixtures'> & {
  readonly scenario?: Scenario | undefined;
  readonly ownKeyHash?: string | undefined;
  /** Whether its users get passwords of their own. */
  readonly freshPasswords?: boolean;
  /** Real seconds without use after which it is deleted; none: it stays. */
  readonly ttlSeconds?: number | undefined;
  /** How the call that makes it is answered, where that is kept. */
  readonly answered?: ((born: State) => Answered) | undefined;
};

/** The state at version 1. @throws ControlRefusal for fixtures that are not whole, or that a scenario does not fit. */
export function createSandboxState(
  beginning: SandboxDefaults,
  newIdentity: NewIdentity,
  settings: NewSandboxSettings,
  machine: number,
): State {
  const { recordOptions } = beginning;
  const clock = clockFor(beginning, newIdentity, settings, machine);
  const [identity, choices] = [identityOf(beginning, newIdentity, settings), choicesFor(beginning, settings)];
  const made = { identity, clock, choices, at: timeOf(clock, machine) };
  const state = new State(seedFor(beginning, settings), made, recordOptions);
  const scenarios = settings.scenario ? [settings.scenario] : beginning.scenarios;
  if (settings.freshPasswords || scenarios.length > 0 || settings.answered)
    state.transaction(() => begin(state, beginning, { ...settings, scenarios }, machine));
  return state;
}

type Begun = NewSandboxSettings & { readonly scenarios: readonly Scenario[] };

function begin(
  state: State,
  { hashes }: SandboxDefaults,
  { freshPasswords, scenarios, answered }: Begun,
  machine: number,
) {
  const now = state.initial.at;
  if (freshPasswords) givePasswords(state, hashes, state.initial.identity.seed);
  for (const scenario of scenarios) applyScenario(state, scenario, { now, hashes }, machine);
  if (freshPasswords || scenarios.length > 0) state.keep(initialSnapshot, timeOf(state.value('clock'), machine));
  if (answered) state.setValue(answeredNames[0] as AnsweredName, answered(state));
}

/** Its signing key follows from a seed that is given; where none is, there is nothing to follow from, and the hash would be most of the making. */
function identityOf(
  { hashes, randomSeed: given }: SandboxDefaults,
  identity: NewIdentity,
  settings: NewSandboxSettings,
): Identity {
  const { random_seed = given, ownKeyHash = null, ttlSeconds = null } = settings;
  const { name, environment, madeByLogin } = identity;
  const seed = `${random_seed ?? randomSecret()}/${name}`;
  const signingKey = random_seed === undefined ? randomSecret() : hex(hashes.sha256(`signing key\n${seed}`));
  return { name, environment, madeByLogin, seed, signingKey, ownKeyHash, ttlSeconds };
}

const choicesFor = ({ choices }: SandboxDefaults, { assumptions }: NewSandboxSettings): Choices =>
  assumptions ? internChoices({ ...choices, ...turned(assumptions) }) : choices;

/** Time that runs on from an instant starts with the sandbox; those that exist from the start began with the server. */
function clockFor(
  beginning: SandboxDefaults,
  { name }: NewIdentity,
  { clock }: NewSandboxSettings,
  machine: number,
): ClockState {
  if (clock === null) return realClock;
  if (clock === undefined && builtInSandboxes.includes(name)) return beginning.clock;
  return restartedClock(clock === undefined ? beginning.clock : readClock(clock), machine);
}

/** The collections that it is told stand in place of the server's. */
function seedFor({ seed, recordOptions }: SandboxDefaults, settings: NewSandboxSettings): Seed {
  if (!settings.fixtures) return seed;
  const content = { ...seed.fixtures, ...settings.fixtures };
  try {
    return seedOf(readFixtures([{ name: 'fixtures', content }]), recordOptions.freeze);
  } catch (error) {
    if (!(error instanceof FixturesError)) throw error;
    refuseFaults(error.faults.map((fault) => ({ ...fault, path: fault.path.replace(/^\$/, '$.fixtures') })));
    throw error;
  }
}

/** A password per user, which follows from the sandbox's seed and tells nothing of it. */
function givePasswords(state: State, hashes: Hashes, seed: string): void {
  for (const [, user] of [...state.table('users').entries()]) {
    const password = hex(hashes.sha256(`password of ${user.username}\n${seed}`)).slice(0, 32);
    state.table('users').replace({ ...user, password });
  }
}

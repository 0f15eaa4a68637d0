// The initial state of a sandbox: its identity, the fixtures, and the settings that it is created with.
import { builtInSandboxes, stage } from '../contract/addresses.ts';
import type { Choices } from '../contract/assumptions.ts';
import { refuseFaults } from '../contract/control/control-operation.ts';
import type { NewSandbox } from '../contract/control/sandboxes.ts';
import { FixturesError } from '../contract/file-errors.ts';
import { readFixtures } from '../contract/fixtures.ts';
import { internChoices } from '../contract/resolved-assumptions.ts';
import type { Scenario } from '../contract/scenarios.ts';
import { type Hashes, hex, utf8 } from '../domain/hashes.ts';
import type { Identity } from '../domain/world.ts';
import { readClock, realClock, restartedClock, timeOf } from '../state/clock.ts';
import { initialSnapshot, type RecordOptions, type Seed, State, seedOf } from '../state/state.ts';
import { type AnsweredName, answeredNames, type ClockState, type StoredReply } from '../state/values.ts';
import { randomSecret } from '../system/random.ts';
import { choicesIn } from './overrides.ts';
import { applyScenario } from './scenarios.ts';

/** The initial values of a server's sandboxes, unless their settings override them. */
export interface SandboxDefaults {
  readonly seed: Seed;
  /** The server's random seed. Undefined: each sandbox has a secret one. */
  readonly randomSeed: string | undefined;
  readonly choices: Choices;
  readonly clock: ClockState;
  readonly scenarios: readonly Scenario[];
  readonly hashes: Hashes;
  readonly recordOptions: RecordOptions;
}

export type NewIdentity = Pick<Identity, 'name' | 'environment' | 'madeByLogin'>;

export type NewSandboxSettings = Pick<NewSandbox, 'random_seed' | 'clock' | 'assumptions' | 'fixtures'> & {
  readonly scenario?: Scenario | undefined;
  readonly ownKeyHash?: string | undefined;
  /** Gives it a random seed and an own key, whatever the seed of the server. */
  readonly invite?: Identity['invite'];
  /** Whether its users get passwords of their own. */
  readonly freshPasswords?: boolean;
  /** Real seconds without use after which it is deleted. Undefined: never. */
  readonly ttlSeconds?: number | undefined;
  /** The reply to the call that creates it, for when the call is sent again. */
  readonly storedReply?: ((state: State) => StoredReply) | undefined;
};

/**
 * The state at version 1.
 * @param machine real time in milliseconds
 * @throws ControlRefusal 422 for invalid fixtures, or fixtures that a scenario does not fit
 */
export function createSandboxState(
  defaults: SandboxDefaults,
  newIdentity: NewIdentity,
  settings: NewSandboxSettings,
  machine: number,
): State {
  const { recordOptions, hashes } = defaults;
  const { freshPasswords, storedReply, scenario, assumptions } = settings;
  const clock = clockFor(defaults, newIdentity, settings, machine);
  const choices = assumptions ? internChoices({ ...defaults.choices, ...choicesIn(assumptions) }) : defaults.choices;
  const now = timeOf(clock, machine);
  const made = { identity: identityFor(defaults, newIdentity, settings), clock, readings: choices, at: now };
  const state = new State(seedFor(defaults, settings), made, recordOptions);
  const scenarios = scenario ? [scenario] : defaults.scenarios;
  state.transaction(() => {
    if (freshPasswords) setFreshPasswords(state, hashes);
    for (const one of scenarios) applyScenario(state, one, { now, hashes }, machine);
    if (freshPasswords || scenarios.length > 0) state.keep(initialSnapshot, timeOf(state.value('clock'), machine));
    if (storedReply) state.setValue(answeredNames[0] as AnsweredName, storedReply(state));
  });
  return state;
}

/**
 * A sandbox with a seed of its own draws the same ids under any name: those of `stage` on a server with this seed. For
 * other sandboxes the name is part of the seed, so that their ids differ. The name is part of every signing key, so
 * that a token is valid in one sandbox only.
 * The signing key is derived from the seed if one is given. Else it is random: hashing takes too long. A guest's
 * passwords and key must not follow from the seed of the server.
 */
function identityFor(
  { hashes, randomSeed }: SandboxDefaults,
  { name, environment, madeByLogin }: NewIdentity,
  settings: NewSandboxSettings,
): Identity {
  const { random_seed: own, ttlSeconds = null, invite } = settings;
  const given = invite ? undefined : (own ?? randomSeed);
  const seed = `${given ?? randomSecret()}/${own === undefined ? name : stage}`;
  const signingKey = given === undefined ? randomSecret() : hex(hashes.sha256(`signing key\n${given}/${name}`));
  const identity = { name, environment, madeByLogin, seed, signingKey, ttlSeconds };
  if (!invite) return { ...identity, ownKeyHash: settings.ownKeyHash ?? null };
  return { ...identity, ownKeyHash: hex(hashes.sha256(guestKey(identity, hashes))), invite };
}

/** The own key of an invited sandbox. It is derived when it is shown, so that only its hash is stored. */
export const guestKey = ({ signingKey }: Pick<Identity, 'signingKey'>, hashes: Hashes): string =>
  hex(hashes.hmac(utf8(signingKey), 'own key'));

/** Time that runs on from an instant starts with the sandbox; for the built-in ones it starts with the server. */
function clockFor(
  defaults: SandboxDefaults,
  { name }: NewIdentity,
  { clock }: NewSandboxSettings,
  machine: number,
): ClockState {
  if (clock === null) return realClock;
  if (clock === undefined && builtInSandboxes.includes(name)) return defaults.clock;
  return restartedClock(clock === undefined ? defaults.clock : readClock(clock), machine);
}

/** The collections in the settings replace those of the server. */
function seedFor({ seed, recordOptions }: SandboxDefaults, { fixtures }: NewSandboxSettings): Seed {
  if (!fixtures) return seed;
  const content = { ...seed.fixtures, ...fixtures };
  try {
    return seedOf(readFixtures([{ name: 'fixtures', content }]), recordOptions.freeze);
  } catch (error) {
    if (!(error instanceof FixturesError)) throw error;
    refuseFaults(error.faults.map((fault) => ({ ...fault, path: fault.path.replace(/^\$/, '$.fixtures') })));
    throw error;
  }
}

/** A password for each user. */
function setFreshPasswords(state: State, hashes: Hashes): void {
  for (const [, user] of [...state.table('users').entries()])
    state.table('users').replace({ ...user, password: freshPassword(state, hashes, user.username) });
}

/** A password that follows from the sandbox's seed, and reveals nothing about it. */
export const freshPassword = (state: State, hashes: Hashes, username: string): string =>
  hex(hashes.sha256(`password of ${username}\n${state.initial.identity.seed}`)).slice(0, 32);

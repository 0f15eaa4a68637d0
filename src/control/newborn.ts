// The first root of a sandbox: who it is, the fixtures, and what it was told to begin with.

import { bornSandboxes } from '../contract/addresses.ts';
import { refuseFaults } from '../contract/admin/fault-refusal.ts';
import type { NewSandbox } from '../contract/admin/sandboxes.ts';
import type { Readings } from '../contract/assumptions.ts';
import { FixturesError } from '../contract/file-faults.ts';
import { readFixtures } from '../contract/files.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { internReadings } from '../contract/readings.ts';
import type { Scenario } from '../contract/scenarios.ts';
import { type Hashes, hex } from '../domain/hashes.ts';
import type { Identity } from '../domain/world.ts';
import { type Birth, birthOf, madeAs, newRoot } from '../state/birth.ts';
import { Draft } from '../state/draft.ts';
import { type Answered, answeredNames, type ClockState, type Keeping, type Root } from '../state/root.ts';
import { turned } from './assumptions.ts';
import { begunAnew, readClock, realClock, timeOf } from './clock.ts';
import { randomSecret } from './ids.ts';
import { applyScenario } from './scenarios.ts';

/** What every sandbox of a server begins with, unless it is told otherwise. */
export interface Beginning {
  readonly fixtures: Fixtures;
  readonly birth: Birth;
  /** The server's seed; none: each sandbox has one that nobody can guess. */
  readonly seed: string | undefined;
  readonly readings: Readings;
  readonly clock: ClockState;
  readonly scenarios: readonly Scenario[];
  readonly hashes: Hashes;
  readonly keeping: Keeping;
}

/** Who a sandbox is, before it has keys. */
export type Who = Pick<Identity, 'name' | 'environment' | 'madeByLogin'>;

/** What one sandbox is told to begin with. */
export type Told = Pick<NewSandbox, 'random_seed' | 'clock' | 'assumptions' | 'fixtures'> & {
  readonly scenario?: Scenario | undefined;
  readonly ownKeyHash?: string | undefined;
  /** Whether its users get passwords of their own. */
  readonly freshPasswords?: boolean;
  /** Real seconds without use after which it is deleted; none: it stays. */
  readonly ttlSeconds?: number | undefined;
  /** How the call that makes it is answered, where that is kept. */
  readonly answered?: ((born: Root) => Answered) | undefined;
};

/** The root at version 1. @throws ControlRefusal for fixtures that are not whole, or that a scenario does not fit. */
export function newborn(beginning: Beginning, who: Who, told: Told, machine: number): Root {
  const root = asTold(beginning, who, told, machine);
  if (!told.answered) return root;
  return { ...root, values: { ...root.values, [answeredNames[0] as string]: told.answered(root) } };
}

function asTold(beginning: Beginning, who: Who, told: Told, machine: number): Root {
  const { hashes, keeping } = beginning;
  const identity = identityOf(beginning, who, told);
  const clock = clockFor(beginning, who, told, machine);
  const readings = readingsFor(beginning, told);
  const root = newRoot(birthFor(beginning, told), { identity, clock, readings }, timeOf(clock, machine));
  const scenarios = told.scenario ? [told.scenario] : beginning.scenarios;
  if (!told.freshPasswords && scenarios.length === 0) return root;
  const draft = new Draft(root, keeping.freeze, keeping.maxRecords);
  const now = timeOf(clock, machine);
  if (told.freshPasswords) givePasswords(draft, hashes, identity.seed);
  for (const scenario of scenarios) applyScenario(draft, scenario, { now, hashes }, machine);
  return madeAs(draft.commit(), timeOf(draft.value('clock'), machine));
}

/** Its signing key follows from a seed that is given; where none is, there is nothing to follow from, and the hash would be most of the making. */
function identityOf({ hashes, seed: given }: Beginning, who: Who, told: Told): Identity {
  const { random_seed = given, ownKeyHash = null, ttlSeconds = null } = told;
  const { name, environment, madeByLogin } = who;
  const seed = `${random_seed ?? randomSecret()}/${name}`;
  const signingKey = random_seed === undefined ? randomSecret() : hex(hashes.sha256(`signing key\n${seed}`));
  return { name, environment, madeByLogin, seed, signingKey, ownKeyHash, ttlSeconds };
}

const readingsFor = ({ readings }: Beginning, { assumptions }: Told): Readings =>
  assumptions ? internReadings({ ...readings, ...turned(assumptions) }) : readings;

/** Time that runs on from an instant starts with the sandbox; those that exist from the start began with the server. */
function clockFor(beginning: Beginning, { name }: Who, { clock }: Told, machine: number): ClockState {
  if (clock === null) return realClock;
  if (clock === undefined && bornSandboxes.includes(name)) return beginning.clock;
  return begunAnew(clock === undefined ? beginning.clock : readClock(clock), machine);
}

/** The collections that it is told stand in place of the server's. */
function birthFor({ fixtures, birth, keeping }: Beginning, told: Told): Birth {
  if (!told.fixtures) return birth;
  const content = { ...fixtures, ...told.fixtures };
  try {
    return birthOf(readFixtures([{ name: 'fixtures', content }]), keeping.freeze);
  } catch (error) {
    if (!(error instanceof FixturesError)) throw error;
    refuseFaults(error.faults.map((fault) => ({ ...fault, path: fault.path.replace(/^\$/, '$.fixtures') })));
    throw error;
  }
}

/** A password per user, which follows from the sandbox's seed and tells nothing of it. */
function givePasswords(draft: Draft, hashes: Hashes, seed: string): void {
  for (const [, user] of [...draft.table('users').entries()]) {
    const password = hex(hashes.sha256(`password of ${user.username}\n${seed}`)).slice(0, 32);
    draft.table('users').replace({ ...user, password });
  }
}

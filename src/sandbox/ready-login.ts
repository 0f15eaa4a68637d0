// The login that a sandbox's reference comes with: claims made for it alone. Nothing of the sandbox is moved or counted by it.
import { authenticationOperations } from '../contract/authentication.ts';
import type { RecordOf } from '../contract/records.ts';
import type { Hashes } from '../domain/hashes.ts';
import { accessOf, type Claims, firstWhoMayLogIn, mayLogIn } from '../domain/tokens.ts';
import type { RequestFacts } from '../journal/match.ts';
import { timeOf } from '../state/clock.ts';
import type { State } from '../state/state.ts';
import { requestId } from '../system/random.ts';
import { resolvedAssumptions, SandboxWorld } from './sandbox-world.ts';

export interface ReadyClaims {
  readonly username: string;
  readonly claims: Claims;
}

/** The first user who may log in, with the claims of a token. The state as it is: what is due by now has nothing to do with it. */
export function readyClaims(state: State, hashes: Hashes, machine: number): ReadyClaims | undefined {
  const owners = { brands: state.table('brands'), accounts: state.table('accounts') };
  const user = firstWhoMayLogIn(usersOf(state), owners);
  if (!user) return undefined;
  const now = timeOf(state.value('clock'), machine);
  const viewer = { baseUrl: '', facts: loginOf(user) };
  const world = new SandboxWorld(state, { now, hashes }, viewer, resolvedAssumptions(state));
  return { username: user.username, claims: accessOf(world, user, requestId()) };
}

function* usersOf(state: State): Generator<RecordOf<'users'>> {
  for (const [, user] of state.table('users').entries()) yield user;
}

/** A login by this user: a switch that shortens the tokens of some logins asks for it. */
function loginOf({ username, password }: RecordOf<'users'>): RequestFacts {
  const { method, path } = authenticationOperations['authentication.token'];
  return { operation: 'authentication.token', method, path, body: { username, password } };
}

// Who logs in to a sandbox: its users, those who may before those who may not.

export interface Login {
  readonly user: RecordOf<'users'>;
  readonly mayLogIn: boolean;
}

/** Those who may log in come first. */
export function* loginsOf(state: State): Generator<Login> {
  const owners = { brands: state.table('brands'), accounts: state.table('accounts') };
  for (const may of [true, false])
    for (const [, user] of state.table('users').entries())
      if (mayLogIn(user, owners) === may) yield { user, mayLogIn: may };
}

// The login that a sandbox's reference comes with: claims made for it alone. Nothing of the sandbox is moved or counted by it.
import { authenticationOperations } from '../contract/authentication.ts';
import type { RecordOf } from '../contract/records.ts';
import { Terms } from '../contract/terms.ts';
import type { Hashes } from '../domain/hashes.ts';
import { accessOf, type Claims, firstWhoMayLogIn, mayLogIn } from '../domain/tokens.ts';
import type { Draft } from '../state/draft.ts';
import type { Tables } from '../state/root.ts';
import { timeOf } from './clock.ts';
import { requestId } from './ids.ts';
import type { RequestFacts } from './match.ts';
import { OpenWorld } from './open-world.ts';

export interface ReadyClaims {
  readonly username: string;
  readonly claims: Claims;
}

/** The first user who may log in, with the claims of a token. The state as it is: what is due by now has nothing to do with it. */
export function readyClaims(draft: Draft, hashes: Hashes, machine: number): ReadyClaims | undefined {
  const owners = { brands: draft.table('brands'), accounts: draft.table('accounts') };
  const user = firstWhoMayLogIn(usersOf(draft), owners);
  if (!user) return undefined;
  const terms = new Terms(draft.value('readings'), draft.value('administration_times').values);
  const now = timeOf(draft.value('clock'), machine);
  const world = new OpenWorld(draft, { baseUrl: '', hashes, facts: loginOf(user) }, now, terms);
  return { username: user.username, claims: accessOf(world, user, requestId()) };
}

function* usersOf(draft: Draft): Generator<RecordOf<'users'>> {
  for (const [, user] of draft.table('users').entries()) yield user;
}

/** A login by this user: a switch that shortens the tokens of some logins asks for it. */
function loginOf({ username, password }: RecordOf<'users'>): RequestFacts {
  const { id, method, path } = authenticationOperations['authentication.token'];
  return { operation: id, method, path, body: { username, password } };
}

// Who logs in to a sandbox: its users, those who may before those who may not.

export interface Login {
  readonly user: RecordOf<'users'>;
  readonly mayLogIn: boolean;
}

/** Those who may log in come first. */
export function* loginsOf(tables: Pick<Tables, 'users' | 'brands' | 'accounts'>): Generator<Login> {
  for (const may of [true, false])
    for (const [, user] of tables.users.entries()) if (mayLogIn(user, tables) === may) yield { user, mayLogIn: may };
}

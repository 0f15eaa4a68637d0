// The login that the reference comes with: a token made for the page alone. Nothing of the sandbox is moved or counted by it.
import { authenticationOperations } from '../../contract/authentication.ts';
import type { RecordOf } from '../../contract/records.ts';
import { Terms } from '../../contract/terms.ts';
import { machineTime, timeOf } from '../../control/clock.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import { requestId } from '../../control/ids.ts';
import type { RequestFacts } from '../../control/match.ts';
import { OpenWorld } from '../../control/open-world.ts';
import { accessOf, type Claims, mayLogIn } from '../../domain/tokens.ts';
import type { Draft } from '../../state/draft.ts';
import { isUnderKnownHost } from '../admin/guards.ts';
import type { Edge } from '../edge.ts';
import type { ReadyLogin } from './page.ts';

interface Found {
  readonly username: string;
  readonly claims: Claims;
}

/**
 * The first user of the sandbox who may log in, with a token. None under a host that is not known (a page of another site may have made
 * the name its own), none where passwords are secrets, and none in a sandbox with a key of its own.
 */
export async function readyLogin(
  edge: Edge,
  sandbox: HostedSandbox,
  request: Request,
): Promise<ReadyLogin | undefined> {
  const { identity } = sandbox.root.values;
  if (!isUnderKnownHost(edge, request) || !edge.readyLogin || identity.ownKeyHash !== null) return undefined;
  const found = await sandbox.read((draft) => loginIn(draft, edge));
  if (!found) return undefined;
  const { username, claims } = found;
  const token = await edge.tokens.sign(identity, claims);
  return { username, token, goodUntil: new Date((claims.exp ?? claims.iat) * 1000).toISOString() };
}

/** The state as it is: what is due by now has nothing to do with a token. */
function loginIn(draft: Draft, { hashes }: Edge): Found | undefined {
  const user = readyUser(draft);
  if (!user) return undefined;
  const terms = new Terms(draft.value('readings'), draft.value('administration_times').values);
  const now = timeOf(draft.value('clock'), machineTime());
  const world = new OpenWorld(draft, { baseUrl: '', hashes, facts: loginOf(user) }, now, terms);
  return { username: user.username, claims: accessOf(world, user, requestId()) };
}

function readyUser(draft: Draft): RecordOf<'users'> | undefined {
  const [brands, accounts] = [draft.table('brands'), draft.table('accounts')];
  for (const [, user] of draft.table('users').entries()) if (mayLogIn(user, { brands, accounts })) return user;
  return undefined;
}

/** A login by this user: a switch that shortens the tokens of some logins asks for it. */
function loginOf({ username, password }: RecordOf<'users'>): RequestFacts {
  const { id, method, path } = authenticationOperations['authentication.token'];
  return { operation: id, method, path, body: { username, password } };
}

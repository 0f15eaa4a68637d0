// Login, refresh and authentication (AUTH-1 to AUTH-6). Works on the claims of tokens; http/ signs and verifies them.
import { limits } from '../contract/limits.ts';
import type { RecordOf } from '../contract/records.ts';
import { Refusal } from '../contract/refusal.ts';
import { splitTag, withoutTag } from './login-tags.ts';
import { type Caller, lifetimeOf, type RowOf, type World } from './world.ts';

/** The claims of a token; times in whole seconds. Without `exp` it does not expire. */
export interface Claims {
  readonly use: 'access' | 'refresh';
  readonly sub: string;
  readonly sandbox: string;
  readonly environment: string;
  readonly generation: number;
  readonly jti: string;
  readonly iat: number;
  readonly exp?: number;
  /** Of an access token: the jti of the refresh token of its login. */
  readonly session?: string;
  /** Of an access token: how many uses of that refresh token had counted when it was issued. */
  readonly uses?: number;
}

const dayInSeconds = 86_400;
/** By choice of `refresh_token_lifetime`; undefined: it does not expire. */
export const refreshLifetimeSeconds = {
  '30d': 30 * dayInSeconds,
  '24h': dayInSeconds,
  single_use: 30 * dayInSeconds,
  never: undefined,
};

/** The same whether the sandbox exists or not: a stranger must not learn that. */
const wrongTagged =
  'no active user has this username and password. The text after + is the name of a sandbox: it must exist, or the ' +
  'server must create sandboxes at a login';

/** The user with this name and password, if the user may log in. */
export function userWith(world: World, username: string, password: unknown): RecordOf<'users'> | undefined {
  const user = world.table('users').firstOf('username', username);
  return user && user.password === password && isOpen(world, user) ? user : undefined;
}

/** The lifetime of an access token in seconds. */
export const expiresIn = ({ iat, exp = iat }: Claims): number => exp - iat;

/** The claims of the two tokens of a login. The username may have the sandbox's name as its tag. */
export function logIn(
  world: World,
  { username, password }: { username: string; password: string },
): { access: Claims; refresh: Claims } {
  const user = userWith(world, withoutTag(username, world.identity, world.table('users')), password);
  if (!user) throw new Refusal('bad_credentials', splitTag(username).tag === undefined ? {} : { problem: wrongTagged });
  const lifetime = refreshLifetimeSeconds[world.assumptions.get('refresh_token_lifetime')];
  const access = accessOf(world, user);
  const refresh = claims(world, user.id, 'refresh', lifetime);
  return { access: { ...access, session: refresh.jti, uses: 0 }, refresh };
}

/** The claims of a new access token. @param jti drawn from the state by default, which counts as a write */
export const accessOf = (world: World, { id }: RecordOf<'users'>, jti?: string): Claims =>
  claims(world, id, 'access', lifetimeOf(world, 'token_expiry', limits.accessTokenSeconds), jti);

interface ById<Name extends 'brands' | 'accounts'> {
  get(id: string): RecordOf<Name> | undefined;
}

/** AUTH-6: whether the user and the client account are active. */
export function mayLogIn(
  user: RecordOf<'users'>,
  { brands, accounts }: { readonly brands: ById<'brands'>; readonly accounts: ById<'accounts'> },
): boolean {
  const brand = brands.get(user.brand_id);
  return user.active && brand !== undefined && accounts.get(brand.account_id)?.active === true;
}

const isOpen = (world: World, user: RecordOf<'users'>): boolean =>
  mayLogIn(user, { brands: world.table('brands'), accounts: world.table('accounts') });

/**
 * When a token expires, in milliseconds since 1970 (AUTH-3). @param issuedAt also in milliseconds
 * @example expiryOf(5_999, 60); // 65_000: its lifetime counts from the second that has begun
 */
export const expiryOf = (issuedAt: number, lifetimeSeconds: number): number =>
  (Math.floor(issuedAt / 1000) + lifetimeSeconds) * 1000;

/** Issued at the second that has begun (AUTH-3), so that no `iat` is in the future. */
function claims(
  world: World,
  sub: string,
  use: Claims['use'],
  lifetimeSeconds: number | undefined,
  jti = world.newId('tokens'),
): Claims {
  const iat = Math.floor(world.now / 1000);
  const { name: sandbox, environment } = world.identity;
  const base = { use, sub, sandbox, environment, generation: world.generations.tokens, jti, iat };
  return lifetimeSeconds === undefined ? base : { ...base, exp: iat + lifetimeSeconds };
}

/** Why a token is expired; undefined if it is not. */
function expiryProblem(world: World, { exp, use, generation }: Claims): string | undefined {
  if (exp !== undefined && world.now >= exp * 1000)
    return `the token expired at ${utcSeconds(exp * 1000)}; the clock of the sandbox shows ${utcSeconds(world.now)}`;
  const isExpiredBySwitch = use === 'access' && world.isExpired('tokens', generation);
  return isExpiredBySwitch ? 'the switch token_expiry expired the token' : undefined;
}

const utcSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

const isOfSandbox = (world: World, { sandbox, environment }: Claims): boolean =>
  sandbox === world.identity.name && environment === world.identity.environment;

const ofOtherSandbox = ({ sandbox, environment }: Claims): string =>
  `the token is for the sandbox "${sandbox}" of the environment "${environment}"`;
const noUser = 'the user of the token does not exist';
const inactive = ({ active }: RecordOf<'users'>): string =>
  active ? 'the client account of the user is inactive' : 'the user is inactive';

/** The caller. @param presented the claims of the bearer token */
export function authenticate(world: World, presented: Claims): Caller {
  if (presented.use !== 'access')
    throw new Refusal('unauthorized_message', { problem: 'the token is a refresh token' });
  if (!isOfSandbox(world, presented)) throw new Refusal('AUTH-4', { problem: ofOtherSandbox(presented) });
  const expired = expiryProblem(world, presented);
  if (expired) throw new Refusal('AUTH-3', { problem: expired });
  const user = world.table('users').get(presented.sub);
  if (!user) throw new Refusal('unauthorized_message', { problem: noUser });
  if (!isOpen(world, user)) throw new Refusal('AUTH-6', { problem: inactive(user) });
  if (isReplaced(world, presented))
    throw new Refusal('old_token_after_refresh', { problem: 'a refresh replaced the token' });
  return { user, brandId: user.brand_id };
}

type SpentRefreshToken = RowOf<'spent_refresh_tokens'>;
const usesOf = (spent: SpentRefreshToken | undefined): number => (spent ? (spent.uses ?? 1) : 0);

/** Whether a refresh has ended this access token (`old_token_after_refresh`). */
function isReplaced(world: World, { session, uses = 0 }: Claims): boolean {
  const spent = session === undefined ? undefined : world.table('spent_refresh_tokens').get(session);
  return uses < usesOf(spent) && world.assumptions.get('old_token_after_refresh') === 'ends';
}

/** The claims of a new access token for a refresh token (AUTH-2). */
export function refresh(world: World, presented: Claims): Claims {
  const bad = (problem: string) => new Refusal('bad_refresh_token', { problem });
  if (presented.use !== 'refresh') throw bad('the token is an access token');
  if (!isOfSandbox(world, presented)) throw bad(ofOtherSandbox(presented));
  const expired = expiryProblem(world, presented);
  if (expired) throw new Refusal('expired_refresh_token', { problem: expired });
  const user = world.table('users').get(presented.sub);
  if (!user || !isOpen(world, user)) throw bad(user ? inactive(user) : noUser);
  const { assumptions } = world;
  const spent = world.table('spent_refresh_tokens').get(presented.jti);
  const isSingleUse = assumptions.get('refresh_token_lifetime') === 'single_use';
  if (isSingleUse && spent) throw bad('the refresh token was used already');
  const isCounted = assumptions.get('old_token_after_refresh') === 'ends' || isSingleUse;
  const uses = usesOf(spent) + (isCounted ? 1 : 0);
  const access = { ...accessOf(world, user), session: presented.jti, uses };
  if (isCounted) spend(world, presented, access);
  return access;
}

/** Moves the row to the end, so that those that expire first stay at the front. */
function spend(world: World, { jti: id, exp }: Claims, { uses, exp: accessExp = 0 }: Claims): void {
  const spent = world.table('spent_refresh_tokens');
  const former = spent.get(id);
  if (former) spent.remove(id);
  forgetExpired(world);
  spent.insert(exp === undefined ? { id, uses } : { id, exp: Math.max(exp, accessExp, former?.exp ?? 0), uses });
}

/** How many expired tokens are removed per spent one, at most. More than one, so that the table shrinks. */
const forgottenAtOnce = 100;

/** An expired token is refused anyway: the service no longer needs to know that it was spent. */
function forgetExpired(world: World): void {
  const spent = world.table('spent_refresh_tokens');
  const expired: string[] = [];
  for (const [, { id, exp = Number.POSITIVE_INFINITY }] of spent.walk('expiring', '')) {
    if (exp * 1000 > world.now || expired.length === forgottenAtOnce) break;
    expired.push(id);
  }
  for (const id of expired) spent.remove(id);
}

// Logging in, refreshing and judging tokens (AUTH-1 to AUTH-6). The claims are decided here; signing them is the edge's work.
import type { RecordOf } from '../contract/records.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Caller, World } from './world.ts';

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
}

const dayInSeconds = 86_400;
/** How long a refresh token lives, by the reading; undefined: for ever. */
export const refreshLifetimeSeconds = {
  '30d': 30 * dayInSeconds,
  '24h': dayInSeconds,
  single_use: 30 * dayInSeconds,
  never: undefined,
};

/** The user of this name and password who may log in. */
export function userWith(world: World, username: string, password: unknown): RecordOf<'users'> | undefined {
  const user = userNamed(world, username);
  return user && user.password === password && isOpen(world, user) ? user : undefined;
}

/** Seconds that an access token is good for, as the answer says it. */
export const expiresIn = ({ iat, exp = iat }: Claims): number => exp - iat;

/** The claims of the two tokens of a login. */
export function logIn(
  world: World,
  { username, password }: { username: string; password: string },
): { access: Claims; refresh: Claims } {
  const user = userWith(world, username, password);
  if (!user) throw new Refusal('bad_credentials');
  const lifetime = refreshLifetimeSeconds[world.assumptions.get('refresh_token_lifetime')];
  return {
    access: accessOf(world, user),
    refresh: claims(world, user.id, 'refresh', lifetime),
  };
}

/**
 * The claims of an access token of this user, as a login gives it now.
 * @param jti given where nobody logs in: then the state counts nothing
 */
export const accessOf = (world: World, { id }: RecordOf<'users'>, jti?: string): Claims =>
  claims(world, id, 'access', world.accessTokenSeconds(), jti);

const userNamed = (world: World, username: string): RecordOf<'users'> | undefined =>
  world.table('users').firstOf('username', username);

/** What finds records by their ids. */
interface ById<Name extends 'brands' | 'accounts'> {
  get(id: string): RecordOf<Name> | undefined;
}

/** AUTH-6: the user and the client account are active. */
export function mayLogIn(
  user: RecordOf<'users'>,
  { brands, accounts }: { readonly brands: ById<'brands'>; readonly accounts: ById<'accounts'> },
): boolean {
  const brand = brands.get(user.brand_id);
  return user.active && brand !== undefined && accounts.get(brand.account_id)?.active === true;
}

/** The first of these users who may log in. */
export function firstWhoMayLogIn(
  users: Iterable<RecordOf<'users'>>,
  owners: Parameters<typeof mayLogIn>[1],
): RecordOf<'users'> | undefined {
  for (const user of users) if (mayLogIn(user, owners)) return user;
  return undefined;
}

const isOpen = (world: World, user: RecordOf<'users'>): boolean =>
  mayLogIn(user, { brands: world.table('brands'), accounts: world.table('accounts') });

/** The stamp has whole seconds, rounded up, so that no token expires early. */
function claims(
  world: World,
  sub: string,
  use: Claims['use'],
  lifetimeSeconds: number | undefined,
  jti = world.newId('tokens'),
): Claims {
  const iat = Math.ceil(world.now / 1000);
  const { name: sandbox, environment } = world.identity;
  const base = {
    use,
    sub,
    sandbox,
    environment,
    generation: world.generations.tokens,
    jti,
    iat,
  };
  return lifetimeSeconds === undefined ? base : { ...base, exp: iat + lifetimeSeconds };
}

const isExpired = (world: World, { exp, use, generation }: Claims): boolean =>
  (exp !== undefined && world.now >= exp * 1000) || (use === 'access' && world.isExpired('tokens', generation));

const isOfHere = (world: World, { sandbox, environment }: Claims): boolean =>
  sandbox === world.identity.name && environment === world.identity.environment;

/**
 * The caller behind a bearer token.
 * @param presented the claims, undefined where there is no token or its signature is not good
 */
export function authenticate(world: World, presented: Claims | undefined): Caller {
  if (presented?.use !== 'access') throw new Refusal('unauthorized_message');
  if (!isOfHere(world, presented)) throw new Refusal('AUTH-4');
  if (isExpired(world, presented)) throw new Refusal('AUTH-3');
  const user = world.table('users').get(presented.sub);
  if (!user) throw new Refusal('unauthorized_message');
  if (!isOpen(world, user)) throw new Refusal('AUTH-6');
  return { user, brandId: user.brand_id };
}

/** The claims of a new access token for a refresh token (AUTH-2). */
export function refresh(world: World, presented: Claims | undefined): Claims {
  if (presented?.use !== 'refresh' || !isOfHere(world, presented)) throw new Refusal('bad_refresh_token');
  if (isExpired(world, presented)) throw new Refusal('expired_refresh_token');
  const user = world.table('users').get(presented.sub);
  if (!user || !isOpen(world, user)) throw new Refusal('bad_refresh_token');
  if (world.assumptions.get('refresh_token_lifetime') === 'single_use') spend(world, presented);
  return accessOf(world, user);
}

function spend(world: World, { jti, exp }: Claims): void {
  const spent = world.table('spent_refresh_tokens');
  if (spent.get(jti)) throw new Refusal('bad_refresh_token');
  forgetExpired(world);
  spent.insert(exp === undefined ? { id: jti } : { id: jti, exp });
}

/** How many tokens are forgotten at most when one is spent: more than come. */
const forgottenAtOnce = 100;

/** A token that has expired is refused for that, so nobody has to know that it was spent. */
function forgetExpired(world: World): void {
  const spent = world.table('spent_refresh_tokens');
  const expired: string[] = [];
  for (const [, { id, exp = Number.POSITIVE_INFINITY }] of spent.walk('expiring', '')) {
    if (exp * 1000 > world.now || expired.length === forgottenAtOnce) break;
    expired.push(id);
  }
  for (const id of expired) spent.remove(id);
}

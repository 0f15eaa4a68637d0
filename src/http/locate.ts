// Which sandbox a call belongs to (product.md, "Addresses"): the one its path names; at the plain base URL the one that a login's
// tag or a verified token names, if it is of the environment `stage`; else `stage`.
import { sandboxName, stage } from '../contract/addresses.ts';
import type { Operation } from '../contract/operation.ts';
import { Refusal } from '../contract/refusal.ts';
import { isRecord } from '../contract/schema.ts';
import { Terms } from '../contract/terms.ts';
import type { HostedSandbox } from '../control/hosted-sandbox.ts';
import { NoRoomError } from '../control/no-sandbox.ts';
import { type Awaitable, andThen } from '../state/store.ts';
import type { Arrival } from './arrival.ts';
import type { Body } from './body.ts';
import type { Located } from './call.ts';
import type { Edge } from './edge.ts';
import type { Incoming } from './incoming.ts';

export function locate(edge: Edge, arrival: Arrival, body: Body | undefined): Awaitable<Located> {
  const { sandboxName: name, operation } = arrival;
  if (name !== undefined) return named(edge, name);
  const value = body && 'value' in body ? body.value : undefined;
  if (operation?.id === 'authentication.token') return byLogin(edge, operation, value);
  return andThen(edge.sandboxes.stage(), (home) => byToken(edge, home, tokenOf(arrival, body)));
}

/** The token that a call comes with, whatever it is worth: in the body of a refresh, else in its header. */
export function tokenOf({ operation, request }: Arrival, body: Body | undefined): unknown {
  if (operation?.id !== 'authentication.refresh') return bearerToken(request);
  return body && 'value' in body ? fieldOf(body.value, 'refresh_token') : undefined;
}

const fieldOf = (value: unknown, field: string): unknown => (isRecord(value) ? value[field] : undefined);

function named({ sandboxes }: Edge, name: string): Awaitable<Located> {
  return andThen(sandboxes.get(name), (sandbox) => {
    if (sandbox) return { sandbox };
    throw new Refusal('unknown_sandbox', { value: name.slice(0, 80) });
  });
}

/** The token of `Authorization: Bearer <token>`; the scheme in any case. */
export function bearerToken({ headers }: Pick<Incoming, 'headers'>): string | undefined {
  const header = headers.get('authorization');
  if (header === null || header === lastBearer.header) return header === null ? undefined : lastBearer.token;
  const token = /^bearer +([^ ]+) *$/i.exec(header)?.[1];
  lastBearer = { header, token };
  return token;
}

/** A call is asked for its token several times, and the next one has the same, mostly. */
let lastBearer: { readonly header: string; readonly token: string | undefined } = { header: '', token: undefined };

function byToken({ sandboxes, tokens }: Edge, home: HostedSandbox, token: unknown): Awaitable<Located> {
  const name = typeof token === 'string' ? tokens.namedSandbox(token) : undefined;
  if (typeof token !== 'string' || name === undefined || name === stage) return { sandbox: home };
  return andThen(sandboxes.get(name), (sandbox) => {
    const identity = sandbox?.root.values.identity;
    if (!sandbox || identity?.environment !== stage) return { sandbox: home };
    return andThen(tokens.verify(identity, token), (claims) => ({ sandbox: claims ? sandbox : home }));
  });
}

/** An exact username first; else `user+tag` names the sandbox `tag`, which the first good login makes. */
async function byLogin(edge: Edge, operation: Operation, value: unknown): Promise<Located> {
  const home = await edge.sandboxes.stage();
  const [username, password] = [fieldOf(value, 'username'), fieldOf(value, 'password')];
  if (typeof username !== 'string') return { sandbox: home };
  const { user, tag } = taggedUser(username);
  const isTag = tag !== undefined && sandboxName.test(tag) && !(await hasUser(home, username));
  if (!isTag) return { sandbox: home, username };
  const found =
    (await edge.sandboxes.get(tag)) ?? (await madeByLogin(edge, home, operation, value, { user, tag, password }));
  return found?.root.values.identity.madeByLogin ? { sandbox: found, username: user } : { sandbox: home, username };
}

interface TaggedLogin {
  readonly user: string;
  readonly tag: string;
  readonly password: unknown;
}

/** The sandbox that this login makes: only one that will not be refused makes any. */
function madeByLogin(
  edge: Edge,
  home: HostedSandbox,
  { body }: Operation,
  value: unknown,
  login: TaggedLogin,
): Awaitable<HostedSandbox | undefined> {
  const { readings, administration_times } = home.root.values;
  const isWellFormed = body?.(new Terms(readings, administration_times.values)).safeParse(value).success;
  const { user, tag, password } = login;
  if (!edge.loginSandboxes || !isWellFormed || !edge.sandboxes.wouldLogIn(user, password, edge.sandboxes.now()))
    return undefined;
  return makeRoomFor(() => edge.sandboxes.make({ name: tag, environment: stage, madeByLogin: true }), tag);
}

async function makeRoomFor(make: () => Awaitable<HostedSandbox>, name: string): Promise<HostedSandbox> {
  try {
    return await make();
  } catch (error) {
    throw error instanceof NoRoomError ? new Refusal('no_room', { value: name, what: error.message }) : error;
  }
}

/** `ann+w7@example.com` → ann@example.com and w7: the tag follows the first `+`, before any `@`. */
function taggedUser(username: string): { user: string; tag: string | undefined } {
  const [, name = '', tag, domain = ''] = /^([^+@]*)\+([^@]*)(@.*)?$/s.exec(username) ?? [];
  return tag === undefined ? { user: username, tag: undefined } : { user: name + domain, tag };
}

const hasUser = (sandbox: HostedSandbox, username: string): Awaitable<boolean> =>
  sandbox.read((draft) => draft.table('users').firstOf('username', username) !== undefined, true);

// Which sandbox a call belongs to (product.md, "Addresses"): the one its path names; at the plain base URL the one that a login's
// tag or a verified token names, if it is of the environment `stage`; else `stage`.
import { sandboxName, stage } from '../contract/addresses.ts';
import type { Operation } from '../contract/operation.ts';
import { Refusal } from '../contract/refusal.ts';
import { isRecord } from '../contract/schema.ts';
import type { HostedSandbox } from '../sandbox/hosted-sandbox.ts';
import { resolvedAssumptions } from '../sandbox/sandbox-world.ts';
import { SandboxQuotaError } from '../sandbox/sandboxes.ts';
import type { Dependencies } from './dependencies.ts';
import type { Located, RequestContext } from './request-context.ts';

/** @throws Refusal unknown_sandbox, no_room */
export async function locate(request: RequestContext): Promise<Located> {
  const { deps, sandboxName, operation } = request;
  if (sandboxName !== undefined) return { sandbox: await named(deps, sandboxName) };
  if (operation?.id === 'authentication.token') return byLogin(deps, operation, bodyOf(request));
  const home = await deps.sandboxes.stage();
  const token = tokenOf(request);
  const name = typeof token === 'string' ? deps.tokens.namedSandbox(token) : undefined;
  if (typeof token !== 'string' || name === undefined || name === stage) return { sandbox: home };
  return { sandbox: await byToken(deps, home, token, name) };
}

/** The token that a request comes with, good or not: in the body of a refresh, else in its header. */
export const tokenOf = (request: RequestContext): unknown =>
  request.operation?.id === 'authentication.refresh' ? fieldOf(bodyOf(request), 'refresh_token') : request.bearer;

const bodyOf = ({ body }: RequestContext): unknown => (body && 'value' in body ? body.value : undefined);

const fieldOf = (value: unknown, field: string): unknown => (isRecord(value) ? value[field] : undefined);

async function named({ sandboxes }: Dependencies, name: string): Promise<HostedSandbox> {
  const sandbox = await sandboxes.get(name);
  if (sandbox) return sandbox;
  throw new Refusal('unknown_sandbox', { value: name.slice(0, 80) });
}

/** The sandbox that the token names, if that sandbox signed it and belongs to the environment `stage`; else `stage`. */
async function byToken(
  { sandboxes, tokens }: Dependencies,
  home: HostedSandbox,
  token: string,
  name: string,
): Promise<HostedSandbox> {
  const sandbox = await sandboxes.get(name);
  const identity = sandbox?.identity;
  if (!sandbox || identity?.environment !== stage) return home;
  return (await tokens.verify(identity, token)) ? sandbox : home;
}

/** An exact username first; else `user+tag` names the sandbox `tag`, which the first good login makes. */
async function byLogin(deps: Dependencies, operation: Operation, value: unknown): Promise<Located> {
  const home = await deps.sandboxes.stage();
  const [username, password] = [fieldOf(value, 'username'), fieldOf(value, 'password')];
  if (typeof username !== 'string') return { sandbox: home };
  const { user, tag } = taggedUser(username);
  const isTag = tag !== undefined && sandboxName.test(tag) && !(await hasUser(home, username));
  if (!isTag) return { sandbox: home, username };
  const found =
    (await deps.sandboxes.get(tag)) ?? (await madeByLogin(deps, home, operation, value, { user, tag, password }));
  return found?.identity.madeByLogin ? { sandbox: found, username: user } : { sandbox: home, username };
}

interface TaggedLogin {
  readonly user: string;
  readonly tag: string;
  readonly password: unknown;
}

/** The sandbox that this login makes: only one that will not be refused makes any. */
async function madeByLogin(
  deps: Dependencies,
  home: HostedSandbox,
  { body }: Operation,
  value: unknown,
  login: TaggedLogin,
): Promise<HostedSandbox | undefined> {
  const isWellFormed = body?.(resolvedAssumptions(home.state)).safeParse(value).success;
  const { user, tag, password } = login;
  if (!deps.loginSandboxes || !isWellFormed || !deps.sandboxes.wouldLogIn(user, password, deps.sandboxes.now()))
    return undefined;
  try {
    return await deps.sandboxes.make({ name: tag, environment: stage, madeByLogin: true });
  } catch (error) {
    throw error instanceof SandboxQuotaError ? new Refusal('no_room', { value: tag, what: error.message }) : error;
  }
}

/** `ann+w7@example.com` → ann@example.com and w7: the tag follows the first `+`, before any `@`. */
function taggedUser(username: string): { user: string; tag: string | undefined } {
  const [, name = '', tag, domain = ''] = /^([^+@]*)\+([^@]*)(@.*)?$/s.exec(username) ?? [];
  return tag === undefined ? { user: username, tag: undefined } : { user: name + domain, tag };
}

const hasUser = async (sandbox: HostedSandbox, username: string): Promise<boolean> =>
  sandbox.read((state) => state.table('users').firstOf('username', username) !== undefined);

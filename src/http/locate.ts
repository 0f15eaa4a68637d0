// Which sandbox a request belongs to: the one in its path; at the plain base URL the one that a login's tag or a
// verified token names, if its environment is `stage`; else `stage`.
import { sandboxName, stage } from '../contract/addresses.ts';
import type { Operation } from '../contract/operation.ts';
import { Refusal } from '../contract/refusal.ts';
import { isRecord } from '../contract/schema.ts';
import { splitTag } from '../domain/login-tags.ts';
import type { HostedSandbox } from '../sandbox/hosted-sandbox.ts';
import { resolvedAssumptions } from '../sandbox/sandbox-world.ts';
import { SandboxQuotaError } from '../sandbox/sandboxes.ts';
import type { Dependencies } from './dependencies.ts';
import type { RequestContext } from './request-context.ts';

/** @throws Refusal unknown_sandbox, no_room */
export async function locate(request: RequestContext): Promise<HostedSandbox> {
  const { deps, sandboxName, operation } = request;
  if (sandboxName !== undefined) return sandboxNamed(deps, sandboxName);
  const home = await deps.sandboxes.stage();
  if (operation?.id === 'authentication.token') return locateByLogin(deps, home, operation, bodyOf(request));
  const token = tokenOf(request);
  const name = typeof token === 'string' ? deps.tokens.sandboxNameOf(token) : undefined;
  if (typeof token !== 'string' || name === undefined || name === stage) return home;
  const sandbox = await deps.sandboxes.get(name);
  const isOwn =
    sandbox?.identity.environment === stage && (await deps.tokens.verify(sandbox.identity, token)) !== undefined;
  return isOwn ? sandbox : home;
}

/** The token of a request, not verified: in the body of a refresh, else in the header. */
export const tokenOf = (request: RequestContext): unknown =>
  request.operation?.id === 'authentication.refresh' ? fieldOf(bodyOf(request), 'refresh_token') : request.bearer;

const bodyOf = ({ body }: RequestContext): unknown => (body && 'value' in body ? body.value : undefined);
const fieldOf = (value: unknown, field: string): unknown => (isRecord(value) ? value[field] : undefined);

async function sandboxNamed({ sandboxes }: Dependencies, name: string): Promise<HostedSandbox> {
  const sandbox = await sandboxes.get(name);
  if (sandbox) return sandbox;
  throw unknownSandbox(name);
}

export function unknownSandbox(name: string): Refusal {
  const value = name.slice(0, 80);
  return new Refusal('unknown_sandbox', { value, problem: `there is no sandbox ${JSON.stringify(value)}` });
}

/** An exact username of `stage` first; else `user+tag` names the sandbox `tag`, which a valid login creates. */
async function locateByLogin(
  { sandboxes, loginSandboxes }: Dependencies,
  home: HostedSandbox,
  { body }: Operation,
  credentials: unknown,
): Promise<HostedSandbox> {
  const [username, password] = [fieldOf(credentials, 'username'), fieldOf(credentials, 'password')];
  if (typeof username !== 'string') return home;
  const { user, tag } = splitTag(username);
  if (tag === undefined || !sandboxName.test(tag) || (await hasUser(home, username))) return home;
  const mayCreate = (): boolean =>
    loginSandboxes &&
    body?.(resolvedAssumptions(home.state)).safeParse(credentials).success === true &&
    sandboxes.canLogIn(user, password);
  const sandbox = (await sandboxes.get(tag)) ?? (mayCreate() ? await createTagged(sandboxes, tag) : undefined);
  return sandbox?.identity.environment === stage ? sandbox : home;
}

async function createTagged(sandboxes: Dependencies['sandboxes'], name: string): Promise<HostedSandbox> {
  try {
    return await sandboxes.createForLogin({ name, environment: stage, madeByLogin: true });
  } catch (error) {
    throw error instanceof SandboxQuotaError ? new Refusal('no_room', { value: name, what: error.message }) : error;
  }
}

const hasUser = async (sandbox: HostedSandbox, username: string): Promise<boolean> =>
  sandbox.read((state) => state.table('users').firstOf('username', username) !== undefined);

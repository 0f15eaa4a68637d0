// Which sandbox a request belongs to: the one in its path; at the plain base URL the one that a login's tag or a
// verified token names, if its environment is `stage`; else `stage`.
import { sandboxName, stage } from '../contract/addresses.ts';
import type { Operation } from '../contract/operation.ts';
import { Refusal } from '../contract/refusal.ts';
import { isRecord } from '../contract/schema.ts';
import type { HostedSandbox } from '../sandbox/hosted-sandbox.ts';
import { resolvedAssumptions } from '../sandbox/sandbox-world.ts';
import { SandboxQuotaError } from '../sandbox/sandboxes.ts';
import type { Dependencies } from './dependencies.ts';
import type { RequestContext } from './request-context.ts';

interface Located {
  readonly sandbox: HostedSandbox;
  /** The username of a login, without the tag. */
  readonly username?: string;
}

/** @throws Refusal unknown_sandbox, no_room */
export async function locate(request: RequestContext): Promise<Located> {
  const { deps, sandboxName, operation } = request;
  if (sandboxName !== undefined) return { sandbox: await sandboxNamed(deps, sandboxName) };
  if (operation?.id === 'authentication.token') return locateByLogin(deps, operation, bodyOf(request));
  const home = await deps.sandboxes.stage();
  const token = tokenOf(request);
  const name = typeof token === 'string' ? deps.tokens.sandboxNameOf(token) : undefined;
  if (typeof token !== 'string' || name === undefined || name === stage) return { sandbox: home };
  const sandbox = await deps.sandboxes.get(name);
  const isOwn =
    sandbox?.identity.environment === stage && (await deps.tokens.verify(sandbox.identity, token)) !== undefined;
  return { sandbox: isOwn ? sandbox : home };
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

/** An exact username first; else `user+tag` names the sandbox `tag`, which the first valid login creates. */
async function locateByLogin({ sandboxes, loginSandboxes }: Dependencies, { body }: Operation, credentials: unknown) {
  const home = await sandboxes.stage();
  const [username, password] = [fieldOf(credentials, 'username'), fieldOf(credentials, 'password')];
  if (typeof username !== 'string') return { sandbox: home };
  const { user, tag } = splitTag(username);
  const isTag = tag !== undefined && sandboxName.test(tag) && !(await hasUser(home, username));
  if (!isTag) return { sandbox: home, username };
  const mayCreate = (): boolean =>
    loginSandboxes &&
    body?.(resolvedAssumptions(home.state)).safeParse(credentials).success === true &&
    sandboxes.canLogIn(user, password);
  const existing = await sandboxes.get(tag);
  const sandbox = existing ?? (mayCreate() ? await createTagged(sandboxes, tag) : undefined);
  return sandbox?.identity.madeByLogin ? { sandbox, username: user } : { sandbox: home, username };
}

async function createTagged(sandboxes: Dependencies['sandboxes'], name: string): Promise<HostedSandbox> {
  try {
    return await sandboxes.createForLogin({ name, environment: stage, madeByLogin: true });
  } catch (error) {
    throw error instanceof SandboxQuotaError ? new Refusal('no_room', { value: name, what: error.message }) : error;
  }
}

/** `ann+w7@example.com` → ann@example.com and w7: the tag follows the first `+`, before any `@`. */
function splitTag(username: string): { user: string; tag: string | undefined } {
  const [, name = '', tag, domain = ''] = /^([^+@]*)\+([^@]*)(@.*)?$/s.exec(username) ?? [];
  return tag === undefined ? { user: username, tag: undefined } : { user: name + domain, tag };
}

const hasUser = async (sandbox: HostedSandbox, username: string): Promise<boolean> =>
  sandbox.read((state) => state.table('users').firstOf('username', username) !== undefined);

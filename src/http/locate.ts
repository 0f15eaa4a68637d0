// Which sandbox a call belongs to (product.md, "Addresses"): the one its path names; at the plain base URL the one that a login's
// tag or a verified token names, if it is of the environment `stage`; else `stage`.
import { Refusal } from '../contract/refusal.ts';
import { isRecord } from '../contract/schema.ts';
import { machineTime } from '../control/clock.ts';
import { sandboxName, stage } from '../control/sandboxes.ts';
import type { Sandbox } from '../state/sandbox.ts';
import type { Body } from './body.ts';
import type { Arrival, Located } from './call.ts';
import type { Edge } from './edge.ts';

export async function locate(edge: Edge, arrival: Arrival, body: Body | undefined): Promise<Located> {
  const { sandboxName: name, operation } = arrival;
  if (name !== undefined) return { sandbox: await named(edge, name) };
  const fields = body && 'value' in body && isRecord(body.value) ? body.value : {};
  if (operation?.id === 'authentication.token') return byLogin(edge, fields.username, fields.password);
  const token = operation?.id === 'authentication.refresh' ? fields.refresh_token : bearerToken(arrival.request);
  return { sandbox: await byToken(edge, token) };
}

async function named({ sandboxes }: Edge, name: string): Promise<Sandbox> {
  const sandbox = sandboxName.test(name) ? await sandboxes.get(name) : undefined;
  if (sandbox) return sandbox;
  throw new Refusal('HTTP-1', { what: `There is no sandbox ${JSON.stringify(name.slice(0, 80))}` });
}

/** The token of `Authorization: Bearer <token>`; the scheme in any case. */
export function bearerToken(request: Request): string | undefined {
  const [, token] = /^bearer +([^ ]+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  return token;
}

async function byToken({ sandboxes, tokens }: Edge, token: unknown): Promise<Sandbox> {
  const home = await sandboxes.stage();
  const name = typeof token === 'string' ? tokens.namedSandbox(token) : undefined;
  if (typeof token !== 'string' || name === undefined || name === stage || !sandboxName.test(name)) return home;
  const sandbox = await sandboxes.get(name);
  const identity = sandbox?.root.values.identity;
  return sandbox && identity?.environment === stage && (await tokens.verify(identity, token)) ? sandbox : home;
}

/** An exact username first; else `user+tag` names the sandbox `tag`, which the first good login makes. */
async function byLogin(edge: Edge, username: unknown, password: unknown): Promise<Located> {
  const home = await edge.sandboxes.stage();
  if (typeof username !== 'string') return { sandbox: home };
  const asIs = { sandbox: home, username };
  const { user, tag } = taggedUser(username);
  if (tag === undefined || !sandboxName.test(tag) || (await hasUser(home, username))) return asIs;
  const found = await edge.sandboxes.get(tag);
  if (found) return found.root.values.identity.madeByLogin ? { sandbox: found, username: user } : asIs;
  const good = typeof password === 'string' && edge.sandboxes.wouldLogIn(user, password, machineTime());
  if (!edge.loginSandboxes || !good) return asIs;
  return { sandbox: await edge.sandboxes.make({ name: tag, environment: stage, madeByLogin: true }), username: user };
}

/** `ann+w7@example.com` → ann@example.com and w7: the tag follows the first `+`, before any `@`. */
export function taggedUser(username: string): { user: string; tag: string | undefined } {
  const [, name = '', tag, domain = ''] = /^([^+@]*)\+([^@]*)(@.*)?$/s.exec(username) ?? [];
  return tag === undefined ? { user: username, tag: undefined } : { user: name + domain, tag };
}

async function hasUser(sandbox: Sandbox, username: string): Promise<boolean> {
  return sandbox.read((draft) => ![...draft.table('users').walk('username', username)].every(() => false));
}

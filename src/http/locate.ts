// Which sandbox a call belongs to (product.md, "Addresses"): the one its path names; at the plain base URL the one that a login's
// tag or a verified token names, if it is of the environment `stage`; else `stage`.
import { Refusal } from '../contract/refusal.ts';
import { isRecord } from '../contract/schema.ts';
import { machineTime } from '../control/clock.ts';
import { sandboxName, stage } from '../control/sandboxes.ts';
import type { Sandbox } from '../state/sandbox.ts';
import { type Awaitable, andThen } from '../state/store.ts';
import type { Arrival } from './arrival.ts';
import type { Body } from './body.ts';
import type { Located } from './call.ts';
import type { Edge } from './edge.ts';

export function locate(edge: Edge, arrival: Arrival, body: Body | undefined): Awaitable<Located> {
  const { sandboxName: name, operation } = arrival;
  if (name !== undefined) return named(edge, name);
  const fields = body && 'value' in body && isRecord(body.value) ? body.value : {};
  if (operation?.id === 'authentication.token') return byLogin(edge, fields.username, fields.password);
  const token = operation?.id === 'authentication.refresh' ? fields.refresh_token : bearerToken(arrival.request);
  return andThen(edge.sandboxes.stage(), (home) => byToken(edge, home, token));
}

function named({ sandboxes }: Edge, name: string): Awaitable<Located> {
  return andThen(sandboxName.test(name) ? sandboxes.get(name) : undefined, (sandbox) => {
    if (sandbox) return { sandbox };
    throw new Refusal('HTTP-1', { what: `There is no sandbox ${JSON.stringify(name.slice(0, 80))}` });
  });
}

/** The token of `Authorization: Bearer <token>`; the scheme in any case. */
export function bearerToken(request: Request): string | undefined {
  const header = request.headers.get('authorization');
  return header === null ? undefined : /^bearer +([^ ]+) *$/i.exec(header)?.[1];
}

function byToken({ sandboxes, tokens }: Edge, home: Sandbox, token: unknown): Awaitable<Located> {
  const name = typeof token === 'string' ? tokens.namedSandbox(token) : undefined;
  if (typeof token !== 'string' || name === undefined || name === stage || !sandboxName.test(name))
    return { sandbox: home };
  return andThen(sandboxes.get(name), (sandbox) => {
    const identity = sandbox?.root.values.identity;
    if (!sandbox || identity?.environment !== stage) return { sandbox: home };
    return andThen(tokens.verify(identity, token), (claims) => ({ sandbox: claims ? sandbox : home }));
  });
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
function taggedUser(username: string): { user: string; tag: string | undefined } {
  const [, name = '', tag, domain = ''] = /^([^+@]*)\+([^@]*)(@.*)?$/s.exec(username) ?? [];
  return tag === undefined ? { user: username, tag: undefined } : { user: name + domain, tag };
}

async function hasUser(sandbox: Sandbox, username: string): Promise<boolean> {
  return sandbox.read((draft) => [...draft.table('users').walk('username', username)].length > 0);
}

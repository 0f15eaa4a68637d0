// Whether what is told under /_docs may show a login, and the token that the reference comes with.
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import { readyClaims } from '../../control/ready-login.ts';
import type { Edge } from '../edge.ts';
import { strangeHost } from '../host-names.ts';
import type { ReadyLogin } from './page.ts';

/**
 * Whether the data of the fixtures and a login may be shown to whoever asks. Not under a host that is not known (a page of another site may have
 * made the name its own), not where passwords are secrets, and not in a sandbox with a key of its own.
 */
export const isOpenTo = (edge: Edge, { root }: HostedSandbox, request: Request): boolean =>
  strangeHost(edge, request) === undefined && edge.showFixtures && root.values.identity.ownKeyHash === null;

/** The first user of the sandbox who may log in, with a token, where it may be shown. */
export async function readyLogin(
  edge: Edge,
  sandbox: HostedSandbox,
  request: Request,
): Promise<ReadyLogin | undefined> {
  if (!isOpenTo(edge, sandbox, request)) return undefined;
  const found = await sandbox.read((draft) => readyClaims(draft, edge.hashes, edge.sandboxes.now()));
  if (!found) return undefined;
  const { username, claims } = found;
  const token = await edge.tokens.sign(sandbox.root.values.identity, claims);
  return { username, token, goodUntil: new Date((claims.exp ?? claims.iat) * 1000).toISOString() };
}

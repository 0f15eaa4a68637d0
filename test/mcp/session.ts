// A coding agent's session, recorded: its client fails after the access token has expired, the tools show why, the
// client is corrected, and the tools confirm it.
import type { Fetch } from '../../src/client/control-client.ts';
import { agentWith } from './support.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/**
 * The client that the agent writes: counts the products.
 * @param refreshes whether it refreshes its token after a 401: false before the correction
 */
function productClient(baseUrl: string, fetchIn: Fetch, refreshes: boolean): () => Promise<number> {
  let tokens: Tokens | undefined;
  const post = async (path: string, body: object): Promise<Tokens> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await (await fetchIn(`${baseUrl}/v2/authentication/${path}`, init)).json()) as Tokens;
  };
  const get = ({ access_token }: Tokens): Promise<Response> =>
    fetchIn(`${baseUrl}/v2/products`, { headers: { authorization: `Bearer ${access_token}` } });
  return async () => {
    tokens ??= await post('token', { username: 'demo', password: 'sachet-demo' });
    let response = await get(tokens);
    if (response.status === 401 && refreshes) {
      const { refresh_token } = tokens;
      tokens = { ...(await post('refresh-token', { refresh_token })), refresh_token };
      response = await get(tokens);
    }
    if (!response.ok) throw new Error(`GET /v2/products failed with ${response.status}`);
    return ((await response.json()) as { client_products: unknown[] }).client_products.length;
  };
}

export interface Step {
  /** The call of a tool, or a run of the client. */
  readonly action: string;
  readonly result: string;
}

/** Runs the session with a seed and a frozen clock. */
export async function recordSession(): Promise<readonly Step[]> {
  const { fetch, done } = await agentWith();
  const steps: Step[] = [];
  async function tool(name: string, args: Record<string, unknown>): Promise<string> {
    const result = await done(name, args);
    steps.push({ action: `${name} ${JSON.stringify(args)}`, result });
    return result;
  }
  async function run(client: () => Promise<number>, action: string): Promise<void> {
    const result = await client().then(
      (count) => `${count} products`,
      (error: Error) => `Error: ${error.message}`,
    );
    steps.push({ action, result });
  }
  /** Creates a sandbox; returns a client of it. */
  async function start(sandbox: string, refreshes: boolean) {
    const created = await tool('create_sandbox', { sandbox, clock: '2026-01-01T00:00:00Z', random_seed: 'docs' });
    return productClient(/^base_url: (\S+)$/m.exec(created)?.[1] ?? '', fetch, refreshes);
  }
  const hasty = await start('checkout', false);
  await run(hasty, 'the client lists the products');
  await tool('advance_clock', { sandbox: 'checkout', by: 'P1D' });
  await run(hasty, 'the client lists them again, with the token that it has');
  const listed = await tool('requests', { sandbox: 'checkout', status: 401 });
  await tool('explain_request', { sandbox: 'checkout', id: listed.split(' ')[0] });
  const corrected = await start('checkout-2', true);
  await run(
    corrected,
    'the corrected client lists the products: after a 401 it refreshes its token and repeats the call',
  );
  await tool('advance_clock', { sandbox: 'checkout-2', by: 'P1D' });
  await run(corrected, 'the corrected client lists them again, with the token that it has');
  await tool('requests', { sandbox: 'checkout-2', limit: 3 });
  await tool('conduct_report', { sandbox: 'checkout-2' });
  return steps;
}

const maxLineCharacters = 300;

/**
 * The session as Markdown. What differs from run to run is replaced: the id of a request by its number, the mark of a
 * redacted secret, and cursors. Longer lines are cut.
 */
export function transcriptOf(steps: readonly Step[]): string {
  const text = steps.map(({ action, result }) => `> ${action}\n${result}`).join('\n\n');
  // A list of requests begins each line with the id.
  const ids = new Set(Array.from(text.matchAll(/^([a-z\d]{21}) \d{4}-/gm), ([, id = '']) => id));
  const lines = [...ids]
    .reduce((shown, id, index) => shown.replaceAll(id, `request-${index + 1}`), text)
    .replaceAll(/\[redacted \w+\]/g, '[redacted]')
    .replaceAll(/(?<=next_cursor: )\S+/g, '…')
    .split('\n')
    .map((line) => (line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters)}…` : line));
  return ['```text', ...lines, '```'].join('\n');
}

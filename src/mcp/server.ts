// The MCP server of one caller: tools, resources, prompts, and the instructions that a client gets when it connects.
// Over Streamable HTTP each POST gets a server of its own, without a session, and a JSON response.
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Fetch } from '../client/control-client.ts';
import { sachetAt } from '../client/sachet.ts';
import { mcpPath, stage } from '../contract/addresses.ts';
import { assumptionTools } from './assumption-tools.ts';
import { controlTools, createSandbox } from './control-tools.ts';
import { journalTools } from './journal-tools.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { type McpContext, registerTool, type Tool } from './tool.ts';

/** In the order of the list. */
export const tools: readonly Tool[] = [...controlTools, ...journalTools, ...assumptionTools];

/** @param instructions for the model, as `instructionsFor` returns them */
export function createMcpServer(context: McpContext, instructions?: string): McpServer {
  const fixed = { listChanged: false };
  const server = new McpServer(
    { name: 'sachet', title: 'Sachet', version: context.version },
    { capabilities: { tools: fixed, resources: fixed, prompts: fixed }, ...(instructions && { instructions }) },
  );
  for (const one of tools) if (one !== createSandbox || !context.isOwnKey) registerTool(server, one, context);
  registerResources(server, context);
  registerPrompts(server, context);
  return server;
}

/** What the server is, its base URL and a login, and how to start. Shorter if the sandbox cannot be read. */
export async function instructionsFor({ sachet, sandbox, isOwnKey }: McpContext): Promise<string> {
  const { records, get } = sachet.sandbox(sandbox);
  const about = await Promise.all([get(), records.users.list({ limit: 20 })])
    .then(([{ base_url }, { users }]) => {
      const user = users.find(({ active }) => active);
      const login = user ? `; login: ${user.username} / ${user.password}` : '';
      return `Base URL of the sandbox "${sandbox}": ${base_url}${login}. `;
    })
    .catch(() => '');
  const start = isOwnKey
    ? `The key is the own key of the sandbox "${sandbox}", and cannot create others. `
    : 'Start with create_sandbox, which returns a base URL and logins of your own, and pass its name as `sandbox` to ' +
      'the other tools. ';
  return (
    'Sachet is a sandbox of the Order and Fulfillment Service: it answers like the real service, and you control its ' +
    `clock, failures and orders. ${about}${start}When a call of the client fails: requests, then explain_request. ` +
    'Before you finish: conduct_report. The rules of the contract are at sachet://rules. ' +
    `Not for clients: ${mcpPath} and /_admin; the service is below /v2.`
  );
}

/** A POST whose key is valid. */
interface McpCall {
  /** The parsed body of the request. */
  readonly body: unknown;
  readonly key: string;
  /** The sandbox that the key controls; undefined for the admin key. */
  readonly sandbox: string | undefined;
}

/** The messages whose answer has the instructions. */
const connecting: readonly unknown[] = ['initialize', 'server/discover'];

/** The SDK refuses other values of Accept, such as that of curl. */
const accept = 'application/json, text/event-stream';

/** Returns a function that answers calls. The tools use the control API through `fetch`, with the key of the call. */
export const mcpOverHttp =
  (fetch: Fetch, version: string) =>
  async ({ url: address, headers }: Request, { body, key, sandbox }: McpCall): Promise<Response> => {
    const { origin: url } = new URL(address);
    const request = new Request(address, { method: 'POST', headers: { ...Object.fromEntries(headers), accept } });
    const sachet = sachetAt({ url, adminKey: key, fetch }, async () => undefined);
    const context = { sachet, sandbox: sandbox ?? stage, isOwnKey: sandbox !== undefined, version };
    const method = (body as { readonly method?: unknown } | null)?.method;
    const instructions = connecting.includes(method) ? await instructionsFor(context) : undefined;
    const create = () => createMcpServer(context, instructions);
    // The handler of the SDK would answer clients of protocol versions before 2026 with an event stream.
    if (!(await isLegacyRequest(request, body)))
      return createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, { parsedBody: body });
    const [server, transport] = [create(), new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })];
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: body });
    } finally {
      await server.close();
    }
  };

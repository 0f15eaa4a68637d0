// MCP over Streamable HTTP, without sessions: each POST gets a server of its own, for its key, and a JSON response.
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Fetch } from '../client/control-client.ts';
import { sachetAt } from '../client/sachet.ts';
import { stage } from '../contract/addresses.ts';
import { createMcpServer, instructionsFor } from './server.ts';

interface Call {
  /** Parsed. */
  readonly body: unknown;
  /** Valid. */
  readonly key: string;
  /** The sandbox that the key controls; undefined for the admin key. */
  readonly sandbox: string | undefined;
}

/** The messages whose answer has the instructions. */
const connecting: readonly unknown[] = ['initialize', 'server/discover'];

/** Returns a function that answers calls. The tools use the control API through `fetch`, with the key of the call. */
export const mcpOverHttp =
  (fetch: Fetch, version: string) =>
  async (request: Request, { body, key, sandbox }: Call): Promise<Response> => {
    const { origin: url } = new URL(request.url);
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

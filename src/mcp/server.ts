// The MCP server of one caller: tools, resources, prompts, and the instructions that a client gets when it connects.
import { McpServer } from '@modelcontextprotocol/server';
import { mcpPath } from '../contract/addresses.ts';
import { assumptionTools } from './assumption-tools.ts';
import { controlTools } from './control-tools.ts';
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
  for (const one of tools) registerTool(server, one, context);
  registerResources(server, context);
  registerPrompts(server, context.sandbox);
  return server;
}

/** What the server is, its base URL and a login, and how to start. Shorter if the sandbox cannot be read. */
export async function instructionsFor({ sachet, sandbox }: McpContext): Promise<string> {
  const { records, get } = sachet.sandbox(sandbox);
  const about = await Promise.all([get(), records.users.list({ limit: 20 })])
    .then(([{ base_url }, { users }]) => {
      const user = users.find(({ active }) => active);
      const login = user ? `; login: ${user.username} / ${user.password}` : '';
      return `Base URL of the sandbox "${sandbox}": ${base_url}${login}. `;
    })
    .catch(() => '');
  return (
    'Sachet is a sandbox of the Order and Fulfillment Service: it answers like the real service, and you control its ' +
    `clock, failures and orders. ${about}Start with create_sandbox, which returns a base URL and logins of your own, and ` +
    'pass its name as `sandbox` to the other tools. When a call of the client fails: requests, then explain_request. ' +
    `Before you finish: conduct_report. The rules of the contract are at sachet://rules. Not for clients: ${mcpPath} and ` +
    '/_admin; the service is below /v2.'
  );
}

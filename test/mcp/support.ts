// A client of the MCP server of a Sachet in process, connected as a coding agent is: over HTTP, with a key.
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import type { Fetch } from '../../src/client/control-client.ts';
import { sachetAt } from '../../src/client/sachet.ts';
import type { EngineOptions } from '../../src/engine.ts';
import { bareSachet, origin } from '../support/sachet.ts';

/** The largest result of a tool, in bytes. */
export const maxBytes = 16_000;

/** A connected client with the key, and functions for what a test calls. */
export async function agentAt(fetch: Fetch, key: string, options: ClientOptions = {}) {
  const client = new Client({ name: 'test', version: '1' }, options);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/_mcp`), { fetch, requestInit }));
  async function call(name: string, args: Record<string, unknown>, fails: boolean): Promise<string> {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    expect(content).toHaveLength(1);
    expect(new TextEncoder().encode(text).length, name).toBeLessThanOrEqual(maxBytes);
    expect(isError, text).toBe(fails);
    return text;
  }
  return {
    client,
    /** The text of a success. */
    done: (name: string, args: Record<string, unknown> = {}) => call(name, args, false),
    /** The text of an error. */
    failed: (name: string, args: Record<string, unknown> = {}) => call(name, args, true),
    read: async (uri: string): Promise<string> => {
      const { contents } = await client.readResource({ uri });
      const [first] = contents;
      return first && 'text' in first ? first.text : '';
    },
  };
}

/** A Sachet whose clock is frozen, and an agent with the admin key. */
export async function agentWith(options: Partial<EngineOptions> = {}) {
  const { fetch, adminKey } = bareSachet(options);
  const sachet = sachetAt({ url: origin, adminKey, fetch }, async () => undefined);
  return { sachet, fetch, adminKey, ...(await agentAt(fetch, adminKey)) };
}

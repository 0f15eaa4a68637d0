// The table of the MCP tools.
import { tools } from '../../../src/mcp/server.ts';
import { code, codes, table } from './table.ts';

export const mcpToolsTable = (): string =>
  table(
    ['Tool', 'Effect', 'Arguments besides `sandbox`'],
    tools.map(({ name, description, input }) => {
      const others = Object.keys(input).filter((argument) => argument !== 'sandbox');
      return [code(name), description, codes(others) || 'none'];
    }),
  );

// The prompts: tasks that an agent does with the tools, step by step.
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { conduct } from '../contract/control/conduct.ts';
import findFailure from './find-failure.md?raw';
import { bounded, type McpContext, nameOfSandbox, short, text } from './tool.ts';
import writeClient from './write-client.md?raw';

const conductRules = Object.values(conduct).map((rule) => `   - ${rule}`);

const startOf = ({ sandbox, isOwnKey }: McpContext): string =>
  isOwnKey
    ? `Use the sandbox "${sandbox}", the only one of your key. Read sachet://openapi and sachet://fixtures/users.`
    : 'Call create_sandbox with a frozen clock, such as "2026-01-01T00:00:00Z".';

export function registerPrompts(server: McpServer, context: McpContext): void {
  server.registerPrompt(
    'write_integration_client',
    {
      title: 'Write an integration client',
      description: 'Write a client of the Order and Fulfillment Service, and test it against a sandbox',
      argsSchema: z.object({ language: z.string().max(100).describe('programming language, such as TypeScript') }),
    },
    ({ language }) => messageOf(writeClient, { language, start: startOf(context), conduct: conductRules.join('\n') }),
  );
  server.registerPrompt(
    'find_why_test_failed',
    {
      title: 'Find out why a test failed',
      description: 'Find the requests behind a failed test, and the reason for their responses',
      argsSchema: z.object({
        sandbox: nameOfSandbox.default(context.sandbox).describe('sandbox that the test used'),
        test_output: text('what the test printed'),
      }),
    },
    ({ sandbox: name, test_output: output }) =>
      messageOf(`${findFailure}{output}`, {
        sandbox: name,
        output: output ? `\nOutput of the test:\n\n${short(output, 10_000)}\n` : '',
      }),
  );
}

/** A message with the text. The values replace their names in braces. */
const messageOf = (template: string, values: Readonly<Record<string, string | undefined>>) => ({
  messages: [
    {
      role: 'user' as const,
      content: {
        type: 'text' as const,
        text: bounded(template.replaceAll(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot)),
      },
    },
  ],
});

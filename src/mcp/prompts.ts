// The prompts: tasks that an agent does with the tools, step by step.
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { conduct } from '../contract/control/conduct.ts';
import { text } from './tool.ts';

export function registerPrompts(server: McpServer, sandbox: string): void {
  server.registerPrompt(
    'write_integration_client',
    {
      title: 'Write an integration client',
      description: 'Write a client of the Order and Fulfillment Service, and test it against a sandbox',
      argsSchema: z.object({ language: z.string().describe('programming language, such as TypeScript or Python') }),
    },
    ({ language }) => say(writeClient(language)),
  );
  server.registerPrompt(
    'find_why_test_failed',
    {
      title: 'Find out why a test failed',
      description: 'Find the requests behind a failed test, and the reason for their responses',
      argsSchema: z.object({
        sandbox: z.string().default(sandbox).describe('sandbox that the test used'),
        test_output: text('what the test printed'),
      }),
    },
    (input) => say(findFailure(input.sandbox, input.test_output)),
  );
}

const say = (words: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: words } }],
});

const writeClient = (language: string): string => `Write a client of the Order and Fulfillment Service in ${language}, \
and test it against Sachet, a sandbox of the service.

1. Call create_sandbox with a frozen clock, such as "2026-01-01T00:00:00Z". Keep its base URL and a login.
2. Read the resource sachet://openapi, and sachet://openapi/{operation} for each operation that the client needs: \
authentication.token, authentication.refresh, products.list, orders.create, fulfillments.list, fulfillments.get.
3. Read sachet://rules. For each rule of an operation that you use, sachet://rules/{id} has the contract's sentence.
4. Write the client. Base URL, username and password are settings. The client follows these rules:
${Object.values(conduct)
  .map((rule) => `   - ${rule}`)
  .join('\n')}
5. Run it against the base URL: log in, list products, create an order. Call requests; for each error call \
explain_request and correct the client.
6. Test the failures, one at a time: set_switch token_expiry {"expire_issued": true}, rate_limit {"burst": 2}, \
server_error {"burst": 1}, connection {"drop": "after_processing", "after": "success", "burst": 1}. Run the client after \
each, then turn the switch off with settings null.
7. Move an order along with orders_action (accept, start_production, ship, deliver), and read its fulfillments with the \
client.
8. Call conduct_report. Correct every failed rule, and run again until no rule fails. State the rules that were not \
exercised.
`;

const findFailure = (sandbox: string, output: string | undefined): string => `A test of a client against the sandbox \
"${sandbox}" of Sachet failed. Find out why. Change nothing until you know the reason.

1. Call requests {"sandbox": "${sandbox}"}. Find the first request with an unexpected status, and the last one before the \
test failed. With many requests, filter by status or operation, or follow next_cursor.
2. If the journal has no request of the test, its base URL or login leads to another sandbox: compare it with base_url in \
the result of create_sandbox, and look at the sandbox "stage".
3. Call explain_request with the id of each suspicious request. Note the rule, the contract's sentence, the field, and \
whether a switch or a fault affected it.
4. If a switch, a fault or a scenario affected the request, the test expects that failure: check what the client should do \
then. apply_scenario {"sandbox": "${sandbox}"} lists the scenarios, and marks those that are applied.
5. If the response depends on an assumption, call assumptions with its id as search: the client may rely on a choice that \
the contract leaves open.
6. Call conduct_report {"sandbox": "${sandbox}"} for bad behavior that no single response shows.
7. State the reason in one sentence, with the request id, the rule and the line of the client that is wrong. Then correct \
the client or the test, run the test again, and confirm with requests and conduct_report.
${output === undefined ? '' : `\nOutput of the test:\n\n${output}\n`}`;

// The resources and prompts.
import { describe, expect, test } from 'vitest';
import { numberedRules, rules } from '../../src/contract/rules.ts';
import { ruleLines } from '../../src/mcp/rules.ts';
import { agentWith, maxBytes } from './support.ts';

test('rules: an index, a page for each, and completion of their ids', async () => {
  const { client, read } = await agentWith();
  const lines = (await read('sachet://rules')).split('\n');
  const ids = lines.map((line) => line.split(': ')[0]);
  expect(new Set(ids)).toEqual(new Set([...numberedRules.map(({ id }) => id), ...Object.keys(rules)]));
  expect(await read('sachet://rules/ORD-15')).toBe(
    'rule ORD-15: address1 must have fewer than 100 characters.\n  status: 422\n' +
      '  operations: orders.create, orders.update',
  );
  expect(ruleLines('AUTH-3')?.[1]).toMatch(/^ {2}contract: Every other endpoint needs `Authorization/);
  await expect(read('sachet://rules/ORD-155')).rejects.toThrow('Did you mean "ORD-15"?');
  const ref = { type: 'ref/resource' as const, uri: 'sachet://rules/{id}' };
  const { completion } = await client.complete({ ref, argument: { name: 'id', value: 'ful-' } });
  expect(completion.values).toContain('FUL-1');
  expect(completion.values.every((id) => id.startsWith('FUL-'))).toBe(true);
});

test('openapi: an index, and each operation with all the schemas that it refers to', async () => {
  const { read } = await agentWith();
  const lines = (await read('sachet://openapi')).split('\n');
  expect(lines.at(-1)).toBe('document: http://localhost:4010/sandboxes/stage/_docs/openapi.json');
  for (const line of lines.slice(0, -1)) {
    const [id = ''] = line.split(': ');
    const text = await read(`sachet://openapi/${id}`);
    expect(text.length, id).toBeLessThan(maxBytes);
    const { paths, components } = JSON.parse(text);
    expect(JSON.stringify(paths)).toContain(`"x-operation":"${id}"`);
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g))
      expect(components[kind], id).toHaveProperty([name]);
  }
});

test('fixtures: an index, and the records of each collection', async () => {
  const { read } = await agentWith();
  const lines = (await read('sachet://fixtures')).split('\n');
  expect(lines).toContain('users: 8 records');
  for (const line of lines) {
    const records = (await read(`sachet://fixtures/${line.split(': ')[0]}`)).trimEnd().split('\n');
    expect(JSON.parse(records[0] ?? '')).toHaveProperty('id');
    expect(JSON.parse(records.at(-1) ?? '')).toHaveProperty('id');
  }
});

describe('prompts', () => {
  test('write_integration_client has the language and the steps', async () => {
    const { client } = await agentWith();
    const { messages } = await client.getPrompt({ name: 'write_integration_client', arguments: { language: 'Go' } });
    const text = JSON.stringify(messages);
    expect(text).toContain('Service in Go, and test it');
    const { tools } = await client.listTools();
    const named = tools.map(({ name }) => name).filter((name) => text.includes(name));
    expect(named).toEqual(expect.arrayContaining(['create_sandbox', 'requests', 'explain_request', 'conduct_report']));
  });

  test('find_why_test_failed has the sandbox and the output of the test', async () => {
    const { client } = await agentWith();
    const args = { sandbox: 'w7', test_output: 'expected 200, got 401' };
    const { messages } = await client.getPrompt({ name: 'find_why_test_failed', arguments: args });
    expect(messages[0]?.content).toMatchObject({
      text: expect.stringMatching(/"w7"[\s\S]*Output of the test:\n\nexpected 200, got 401\n$/),
    });
  });
});

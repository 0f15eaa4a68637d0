// The resources and prompts.
import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
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
  await expect(read('sachet://rules/%E0%A4%A')).rejects.toMatchObject({ code: ProtocolErrorCode.InvalidParams });
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

test('the prompts have their arguments and name the tools', async () => {
  const { client } = await agentWith();
  const promptOf = async (name: string, args: Record<string, string>): Promise<string> => {
    const { content } = (await client.getPrompt({ name, arguments: args })).messages[0] ?? {};
    return content?.type === 'text' ? content.text : '';
  };
  const write = await promptOf('write_integration_client', { language: 'Go' });
  expect(write).toContain('Service in Go, and test it');
  expect(write).toContain('   - Never send a token again after a 401\n');
  for (const name of ['create_sandbox', 'requests', 'explain_request', 'conduct_report']) expect(write).toContain(name);
  const find = await promptOf('find_why_test_failed', { sandbox: 'w7', test_output: 'expected 200, got 401' });
  expect(find).toMatch(/requests \{"sandbox": "w7"\}[\s\S]*Output of the test:\n\nexpected 200, got 401\n$/);
  expect((await promptOf('find_why_test_failed', { test_output: 'é'.repeat(50_000) })).length).toBeLessThan(maxBytes);
  await expect(promptOf('find_why_test_failed', { sandbox: 'W 7' })).rejects.toThrow('"W 7" is not a sandbox name');
  expect(await promptOf('find_why_test_failed', {})).toMatch(/sandbox "stage" of Sachet [\s\S]*conduct_report\.\n$/);
});

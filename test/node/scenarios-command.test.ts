// `sachet scenarios`: each with its name and intent; and which of them a server takes by its flags.
import { describe, expect, test } from 'vitest';
import { folder } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { shippedFiles } from '../support/shipped-files.ts';

async function scenarios(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const command = sachetHere(['scenarios', ...args], env);
  const code = await command.ended();
  expect({ code, stderr: command.stderr }).toEqual({ code: 0, stderr: '' });
  return command.stdout;
}

const shipped = shippedFiles('scenarios').map(({ name, content }) => ({
  name: name.replace(/^.*\/|\.json$/g, ''),
  ...(content as { intent: string; right_client: string; conduct: string[] }),
}));
const scenario = (more: object = {}): string => JSON.stringify({ intent: 'To see.', right_client: 'Looks.', ...more });

test('a table of the shipped ones, a line each', async () => {
  const lines = (await scenarios()).trimEnd().split('\n');
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual(shipped.map(({ name, intent }) => [name, intent]));
});

test('--json prints one line', async () => {
  const text = await scenarios(['--json']);
  expect(text).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(text)).toEqual({
    scenarios: shipped.map(({ name, intent, right_client, conduct }) => ({ name, intent, right_client, conduct })),
  });
});

test("one's own are added, by the order of names, and replace a shipped one of the same name", async () => {
  const own = folder({ 'label-lost.json': scenario(), 'no-pag.json': scenario({ intent: 'My own.' }) });
  for (const text of [await scenarios(['--scenarios', own]), await scenarios([], { SACHET_SCENARIOS: own })]) {
    const table = new Map(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/) as [string, string]),
    );
    expect([...table.keys()]).toEqual([...shipped.map(({ name }) => name), 'label-lost'].sort());
    expect(table.get('no-pag')).toBe('My own.');
  }
});

test('an intent cannot forge a line', async () => {
  const own = folder({ 'odd.json': scenario({ intent: 'One\nforged  line\u001b[31m\u202e' }) });
  expect(await scenarios(['--scenarios', own])).toContain('One\\u{a}forged  line\\u{1b}[31m\\u{202e}\n');
});

describe('a start is refused', () => {
  async function refused(...args: readonly string[]): Promise<string> {
    const server = sachetHere(['--port', '0', ...args]);
    expect([await server.ended(), server.stdout]).toEqual([2, '']);
    return server.stderr;
  }

  test('for an unknown scenario, with the names of those there are', async () => {
    const own = folder({ 'mine.json': scenario() });
    const stderr = await refused('--scenarios', own, '--scenario', 'no-pag,mine', '--scenario', 'no-pga');
    expect(stderr).toMatch(
      /^sachet: unknown scenario "no-pga"[^\n]*discontinued-product, [^\n]*mine, [^\n]*token-expiry\. Did you mean "no-pag"\?\n$/,
    );
  });

  test('for scenario files with faults', async () => {
    const own = folder({ 'mine.json': scenario({ conduct: ['patience'] }) });
    expect(await refused('--scenarios', own)).toContain(`${own}/mine.json $.conduct[0]: found "patience"`);
  });

  test("for a scenario of one's own that does not fit the fixtures, used or not", async () => {
    const data = { pags: [{ id: '30000000-0000-4000-8000-000000000001', duration: 'long' }] };
    const own = folder({ 'mine.json': scenario({ data }) });
    expect(await refused('--scenarios', own)).toContain(`${own}/mine.json $.data.pags[0].duration: found "long"`);
  });
});

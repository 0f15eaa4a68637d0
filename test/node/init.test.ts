// `sachet init`: the shipped files as files of one's own, and nothing that was there is lost.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, root, run } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';

async function init(path: string) {
  const command = sachetHere(['init', path]);
  const code = await command.ended();
  return { code, stdout: command.stdout, stderr: command.stderr };
}

const filesOf = (path: string): Record<string, string> =>
  Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]));

test('writes the shipped fixtures and scenarios, byte by byte, into a folder that it makes', async () => {
  const path = join(folder(), 'deep', 'own folder');
  const { code, stderr } = await init(path);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(readdirSync(path).sort()).toEqual(['fixtures', 'scenarios']);
  for (const name of ['fixtures', 'scenarios']) expect(filesOf(join(path, name))).toEqual(filesOf(join(root, name)));
});

test('prints a command that takes what it wrote', async () => {
  const { stdout } = await init(join(folder(), "own'folder"));
  const flags = /^npx --no -- sachet (--fixtures .*)$/m.exec(stdout)?.[1] ?? '';
  const shell = run('sh', [], {}, `"${process.execPath}" dist/cli.js check ${flags}`);
  expect(await shell.ended(), shell.stderr).toBe(0);
});

test('leaves other files alone', async () => {
  const path = folder({ 'notes.txt': 'mine' });
  expect((await init(path)).code).toBe(0);
  expect(readFileSync(join(path, 'notes.txt'), 'utf8')).toBe('mine');
});

describe('nothing is written', () => {
  test.each(['fixtures/orders.json', 'scenarios/no-pag.json'])('when %s is there', async (name) => {
    const path = folder();
    mkdirSync(dirname(join(path, name)));
    writeFileSync(join(path, name), 'mine');
    const { code, stdout, stderr } = await init(path);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`sachet: nothing was written because these files already exist: ${join(path, name)}\n`);
    expect(readdirSync(path, { recursive: true }).sort()).toEqual([dirname(name), name]);
    expect(readFileSync(join(path, name), 'utf8')).toBe('mine');
  });

  test('when a link that leads nowhere is there', async () => {
    const path = folder();
    mkdirSync(join(path, 'fixtures'));
    symlinkSync(join(path, 'nowhere'), join(path, 'fixtures', 'pags.json'));
    expect((await init(path)).stderr).toContain('pags.json');
    expect(readdirSync(path, { recursive: true }).sort()).toEqual(['fixtures', 'fixtures/pags.json']);
  });

  test('when a file stands where a folder must', async () => {
    const path = folder({ scenarios: 'mine' });
    const { code, stderr } = await init(path);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^sachet: cannot write [^\n]*scenarios[^\n]*\n$/);
    expect(readdirSync(path)).toEqual(['scenarios']);
  });
});

test('a folder that is a file, or has no name, is told', async () => {
  const path = join(folder({ taken: '' }), 'taken');
  for (const [to, word] of [
    [path, 'taken'],
    ['', 'name is empty'],
  ] as const) {
    const { code, stderr } = await init(to);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^sachet: [^\n]+\n$/);
    expect(stderr).toContain(word);
  }
});

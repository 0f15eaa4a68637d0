// The commands for fixtures and scenarios: `sachet check`, `sachet init` and `sachet scenarios`.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, root, run } from '../support/command.ts';
import { resultHere } from '../support/command-here.ts';
import { changedFolder, shippedFiles } from '../support/fixture-files.ts';

const sachet = (...args: readonly string[]) => resultHere(args);
const scenario = (more: object = {}): string => JSON.stringify({ intent: 'To see.', right_client: 'Looks.', ...more });

describe('check', () => {
  const check = (...args: readonly string[]) => sachet('check', ...args);

  test('counts the records and scenarios of the shipped files, or of other files', async () => {
    const { code, stdout, stderr } = await check();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^✓ {2}fixtures {3}\S*fixtures +4 accounts, 5 brands, [^\n]*\n✓ {2}scenarios {2}\S*scenarios +14 \([^\n]*\n$/,
    );
    const own = folder({ 'mine.json': scenario(), 'yours.json': scenario({ clock: { frozen: true } }) });
    const other = await check('--fixtures', changedFolder(), '--scenarios', own);
    expect(other.code).toBe(0);
    expect(other.stdout).toMatch(/\n✓ {2}scenarios {2}\S+ +2 \(mine, yours\)\n\nStart a server with them:\n\n/);
    expect(other.stdout).toContain(` --scenarios '${own}'\n`);
  });

  test('reports every error of all files with exit code 2', async () => {
    const fixtures = changedFolder(
      { file: 'orders.json', path: ['orders', 3, 'status'], to: 'Open' },
      { file: 'pags.json', path: ['pags', 0, 'status'], to: 'Activ' },
    );
    const conduct = Array.from({ length: 50 }, () => 'patience');
    const scenarios = folder({ 'bad.json': scenario({ conduct, extra: 1 }), 'Bad.json': scenario() });
    const { code, stdout, stderr } = await check('--fixtures', fixtures, '--scenarios', scenarios);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^✗ {2}fixtures {3}\S+ +2 errors\n✗ {2}scenarios {2}\S+ +52 errors\n$/);
    expect(stderr.split('\n').map((line) => line.replace(/: found .*, expected .+$/, ''))).toEqual([
      `${fixtures}/orders.json $.orders[3].status`,
      `${fixtures}/pags.json $.pags[0].status`,
      `${scenarios}/Bad.json $`,
      ...conduct.map((_, index) => `${scenarios}/bad.json $.conduct[${index}]`),
      `${scenarios}/bad.json $`,
      'sachet: 54 errors in 4 files',
      '',
    ]);
  });

  test('reports a folder that is missing or has no file, and every file that is not JSON', async () => {
    const missing = await check('--fixtures', 'no/such');
    const stderr = `sachet: cannot read the fixtures folder "no/such" (${resolve('no/such')}): it does not exist\n`;
    expect(missing).toEqual({ code: 2, stdout: '', stderr });
    expect((await check('--scenarios', folder())).stderr).toMatch(/" has no \.json file\n$/);
    const broken = await check('--scenarios', folder({ 'a.json': '{', 'b.json': '' }));
    expect(broken.code).toBe(2);
    expect(broken.stderr.match(/\w\.json(?= \$: found invalid JSON)/g)).toEqual(['a.json', 'b.json']);
  });

  test.each([
    ['{\n  "a": 1,\n  "b" 2\n}', 'line 3, column 7: Unexpected number'],
    ['{\n  "a": tru,\n  "b": {}, "c": tru\n}', "line 2, column 11: Unexpected token ','"],
    ['{"a": [1, 2}', "line 1, column 12: Expected ',' or ']' after array element"],
    ['{"a": 1}\n\n}', 'line 3, column 1: Unexpected non-whitespace character after JSON'],
    [' \n', 'line 2, column 1: Unexpected end of JSON input'],
    ['nonsense', "line 1, column 2: Unexpected token 'o'"],
  ])('says where %j is not JSON', async (text, place) => {
    const { stderr } = await check('--scenarios', folder({ 'a.json': text }));
    expect(stderr).toContain(`a.json $: found invalid JSON (${place}), expected valid JSON\n`);
  });

  test('reports a scenario that does not fit the fixtures; for a shipped one that nobody chose it is a note', async () => {
    const brand_id = '99999999-9999-4999-8999-999999999999';
    const pags = [{ id: '30000000-0000-4000-8000-000000000001', brand_id }];
    const moved = await check('--scenarios', folder({ 'moved.json': scenario({ data: { pags } }) }));
    const message = 'moved.json $.data.pags[0].brand_id: found "99';
    expect([moved.code, moved.stderr]).toEqual([2, expect.stringContaining(message)]);
    const noPags = await check('--fixtures', changedFolder({ file: 'pags.json', path: ['pags'], to: [] }));
    expect([noPags.code, noPags.stdout]).toEqual([0, expect.stringMatching(/\n! these [^\n]*no-pag\.json\n\nStart /)]);
    const to = '30000000-0000-4000-8000-000000000099';
    const without = changedFolder({ file: 'pags.json', path: ['pags', 2, 'id'], to });
    const own = folder({ 'one.json': scenario() });
    const chosen = await check('--fixtures', without, '--scenarios', own, '--scenario', 'one,no-pag');
    expect(chosen.code).toBe(2);
    expect(chosen.stderr).toMatch(/^\S+\/scenarios\/no-pag\.json \$\.data\.pags\[2\]\.id: found "30000000/);
  });

  test('checks the chosen scenarios together', async () => {
    const lost = scenario({ faults: [{ id: 'lost', drop: 'mid_body' }] });
    const own = folder({ 'one.json': lost, 'two.json': lost });
    const fine = await check('--scenarios', own, '--scenario', 'one,no-pag');
    expect([fine.code, fine.stdout]).toEqual([0, expect.stringContaining('\n✓  together   one, no-pag\n')]);
    expect(await check('--scenarios', own, '--scenario', 'one,two')).toMatchObject({
      code: 2,
      stderr: `${join(own, 'two.json')} $.faults[0].id: found "lost", expected an id that no other fault of the sandbox has\nsachet: 1 error in 1 file\n`,
    });
    const switches = { latency: { milliseconds: 1 } };
    const slow = folder({ 'a.json': scenario({ switches }), 'b.json': scenario({ switches }) });
    const replaced = await check('--scenarios', slow, '--scenario', 'a,b');
    const note = '\n✓  together   a, b\n!  together   b replaces the switch latency of a\n';
    expect([replaced.code, replaced.stdout.replaceAll(/ +\n/g, '\n')]).toEqual([0, expect.stringContaining(note)]);
    const unknown = await check('--scenario', 'no-pga');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(/^sachet: unknown scenario "no-pga".* Did you mean "no-pag"\?\n$/);
    expect(unknown.stderr.match(/lost-answer/g)).toHaveLength(1);
  });
});

describe('init', () => {
  const filesOf = (path: string) => readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]);

  test('writes the shipped files into a new folder, and prints a command that works', async () => {
    const path = join(folder({ 'notes.txt': 'mine' }), 'deep', "own'folder");
    const { code, stdout, stderr } = await sachet('init', path);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readdirSync(path).sort()).toEqual(['fixtures', 'scenarios']);
    for (const name of ['fixtures', 'scenarios']) expect(filesOf(join(path, name))).toEqual(filesOf(join(root, name)));
    const flags = /^npx --no -- sachet (--fixtures .*)$/m.exec(stdout)?.[1] ?? '';
    const shell = run('sh', [], {}, `"${process.execPath}" dist/cli.js check ${flags}`);
    expect(await shell.ended(), shell.stderr).toBe(0);
    const parent = folder({ 'notes.txt': 'mine' });
    expect((await sachet('init', parent)).code).toBe(0);
    expect(readFileSync(join(parent, 'notes.txt'), 'utf8')).toBe('mine');
  });

  test.each<readonly [string, string, (path: string) => void]>([
    ['a file', 'fixtures/orders.json', (path) => writeFileSync(path, 'mine')],
    ['a link to nothing', 'fixtures/pags.json', (path) => symlinkSync('/nowhere', path)],
  ])('writes nothing if %s exists already', async (_, name, make) => {
    const path = folder();
    mkdirSync(dirname(join(path, name)));
    make(join(path, name));
    const advice = 'move them away, or pass another folder';
    const stderr = `sachet: nothing was written because these files already exist: ${join(path, name)}; ${advice}\n`;
    expect(await sachet('init', path)).toEqual({ code: 2, stdout: '', stderr });
    expect(readdirSync(path, { recursive: true }).sort()).toEqual([dirname(name), name]);
  });

  test('rejects a folder that cannot be created', async () => {
    expect((await sachet('init', '')).stderr).toBe('sachet: the folder name is empty; pass a path, such as .\n');
    const file = join(folder({ mine: '' }), 'mine');
    const stderr = `sachet: cannot write ${file}/own: ${file} is a file, not a folder\n`;
    expect(await sachet('init', `${file}/own`)).toEqual({ code: 2, stdout: '', stderr });
  });

  test.skipIf(!existsSync('/proc/self'))('ends where no folder can be created', async () => {
    expect((await sachet('init', '/proc/x')).stderr).toMatch(/^sachet: cannot write \/proc\/x: the folder /);
  });
});

describe('scenarios', () => {
  const shipped = shippedFiles('scenarios').map(({ name, content }) => ({
    name: name.replace(/^.*\/|\.json$/g, ''),
    ...(content as { intent: string; right_client: string; conduct: string[] }),
  }));
  const rowsOf = (stdout: string) => Array.from(stdout.matchAll(/.+/g), ([line]) => line.split(/ {2,}/));

  test('prints a line per shipped scenario, or JSON', async () => {
    expect(rowsOf((await sachet('scenarios')).stdout)).toEqual(shipped.map(({ name, intent }) => [name, intent]));
    const { stdout } = await sachet('scenarios', '--json');
    expect(stdout).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(stdout)).toEqual({
      scenarios: shipped.map(({ name, intent, right_client, conduct }) => ({ name, intent, right_client, conduct })),
    });
  });

  test('adds those of a folder, which replace shipped ones of the same name; no text can forge a line', async () => {
    const intent = 'One\nforged line\u001b[31m\u202e';
    const own = folder({ 'label-lost.json': scenario({ intent }), 'no-pag.json': scenario({ intent: 'My own.' }) });
    const result = await sachet('scenarios', '--scenarios', own);
    expect(await resultHere(['scenarios'], { SACHET_SCENARIOS: own })).toEqual(result);
    const table = new Map(rowsOf(result.stdout) as [string, string][]);
    expect([...table.keys()]).toEqual([...shipped.map(({ name }) => name), 'label-lost'].sort());
    expect(table.get('no-pag')).toBe('My own.');
    expect(table.get('label-lost')).toBe('One\\u{a}forged line\\u{1b}[31m\\u{202e}');
  });
});

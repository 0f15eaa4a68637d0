// `sachet check`: good files are told with counts, bad ones with every fault; the exit code says which.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { type Change, fixtureFiles } from '../support/fixture-files.ts';

async function check(...args: readonly string[]) {
  const command = sachetHere(['check', ...args]);
  const code = await command.ended();
  return { code, stdout: command.stdout, stderr: command.stderr };
}

/** A folder of the shipped fixtures after these changes. */
const fixturesAfter = (...changes: readonly Change[]): string =>
  folder(Object.fromEntries(fixtureFiles(...changes).map(({ name, content }) => [name, JSON.stringify(content)])));

const scenario = (more: object = {}): string => JSON.stringify({ intent: 'To see.', right_client: 'Looks.', ...more });

describe('good files', () => {
  test('the shipped ones, where no folder is given', async () => {
    const { code, stdout, stderr } = await check();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^ok fixtures in [^\n]*fixtures: 4 accounts, 5 brands, [^\n]*\nok scenarios in [^\n]*scenarios: 14 \(/,
    );
  });

  test("one's own", async () => {
    const own = folder({ 'mine.json': scenario(), 'yours.json': scenario({ clock: { frozen: true } }) });
    const { code, stdout } = await check('--fixtures', fixturesAfter(), '--scenarios', own);
    expect(code).toBe(0);
    expect(stdout).toContain(`ok scenarios in ${own}: 2 (mine, yours)\n`);
  });

  test("fixtures of one's own that the shipped scenarios do not fit: a note, and no fault", async () => {
    const { code, stdout } = await check('--fixtures', fixturesAfter({ file: 'pags.json', path: ['pags'], to: [] }));
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nnote: [^\n]*no-pag\.json\n$/);
  });
});

describe('bad files', () => {
  test('every fault of both is told on a line of its own, with exit code 2', async () => {
    const fixtures = fixturesAfter(
      { file: 'orders.json', path: ['orders', 3, 'status'], to: 'Open' },
      { file: 'pags.json', path: ['pags', 0, 'status'], to: 'Activ' },
    );
    const scenarios = folder({ 'bad.json': scenario({ conduct: ['patience'], extra: 1 }), 'Bad.json': scenario() });
    const { code, stdout, stderr } = await check('--fixtures', fixtures, '--scenarios', scenarios);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n').map((line) => line.replace(/: found .*, expected .+$/, ''))).toEqual([
      `${fixtures}/orders.json $.orders[3].status`,
      `${fixtures}/pags.json $.pags[0].status`,
      `${scenarios}/Bad.json $`,
      `${scenarios}/bad.json $.conduct[0]`,
      `${scenarios}/bad.json $`,
      'sachet: 5 errors in 4 files',
      '',
    ]);
  });

  test('all are told, however many', async () => {
    const many = folder({ 'bad.json': scenario({ conduct: Array.from({ length: 100 }, () => 'patience') }) });
    const { stderr } = await check('--scenarios', many);
    expect(stderr.split('\n')).toHaveLength(102);
  });

  test('the good ones beside them are still told', async () => {
    const { code, stdout, stderr } = await check('--scenarios', folder({ 'bad.json': '{"intent": ' }));
    expect(code).toBe(2);
    expect(stdout).toMatch(/^ok fixtures [^\n]*\n$/);
    expect(stderr).toMatch(
      /\/bad\.json \$: found invalid JSON \([^\n]*\), expected valid JSON\nsachet: 1 error in 1 file\n$/,
    );
  });

  test("a scenario of one's own that does not fit the fixtures", async () => {
    const pags = [{ id: '30000000-0000-4000-8000-000000000001', brand_id: '99999999-9999-4999-8999-999999999999' }];
    const own = folder({ 'moved.json': scenario({ data: { pags } }) });
    const { code, stderr } = await check('--scenarios', own);
    expect(code).toBe(2);
    expect(stderr).toContain(`${join(own, 'moved.json')} $.data.pags[0].brand_id: found "9999`);
  });

  test('scenarios that cannot be applied together', async () => {
    const lost = { faults: [{ id: 'lost', drop: 'mid_body' }] };
    const own = folder({ 'one.json': scenario(lost), 'two.json': scenario(lost) });
    const fine = await check('--scenarios', own, '--scenario', 'one,no-pag');
    expect([fine.code, fine.stdout]).toEqual([0, expect.stringContaining('ok together: one, no-pag\n')]);
    const { code, stderr } = await check('--scenarios', own, '--scenario', 'one,two');
    expect(code).toBe(2);
    expect(stderr).toBe(
      `${join(own, 'two.json')} $.faults[0].id: found "lost", expected an id that no other fault of the sandbox has\n` +
        'sachet: 1 error in 1 file\n',
    );
  });

  test("a chosen shipped scenario that does not fit one's own fixtures, by its file", async () => {
    const own = folder({ 'one.json': scenario() });
    const without = fixturesAfter({
      file: 'pags.json',
      path: ['pags', 2, 'id'],
      to: '30000000-0000-4000-8000-000000000099',
    });
    const { code, stderr } = await check('--fixtures', without, '--scenarios', own, '--scenario', 'one,no-pag');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^\S+\/scenarios\/no-pag\.json \$\.data\.pags\[2\]\.id: found "30000000/);
    expect(stderr).not.toContain(own);
  });

  test('a scenario that is not there', async () => {
    const { code, stderr } = await check('--scenario', 'no-pga');
    expect(stderr.match(/lost-answer/g)).toHaveLength(1);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^sachet: unknown scenario "no-pga".* Did you mean "no-pag"\?\n$/),
    ]);
  });

  test.each(['--fixtures', '--scenarios'])('a folder that is not there: %s', async (flag) => {
    const { code, stderr } = await check(flag, '/no/such/folder');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^sachet: cannot read the (?:fixtures|scenarios) folder "\/no\/such\/folder": it does not exist\n$/,
    );
  });
});

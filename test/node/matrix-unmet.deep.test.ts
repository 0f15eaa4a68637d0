// What `sachet matrix` says of runs that say nothing of their reading: those that did not meet it, and tests that stand in each other's way.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../support/command.ts';
import { matrix } from '../support/matrix.ts';
import { client, pagingClient } from '../support/written-clients.ts';
import { readXml } from '../support/xml.ts';

describe('a run that did not meet the reading it was for', () => {
  const unmet =
    '"not met" means that no request of the run used the choice, so the run proves nothing: does the command cache its tests, or set assumptions itself?';
  const readings = ['--only', 'max_limit,rate_limit'];

  test.each([
    ['as nothing was run again', "if (assume.includes('max_limit')) process.exit(0);"],
    [
      'as the client turned it back',
      "token = key;\nawait call('PATCH', '/_admin/sandboxes/stage/assumptions', { max_limit: '100' });",
    ],
  ])('is told apart from one that passed: %s', async (_, first) => {
    const does = client(`${first}\nawait logIn();\nawait call('GET', '/v2/fulfillments');`);
    const { code, stdout } = await matrix(does, readings).told();
    expect(code).toBe(0);
    expect(
      stdout
        .replace(/in \d+\.\d s/, 'in 1.0 s')
        .split('\n')
        .slice(1),
    ).toEqual([
      'max_limit   50       not met',
      'rate_limit  100/60s  pass',
      '',
      '1 passed, 0 failed, 1 not met, 0 not reached, in 1.0 s',
      'Depends on: no assumption that was tried',
      unmet,
      '',
    ]);
  });

  test('is skipped in JUnit, and told in JSON', async () => {
    const file = join(folder(), 'matrix.xml');
    const does = client(
      "if (assume.includes('max_limit')) process.exit(0);\nawait logIn();\nawait call('GET', '/v2/fulfillments');",
    );
    const { stdout } = await matrix(does, [...readings, '--json', '--junit', file]).told();
    expect(JSON.parse(stdout)).toMatchObject({
      results: [
        { assumption: 'max_limit', passed: true, reached: true, met: false },
        { assumption: 'rate_limit', passed: true, reached: true, met: true },
      ],
    });
    expect(readXml(readFileSync(file, 'utf8')).children[0]?.children[0]?.children).toMatchObject([
      { name: 'skipped', attributes: { message: 'not met' } },
    ]);
  });
});

describe('the hint that tests may stand in the way of each other', () => {
  const hint = '\nif your tests cannot run side by side (a port, a file), use --parallel 1\n';
  const lists = "await logIn();\nawait call('GET', '/v2/fulfillments');\n";
  const unmet = client(`if (assume.includes('max_limit')) fail('');\n${lists}`);
  const all = client(`${lists}if (assume) fail('');`);

  test.each([
    [
      'a failure met no reading',
      unmet,
      '\nDepends on: no assumption that was tried\nFailed for another reason: max_limit',
    ],
    ['every reading fails', all, '\nDepends on: max_limit, rate_limit'],
  ])('is given where %s', async (_, does, before) => {
    const { stdout } = await matrix(does, ['--only', 'max_limit,rate_limit', '--parallel', '2']).told();
    expect(stdout).toContain(before + hint);
  });

  test.each([
    ['one ran at a time', all, ['--parallel', '1', '--only', 'max_limit,rate_limit']],
    ['there was one run alone', all, ['--parallel', '2', '--only', 'max_limit']],
    ['others pass', pagingClient('body'), ['--parallel', '2', '--only', 'next_cursor,rate_limit']],
  ])('is not given where %s', async (_, does, args) => {
    const { code, stdout } = await matrix(does, args).told();
    expect(code).toBe(1);
    expect(stdout).not.toContain('side by side');
  });
});

// What becomes of the result of `sachet matrix` where it cannot be written, and what it must not hold.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MatrixDocument } from '../../src/node/matrix/report.ts';
import { root, run } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';

test('a command is told without its secrets', async () => {
  const words = ['-e', '', '--', '--api-key', 'hush', 'password=hush'];
  const command = sachetHere(['matrix', '--json', '--', process.execPath, ...words]);
  expect(await command.ended()).toBe(0);
  const { command: shown } = JSON.parse(command.stdout) as MatrixDocument;
  expect(shown).toEqual([process.execPath, '-e', '', '--', '--api-key', '[redacted]', 'password=[redacted]']);
});

// Writing to it fails as on a disk that is full.
describe.skipIf(!existsSync('/dev/full'))('what cannot be written', () => {
  const words = [process.execPath, '-e', 'require("node:http").get(process.env.SACHET_BASE_URL + "/v2/products")'];
  const args = ['matrix', '--only', 'rate_limit'];
  const all = [process.execPath, join(root, 'dist/cli.js'), ...args, '--', ...words];
  const line = all.map((word) => `'${word}'`).join(' ');

  test('is told with exit code 1 and takes nothing away of what is printed, where it is the JUnit file', async () => {
    const command = sachetHere([...args, '--junit', '/dev/full', '--', ...words]);
    expect(await command.ended()).toBe(1);
    expect(command.stdout).toContain('rate_limit  100/60s  pass\n');
    expect(command.stderr).toBe(
      'sachet: cannot write the JUnit file /dev/full: ENOSPC: no space left on device, write\n',
    );
  });

  test('is told with exit code 1 where it is standard output', async () => {
    const command = run('sh', ['-c', `${line} > /dev/full`]);
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toMatch(/^sachet: cannot write to standard output: ENOSPC[^\n]+\n$/);
  });

  test('is no error where who read it has gone', async () => {
    const command = run('sh', ['-c', `{ ${line}; echo "ended with $?" >&2; } | true`]);
    await command.ended();
    expect(command.stderr).toBe('ended with 0\n');
  });
});

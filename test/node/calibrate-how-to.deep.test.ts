// The walk through docs/how-to/calibrate.md: a service with ten other choices, its recording, and a sandbox that answers alike.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { built, folder, freePort, resultOf, root, run } from '../support/command.ts';

test('learn settles the ten choices of the service, and compare finds no difference then', async () => {
  const page = readFileSync(join(root, 'docs/how-to/calibrate.md'), 'utf8');
  const [, block = ''] = /## Try it with two sandboxes\n[^`]*```sh\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const port = String(await freePort());
  const wait = 'curl -s --retry 50 --retry-delay 1 --retry-connrefused $URL/health > health.txt';
  const script = block
    .replaceAll('npx --no -- sachet', `"${process.execPath}" "${built()}"`)
    .replaceAll('4020', port)
    .replace(/^URL=.*$/m, (line) => `${line}\n${wait}`);
  const [, assumed = ''] = /--assume ([^ ]+(?:\\\n[^ ]+)*) &/.exec(block) ?? [];
  const choices = Object.fromEntries(
    assumed
      .replaceAll('\\\n', '')
      .split(',')
      .map((one) => one.split('=')),
  );
  expect(Object.keys(choices)).toHaveLength(10);
  const place = folder();
  const { code, stdout, stderr } = await resultOf(run('bash', ['-c', `cd "${place}"\n${script}\nkill %1`]));
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('sachet:')]);
  expect(JSON.parse(readFileSync(join(place, 'sachet.config.json'), 'utf8')).assumptions).toMatchObject(choices);
  expect(stdout).toMatch(/\n8 calls compared, 0 different\n/);
});

// A partner's own test run against three servers behind the balancer: one of them is killed in the middle, and the run stays green.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asDeveloped, ended, useInstalled } from '../../package/package-folder.ts';
import { balancing, haproxyMissing } from '../../support/balancer.ts';
import { root, serving } from '../../support/command.ts';
import { inMachineTime } from '../../support/machine-time.ts';
import { freshDatabase } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';

const adminKey = 'the-key-of-the-partners-run';
const example = join(root, 'examples/ky');

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(example, folder)).map((name) => [
      `${folder}/${name}`,
      readFileSync(join(example, folder, name), 'utf8'),
    ]),
  );

const { dependencies } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'));

/** Connections that a test breaks itself end at the balancer (docs/guide/several-servers.md): what those tests expect cannot be seen behind it. */
const throughABalancer = '^(?!.*(after a lost response|does not find a lost order))';

const missing = postgresMissing() ?? haproxyMissing();

describe.skipIf(missing)('a partner’s test run', () => {
  const partner = missing
    ? () => ''
    : useInstalled([asDeveloped('vitest'), `ky@${dependencies.ky}`], {
        ...filesIn('src'),
        ...filesIn('test'),
        'vitest.config.ts': readFileSync(join(example, 'vitest.config.ts'), 'utf8'),
      });

  test('is green, though one of three servers is killed in the middle of it', inMachineTime, async () => {
    const database = await freshDatabase({ url: process.env.TEST_POSTGRES ?? '' });
    onTestFinished(() => database.drop());
    const start = () => serving(['--store', database.url, '--admin-key', adminKey]);
    const replicas = await Promise.all([start(), start(), start()]);
    const url = await balancing(replicas.map(({ ready }) => ready.url));
    const run = ended(partner(), 'npx', ['vitest', 'run', '-t', throughABalancer], {
      SACHET_BASE_URL: url,
      SACHET_ADMIN_KEY: adminKey,
    });
    const calls = () => replicas.map(({ stderr }) => stderr.match(/\/v2\//g)?.length ?? 0);
    const atKill = await expect
      .poll(() => Math.min(...calls()), { interval: 5 })
      .toBeGreaterThanOrEqual(5)
      .then(calls);
    replicas[0]?.child.kill('SIGKILL');
    const { code, stdout, stderr } = await run;
    expect(code, stdout + stderr).toBe(0);
    expect(calls()[0]).toBeLessThan((atKill[0] ?? 0) + 5);
    for (const other of [1, 2]) expect(calls()[other]).toBeGreaterThan((atKill[other] ?? 0) + 5);
  });
});

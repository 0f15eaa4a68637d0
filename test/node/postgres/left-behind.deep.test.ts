// A PostgreSQL server does not outlive the process that started it, even one that is killed.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../support/command.ts';
import { commandLine, ownerBesideRoot } from '../../support/postgres/binaries.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing, startPostgres } from '../../support/postgres/server.ts';
import { gone } from '../../support/processes.ts';

const starts = `
  const [command, ...args] = process.argv.slice(1);
  console.log(require('node:child_process').spawn(command, args, { detached: true, stdio: 'ignore' }).pid);
`;

test.skipIf(postgresMissing())('a server ends with the process that started it', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.close());
  await server.stop();
  const command = commandLine('postgres', ['-D', join(server.folder, 'data')], ownerBesideRoot());
  const starter = run(process.execPath, ['-e', starts, ...command]);
  await expect.poll(() => ask(server.url, 'select 1 as n').catch(String)).toEqual([{ n: 1 }]);
  starter.child.kill('SIGKILL');
  await starter.ended();
  await gone([Number(starter.stdout)]);
});

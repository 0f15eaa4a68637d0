// The way out of damage by a backup, done in a shell with a backup in the place of the words for it: all is as it was, and what was damaged is kept.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../support/command.ts';
import {
  backupOf,
  commandsIn,
  damageOf,
  early,
  fileOf,
  filesOf,
  flip,
  folded,
  late,
  marked,
  putBack,
  stateOf,
} from '../../support/stored-states.ts';

const whole = { stage: { version: 5, marks: [...early, ...late] } };

test.each<readonly [string, (path: string) => void]>([
  ['a snapshot', (path) => flip(fileOf(path, 'snapshot-2.json'))],
  ['a log', (path) => flip(fileOf(path, 'changes-2.log'))],
  ['no log', (path) => rmSync(fileOf(path, 'changes-2.log'))],
  ['no snapshot', (path) => ['snapshot-1.json', 'snapshot-2.json'].map((file) => rmSync(fileOf(path, file)))],
])('a sandbox that is put back from a backup for %s is as it was, and the damaged one is kept', async (_, damage) => {
  const path = await folded();
  await marked(['two'], { path, name: 'other' });
  const had = filesOf(path);
  const backup = backupOf(join(path, 'sandboxes/stage'));
  for (const aside of ['stage.damaged', 'stage.damaged-2']) {
    damage(path);
    const damaged = filesOf(join(path, 'sandboxes/stage'));
    putBack((await damageOf(path)).message, backup);
    expect(filesOf(join(path, aside))).toEqual(damaged);
    expect(filesOf(join(path, 'sandboxes'))).toEqual(filesBelow('sandboxes/', had));
  }
  expect(await stateOf(path)).toEqual({ ...whole, other: { version: 2, marks: ['two'] } });
});

const filesBelow = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, bytes]) =>
      name.startsWith(folder) ? [[name.slice(folder.length), bytes]] : [],
    ),
  );

test('the way out by a backup that is pasted with no backup named changes nothing', async () => {
  const path = await folded();
  flip(fileOf(path, 'snapshot-2.json'));
  const before = filesOf(path);
  const [command = ''] = commandsIn((await damageOf(path)).message).filter((each) => each.includes('YOUR_BACKUP'));
  expect(() => execFileSync('sh', ['-c', command], { stdio: 'pipe', cwd: folder() })).toThrow();
  expect(filesOf(path)).toEqual(before);
});

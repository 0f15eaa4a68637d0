// Each way out of damage that is a command, done in a shell as it stands: afterwards the folder opens, and has what the way out promised.
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  begin,
  commandsIn,
  damageOf,
  early,
  fileOf,
  filesOf,
  flip,
  folded,
  foldInto,
  follow,
  goOn,
  late,
  marked,
  newPath,
  stateOf,
  within,
} from '../../support/stored-states.ts';

const whole = { stage: { version: 5, marks: [...early, ...late] } };

/** Where this text first stands in a file. */
const placeOf = (file: string, text: string): number => readFileSync(file).indexOf(text);

/** The version that a log is kept up to, and how many lines are lost; undefined where that is not known. */
function keptOf(message: string): { readonly version: number; readonly lost: number | undefined } {
  const words =
    /keep what is before the damage \(version (\d+)\), and lose (?:(\d+) writes? from there on|what came after): /;
  const [, version, lost] = words.exec(message) ?? [];
  if (version === undefined) throw new Error(`no log is kept by: ${message}`);
  return { version: Number(version), lost: lost === undefined ? undefined : Number(lost) };
}

test('the generation before says the same as a damaged snapshot, and what is written then stands', async () => {
  const path = await folded();
  flip(fileOf(path, 'snapshot-2.json'));
  const { message } = await damageOf(path);
  expect(message).toContain('go on from the generation before, which says the same, unless the disk had failed: mv ');
  follow(message, /^mv .*snapshot-2/);
  expect(await stateOf(path)).toEqual(whole);
  await goOn(path, ['five']);
  expect(await stateOf(path)).toEqual({ stage: { version: 6, marks: [...whole.stage.marks, 'five'] } });
});

test('a damaged snapshot that was gone back behind is folded anew', async () => {
  const path = await folded();
  flip(fileOf(path, 'snapshot-2.json'));
  follow((await damageOf(path)).message, /^mv .*snapshot-2/);
  await foldInto(path, ['five'], 2);
  await goOn(path, ['six']);
  expect(await stateOf(path)).toEqual({ stage: { version: 7, marks: [...whole.stage.marks, 'five', 'six'] } });
});

test('no generation before is named where there is none that has its log', async () => {
  const path = await folded();
  flip(fileOf(path, 'snapshot-2.json'));
  rmSync(fileOf(path, 'changes-1.log'));
  const { message } = await damageOf(path);
  expect(message).not.toContain('generation before');
  expect(commandsIn(message)).toEqual([expect.stringContaining('YOUR_BACKUP_OF_IT'), expect.stringMatching(/^mv /)]);
});

test('a log is kept up to the version before the damage', async () => {
  const path = await folded();
  const file = fileOf(path, 'changes-2.log');
  flip(file, placeOf(file, 'four'));
  const { message } = await damageOf(path);
  expect(keptOf(message)).toEqual({ version: 4, lost: 1 });
  follow(message, /^truncate/);
  const told: string[] = [];
  const state = await stateOf(path, { tell: (words) => void told.push(words) });
  expect([state, told]).toEqual([{ stage: { version: 4, marks: [...early, 'three'] } }, []]);
  await goOn(path, ['five']);
  expect(await stateOf(path)).toEqual({ stage: { version: 5, marks: [...early, 'three', 'five'] } });
});

test('a log whose first line is damaged is begun anew behind its snapshot', async () => {
  const path = await folded();
  flip(fileOf(path, 'changes-2.log'), 4);
  const { message } = await damageOf(path);
  const { version } = keptOf(message);
  follow(message, /^truncate/);
  expect(await stateOf(path)).toEqual({ stage: { version, marks: whole.stage.marks.slice(0, version - 1) } });
});

test('damage in a log that another one goes on from takes that one, too', async () => {
  const path = await folded();
  rmSync(fileOf(path, 'snapshot-2.json'));
  const file = fileOf(path, 'changes-1.log');
  flip(file, placeOf(file, 'twotwo'));
  const { message } = await damageOf(path);
  // One line of this log and two of the next, where it is said at all.
  const { version, lost } = keptOf(message);
  expect(version).toBe(2);
  expect([3, undefined]).toContain(lost);
  follow(message, /^truncate.*&& rm /);
  expect(await stateOf(path)).toEqual({ stage: { version: 2, marks: ['one'] } });
});

test('what stands half written at the end of a log is damage where the next log goes on, and goes', async () => {
  const path = await folded();
  rmSync(fileOf(path, 'snapshot-2.json'));
  appendFileSync(fileOf(path, 'changes-1.log'), '12 ');
  const { message } = await damageOf(path);
  const { version } = keptOf(message);
  follow(message, /^truncate/);
  expect(await stateOf(path)).toEqual({ stage: { version, marks: whole.stage.marks.slice(0, version - 1) } });
});

test('without its log a snapshot is gone on from alone', async () => {
  const path = await folded();
  const version = Number(/"version":(\d+)/.exec(readFileSync(fileOf(path, 'snapshot-2.json'), 'utf8'))?.[1]);
  rmSync(fileOf(path, 'changes-2.log'));
  const { message } = await damageOf(path);
  expect(message).toContain('go on from the snapshot alone');
  follow(message, /^touch/);
  expect(await stateOf(path)).toEqual({ stage: { version, marks: whole.stage.marks.slice(0, version - 1) } });
});

test('without its log, and with one behind that, a snapshot is gone on from alone', async () => {
  const path = await folded();
  for (const file of ['snapshot-2.json', 'changes-1.log']) rmSync(fileOf(path, file));
  const { message } = await damageOf(path);
  follow(message, /touch/);
  expect(await stateOf(path)).toEqual({ stage: { version: 1, marks: [] } });
});

test.each([
  ['a log', (path: string) => flip(fileOf(path, 'changes-1.log'))],
  ['a snapshot', (path: string) => flip(fileOf(path, 'snapshot-1.json'))],
  ['no log', (path: string) => rmSync(fileOf(path, 'changes-1.log'))],
  ['no snapshot', (path: string) => rmSync(fileOf(path, 'snapshot-1.json'))],
])('a sandbox that is set aside for %s begins anew, the others go on, and all it had is kept', async (_, damage) => {
  const path = await marked(['one']);
  await marked(['two'], { path, name: 'other' });
  damage(path);
  const had = filesOf(join(path, 'sandboxes/stage'));
  const { message } = await damageOf(path);
  expect(message).toContain('set the sandbox aside: the others go on, and it begins anew: mv ');
  follow(message, /^mv .*stage\.damaged/);
  expect(await stateOf(path)).toEqual({ other: { version: 2, marks: ['two'] } });
  await within(path, (store) => begin(store));
  const other = { version: 2, marks: ['two'] };
  expect(await stateOf(path)).toEqual({ other, stage: { version: 1, marks: [] } });
  expect(filesOf(join(path, 'stage.damaged'))).toEqual(had);
});

test.each([
  ['production', 'it begins anew'],
  ['other', 'there is no such sandbox any more, nor its key and passwords'],
])('of %s that is set aside it is said that %s', async (name, becomes) => {
  const path = await marked(['one']);
  await marked(['two'], { path, name });
  flip(fileOf(path, 'snapshot-1.json', name));
  const { message } = await damageOf(path);
  expect(message).toContain(`set the sandbox aside: the others go on, and ${becomes}: mv `);
  follow(message, /^mv /);
  expect(await stateOf(path)).toEqual({ stage: { version: 2, marks: ['one'] } });
});

test('a sandbox is set aside as often as it is damaged', async () => {
  const path = newPath();
  for (const id of ['first', 'second', 'third']) {
    await marked([id], { path });
    flip(fileOf(path, 'snapshot-1.json'));
    follow((await damageOf(path)).message, /^mv .*stage\.damaged/);
    expect(await stateOf(path)).toEqual({});
  }
});

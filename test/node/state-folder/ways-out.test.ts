// Each way out of damage that is a command, done in a shell as it stands: afterwards the folder opens, and has what the way out promised.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openState } from '../../../src/node/state-folder/open-state.ts';
import { folder } from '../../support/command.ts';
import {
  begin,
  commandsIn,
  damageOf,
  early,
  fileOf,
  filesOf,
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

/** Turns a bit in the middle of a file, or at this place. */
function flip(file: string, at?: number): void {
  const bytes = readFileSync(file);
  const place = at ?? bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  writeFileSync(file, bytes);
}

/** Where this text first stands in a file. */
const placeOf = (file: string, text: string): number => readFileSync(file).indexOf(text);

test('the generation before says the same as a damaged snapshot, and what is written then stands', async () => {
  const path = await folded();
  flip(fileOf(path, 'snapshot-2.json'));
  const { message } = await damageOf(path);
  expect(message).toContain('go on from the generation before, which says the same');
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
  expect(commandsIn(message)).toHaveLength(1);
});

test('a log is kept up to the version before the damage', async () => {
  const path = await folded();
  const file = fileOf(path, 'changes-2.log');
  flip(file, placeOf(file, 'four'));
  const { message } = await damageOf(path);
  expect(message).toContain('(up to version 4)');
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
  const version = Number(/\(up to version (\d+)\)/.exec(message)?.[1]);
  follow(message, /^truncate/);
  expect(await stateOf(path)).toEqual({ stage: { version, marks: whole.stage.marks.slice(0, version - 1) } });
});

test('damage in a log that another one goes on from takes that one, too', async () => {
  const path = await folded();
  rmSync(fileOf(path, 'snapshot-2.json'));
  const file = fileOf(path, 'changes-1.log');
  flip(file, placeOf(file, 'twotwo'));
  const { message } = await damageOf(path);
  expect(message).toContain('(up to version 2)');
  follow(message, /^truncate.*&& rm /);
  expect(await stateOf(path)).toEqual({ stage: { version: 2, marks: ['one'] } });
});

test('what stands half written at the end of a log is damage where the next log goes on, and goes', async () => {
  const path = await folded();
  rmSync(fileOf(path, 'snapshot-2.json'));
  appendFileSync(fileOf(path, 'changes-1.log'), '12 ');
  const { message } = await damageOf(path);
  const version = Number(/\(up to version (\d+)\)/.exec(message)?.[1]);
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
  follow((await damageOf(path)).message, /^mv .*stage\.damaged/);
  expect(await stateOf(path)).toEqual({ other: { version: 2, marks: ['two'] } });
  await within(path, (store) => begin(store));
  const other = { version: 2, marks: ['two'] };
  expect(await stateOf(path)).toEqual({ other, stage: { version: 1, marks: [] } });
  expect(filesOf(join(path, 'stage.damaged'))).toEqual(had);
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

const opening = (path: string) => openState(path, { sync: 'always', tell: () => undefined });

/** What a start says that finds no place for state. */
async function refusal(path: string): Promise<string> {
  const words = await opening(path).then(
    (state) => state.close().then(() => 'it opened'),
    ({ message }: Error) => message,
  );
  expect(words).toMatch(
    /^the state cannot be used: .*\nNothing was changed\. Three ways out:\n {2}1\. .*\n {2}2\. .*\n {2}3\. /,
  );
  return words;
}

test('a file in the place of the folder is moved away', async () => {
  const path = newPath();
  writeFileSync(path, 'notes');
  follow(await refusal(path), /^mv/);
  await (await opening(path)).close();
  expect([existsSync(join(path, 'sandboxes')), readFileSync(`${path}.file`, 'utf8')]).toEqual([true, 'notes']);
});

test('a file in the place of a folder above is moved away', async () => {
  const parent = newPath();
  writeFileSync(parent, 'notes');
  const path = join(parent, 'state');
  follow(await refusal(path), /^mv/);
  await (await opening(path)).close();
  expect(existsSync(join(path, 'sandboxes'))).toBe(true);
});

test('a file in the place of the folder of sandboxes is moved away, and nothing else is', async () => {
  const path = newPath();
  mkdirSync(path);
  writeFileSync(join(path, 'sandboxes'), 'notes');
  writeFileSync(join(path, 'mine.txt'), 'mine');
  follow(await refusal(path), /^mv/);
  await (await opening(path)).close();
  expect(readFileSync(join(path, 'mine.txt'), 'utf8')).toBe('mine');
});

test('what is put back from a backup is as it was', async () => {
  const path = await folded();
  const backup = join(folder(), 'backup');
  flip(fileOf(path, 'snapshot-2.json'));
  const { message } = await damageOf(path);
  expect(message).toContain(`put ${join(path, 'sandboxes/stage')} back from a backup`);
  renameSync(join(path, 'sandboxes/stage'), backup);
  flip(join(backup, 'snapshot-2.json'));
  renameSync(backup, join(path, 'sandboxes/stage'));
  expect(await stateOf(path)).toEqual(whole);
});

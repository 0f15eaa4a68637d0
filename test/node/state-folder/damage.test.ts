// What is no prefix of what was written is damage, whatever it is: it ends with 78, says what is wrong and three ways out, and changes nothing.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lineOf } from '../../../src/node/state-folder/line.ts';
import { built, call, cleanEnvironment, folder, logIn, sachet, serving } from '../../support/command.ts';
import { stageOver } from '../../support/harsh-sandboxes.ts';
import {
  commandsIn,
  damageOf,
  early,
  fileOf,
  filesOf,
  folded,
  follow,
  late,
  marked,
  newPath,
  stateOf,
  within,
} from '../../support/stored-states.ts';

const marks = ['one', 'two', 'three', 'four'];

/** A log's lines, the first one its heading, made others. */
function relined(file: string, change: (lines: string[]) => string[]): void {
  const lines = readFileSync(file, 'latin1').split(/(?<=\n)/);
  writeFileSync(file, change(lines).join(''), 'latin1');
}

test.each<readonly [string, (lines: string[]) => string[], RegExp]>([
  [
    'two lines swapped',
    ([head = '', one = '', two = '', ...rest]) => [head, two, one, ...rest],
    /version 3 follows version 1/,
  ],
  [
    'its last two lines swapped',
    (lines) => [...lines.slice(0, -2), ...lines.slice(-2).reverse()],
    /version 5 follows version 3/,
  ],
  ['a line removed in the middle', (lines) => lines.toSpliced(2, 1), /line 3, .*version 4 follows version 2/],
  ['a line doubled', (lines) => lines.toSpliced(2, 0, lines[2] ?? ''), /line 4, .*version 3 follows version 3/],
  ['its first lines again at its end', (lines) => [...lines, ...lines.slice(1, 3)], /version 2 follows version 5/],
  ['no heading', (lines) => lines.slice(1), /line 1, .*does not say that it is state/],
  ['its heading twice', (lines) => [lines[0] ?? '', ...lines], /line 2/],
  ['an empty line', (lines) => lines.toSpliced(3, 0, '\n'), /line 4, .*does not begin with a length/],
  ['bytes of something else behind it', (lines) => [...lines, 'xyz'], /line 6, .*does not begin with a length/],
  ['lines of something else behind it', (lines) => [...lines, '3 00000000 xyz\n'], /line 6, .*it begins with/],
  ['a line that is no change, with its checksum', (lines) => [...lines, `${lineOf('{}')}`], /line 6/],
  ['a line without a payload, with its checksum', (lines) => [...lines, `${lineOf('')}`], /line 6/],
  ['a line that is null, with its checksum', (lines) => [...lines, `${lineOf('null')}`], /line 6/],
  ['a heading that is null, with its checksum', (lines) => [`${lineOf('null')}`, ...lines.slice(1)], /line 1/],
])('a change log with %s is damage', async (_, change, words) => {
  const path = await marked(marks);
  relined(fileOf(path, 'changes-1.log'), change);
  expect((await damageOf(path)).message).toMatch(words);
});

test.each(['\0', '\n', ' ', '{}', '\0\0\0\n'])('a snapshot with %j behind its end is damage', async (tail) => {
  const path = await marked(marks);
  appendFileSync(fileOf(path, 'snapshot-1.json'), tail);
  expect((await damageOf(path)).message).toContain('snapshot-1.json: it is cut off, or has bytes behind its end');
});

test.each(['changes-1.log', 'snapshot-1.json'])(
  '%s of one sandbox in the place of that of another is damage',
  async (name) => {
    const path = await marked(marks);
    await marked(marks, { path, name: 'other' });
    const [here, there, aside] = [fileOf(path, name), fileOf(path, name, 'other'), fileOf(path, 'aside')];
    renameSync(here, aside);
    renameSync(there, here);
    renameSync(aside, there);
    expect((await damageOf(path)).message).toMatch(new RegExp(`${name}: .*it is of the sandbox "(?:other|stage)"`));
  },
);

test.each(['snapshot-N.json', 'changes-N.log'])(
  'a %s of one generation under the name of another is damage',
  async (name) => {
    const path = await folded();
    const [first, second] = [1, 2].map((n) => fileOf(path, name.replace('N', `${n}`)));
    copyFileSync(first ?? '', second ?? '');
    expect((await damageOf(path)).message).toContain('it is number 1');
  },
);

test('a log that goes on from a later version than its snapshot has is damage', async () => {
  const path = await folded();
  const [kept, damaged] = ['changes-2.log', 'snapshot-2.json'].map((name) => fileOf(path, name));
  const bytes = readFileSync(kept ?? '');
  rmSync(damaged ?? '');
  rmSync(fileOf(path, 'changes-1.log'));
  writeFileSync(fileOf(path, 'changes-1.log'), lineOf('{"sachet_state_folder":1,"sandbox":"stage","generation":1}'));
  writeFileSync(kept ?? '', bytes);
  expect((await damageOf(path)).message).toMatch(/changes-2\.log: line 2, .* follows version 1/);
});

test('a missing file of a generation is damage, or the one before says the same', async () => {
  const path = await folded();
  const files = filesOf(path);
  rmSync(fileOf(path, 'changes-2.log'));
  expect((await damageOf(path)).message).toContain('changes-2.log is missing');
  rmSync(fileOf(path, 'snapshot-2.json'));
  rmSync(fileOf(path, 'snapshot-1.json'));
  expect((await damageOf(path)).message).toContain('has change logs and no snapshot that they go on from');
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(path, name), bytes, 'latin1');
  rmSync(fileOf(path, 'snapshot-2.json'));
  expect(await stateOf(path)).toEqual({ stage: { version: 5, marks: [...early, ...late] } });
});

test('damage of the last of many sandboxes leaves the others as they were, cuts and all', async () => {
  const path = await marked(marks);
  for (const name of ['aaa', 'mmm', 'zzz']) {
    await marked(marks, { path, name });
    const file = fileOf(path, 'changes-1.log', name);
    writeFileSync(file, readFileSync(file).subarray(0, -5));
  }
  for (const name of ['aaa', 'mmm', 'stage', 'zzz']) {
    const file = fileOf(path, 'snapshot-1.json', name);
    const bytes = readFileSync(file);
    writeFileSync(file, 'x');
    expect((await damageOf(path)).message, name).toContain(`sandboxes/${name}/snapshot-1.json`);
    writeFileSync(file, bytes);
  }
});

test('a file in the place of a sandbox is damage', async () => {
  const path = await marked(marks);
  writeFileSync(join(path, 'sandboxes/other'), 'notes');
  expect((await damageOf(path)).message).toContain('sandboxes/other');
});

test('a folder in the place of a file is damage', async () => {
  for (const name of ['changes-1.log', 'snapshot-1.json']) {
    const path = await marked(marks);
    rmSync(fileOf(path, name));
    mkdirSync(fileOf(path, name));
    expect((await damageOf(path)).message).toContain('sandboxes/stage');
  }
});

/** Starts the command over a folder, which it refuses: with 78, on standard error alone. */
async function refused(path: string): Promise<string> {
  const running = sachet(['--port', '0', '--json', '--state', path]);
  expect([await running.ended(), running.stdout]).toEqual([78, '']);
  expect(running.stderr).toMatch(
    /^sachet: the state cannot be used: .*\nNothing was changed\. Three ways out:\n {2}1\. .*\n {2}2\. .*\n {2}3\. .*\n$/,
  );
  return running.stderr;
}

test('the command ends with 78 for damage, and leaves the folder as it was', async () => {
  const path = await marked(marks);
  const file = fileOf(path, 'changes-1.log');
  relined(file, (lines) => lines.toSpliced(2, 1));
  const before = filesOf(path);
  expect(await refused(path)).toContain(`${file}: line 3, at byte`);
  expect(filesOf(path)).toEqual(before);
});

test('the command ends with 78 for a file in the place of the folder, or of one above', async () => {
  const path = newPath();
  writeFileSync(path, 'notes');
  expect(await refused(path)).toContain(path);
  expect(await refused(join(path, 'state/deeper'))).toContain(join(path, 'state/deeper'));
  expect(readFileSync(path, 'utf8')).toBe('notes');
});

test('the command ends with 78 for state of a newer format, and says which', async () => {
  const path = await marked(marks);
  const newer = lineOf('{"sachet_state_folder":7,"sandbox":"stage","generation":1}');
  relined(fileOf(path, 'changes-1.log'), (lines) => [`${newer}`, ...lines.slice(1)]);
  const words = await refused(path);
  expect(words).toContain('written by a newer Sachet, in format 7; this one reads formats up to 1');
  expect(words).toContain('run the Sachet that wrote it');
});

test('a snapshot of a newer format is known for it, whatever else it has', async () => {
  const path = await marked(marks);
  const heading = '{"sachet_state_folder":7,"sandbox":"stage","generation":1,"version":1,"rows":[';
  writeFileSync(fileOf(path, 'snapshot-1.json'), `${heading}\n1,2\n],"sha256":"00"}\n`);
  expect((await damageOf(path)).message).toContain('written by a newer Sachet, in format 7');
});

test('an empty folder is a new one, and what others have in it is left alone', async () => {
  const path = folder({ 'notes.txt': 'mine', 'changes-1.log': 'mine', 'snapshot-1.json.tmp': 'mine' });
  mkdirSync(join(path, 'photos'));
  writeFileSync(join(path, 'photos/.new-stage'), 'mine');
  const server = await serving(['--state', path]);
  const token = await logIn(server.ready);
  expect((await call('GET', `${server.ready.url}/v2/orders`, { token })).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended()).toBe(0);
  const files = filesOf(path);
  const mine = Object.keys(files).filter((name) => files[name] === 'mine');
  expect(mine).toEqual(['changes-1.log', 'notes.txt', 'photos/.new-stage', 'snapshot-1.json.tmp']);
  expect(existsSync(fileOf(path, 'snapshot-1.json'))).toBe(true);
  const empty = await serving(['--state', folder()]);
  expect(empty.stderr).not.toContain('state:');
});

const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const lacks = 'only root can start another user';

/** The command as a user who has nothing here. */
const argumentsFor = (path: string): string[] => [built(), '--port', '0', '--json', '--state', path];

function refusedNobody(path: string): string {
  const options = { ...nobody, env: cleanEnvironment(), encoding: 'utf8', timeout: 20_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, argumentsFor(path), options);
  expect([status, stdout], stderr).toEqual([78, '']);
  return stderr;
}

async function startsForNobody(path: string): Promise<void> {
  const child = spawn(process.execPath, argumentsFor(path), { ...nobody, env: cleanEnvironment() });
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = await Promise.race([
    once(child.stdout, 'data').then(([text]) => `${text}`),
    ended.then(() => 'it ended'),
  ]);
  child.kill('SIGTERM');
  await ended;
  expect(said).toContain('"url"');
}

/** A folder to be made where anybody may pass through. */
function passable(): string {
  const path = folder();
  chmodSync(path, 0o755);
  return join(path, "it's here");
}

/** State as the command keeps it, of root. */
async function served(): Promise<string> {
  const path = passable();
  await within(path, stageOver);
  return path;
}

test.skipIf(!isRoot)(`a folder of somebody else ends with 78, and is let in by the way out (${lacks})`, async () => {
  const path = await served();
  chmodSync(path, 0o700);
  const words = refusedNobody(path);
  expect(words).toContain(`${path}: EACCES`);
  follow(words, /^chown -R 65534 /);
  await startsForNobody(path);
});

test.skipIf(!isRoot)(`a file that may not be read ends with 78, which names it (${lacks})`, async () => {
  const path = await served();
  spawnSync('chown', ['-R', '65534', path]);
  spawnSync('chown', ['root', fileOf(path, 'snapshot-1.json')]);
  expect(refusedNobody(path)).toContain(fileOf(path, 'snapshot-1.json'));
  follow(refusedNobody(path), /^chown -R 65534 /);
  await startsForNobody(path);
});

test.skipIf(!isRoot)(`a folder that may not be made ends with 78, and is made by the way out (${lacks})`, async () => {
  const path = passable();
  const words = refusedNobody(path);
  expect(commandsIn(words)).not.toEqual([]);
  follow(words, /chown -R 65534 /);
  await startsForNobody(path);
});

// Each byte of a sandbox's files, tried: a change log that is cut is a prefix, and any other byte than was written is damage.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { damageOf, fileOf, filesOf, folded, goOn, marked, restore, stateOf } from '../../support/stored-states.ts';

const marks = ['one', 'two'];

/** Where the lines of a log end, in bytes; the first one is its heading. */
const lineEnds = (log: Buffer): number[] => [...log.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));

/** The byte with one of its bits turned, another one from byte to byte, and with all of them turned. */
const flips = (byte: number, at: number): number[] => [byte ^ (1 << (at % 8)), byte ^ 0xff];

function withByte(bytes: Buffer, at: number, byte: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = byte;
  return changed;
}

/** What is told of a log of this size, whose lines end there. */
function noticeOf(size: number, ends: readonly number[], version: number): string[] {
  if (ends.includes(size)) return [];
  const left = size - Math.max(0, ...ends.filter((end) => end <= size));
  const end = size === 0 ? 'is empty' : `ends in the middle of a change, of which ${left} bytes are left out`;
  return [`state: the log of "stage" ${end}: it goes on from version ${version}`];
}

test('a change log that is cut anywhere is a prefix: a notice tells of it, and what is written next stands', async () => {
  const path = await marked(marks);
  const [files, file] = [filesOf(path), fileOf(path, 'changes-1.log')];
  const log = readFileSync(file);
  const ends = lineEnds(log);
  for (let size = 0; size < log.length; size += 1) {
    restore(path, files);
    writeFileSync(file, log.subarray(0, size));
    const version = Math.max(1, ends.filter((end) => end <= size).length);
    const kept = marks.slice(0, version - 1);
    const told: string[] = [];
    const tell = (words: string) => void told.push(words);
    expect(await stateOf(path, { tell }), `cut at ${size}`).toEqual({ stage: { version, marks: kept } });
    expect(told, `cut at ${size}`).toEqual(noticeOf(size, ends, version));
    await goOn(path, ['next'], { tell });
    const after = { stage: { version: version + 1, marks: [...kept, 'next'] } };
    expect(await stateOf(path, { tell }), `cut at ${size}`).toEqual(after);
    expect(told.length, `cut at ${size}`).toBeLessThan(2);
  }
});

test('a line that is cut and goes on in NULs, as a loss of power may leave it, is a cut', async () => {
  const path = await marked(marks);
  const file = fileOf(path, 'changes-1.log');
  const log = readFileSync(file);
  const [begin = 0] = lineEnds(log).slice(-2);
  for (let size = begin; size < log.length - 1; size += 1) {
    writeFileSync(file, Buffer.concat([log.subarray(0, size), Buffer.alloc(size % 2 === 0 ? 1 : 5000)]));
    expect(await stateOf(path), `cut at ${size}`).toEqual({ stage: { version: 2, marks: ['one'] } });
    expect(readFileSync(file).length, `cut at ${size}`).toBe(begin);
  }
});

test('a last line that is whole and has no end is cut off, with another byte for its end it is damage', async () => {
  const path = await marked(marks);
  const file = fileOf(path, 'changes-1.log');
  const log = readFileSync(file);
  for (const byte of [0x0b, 0x0d, 0x20, 0x30, 0x41, 0x66, 0x7d, 0xf5, 0xff]) {
    writeFileSync(file, withByte(log, log.length - 1, byte));
    expect((await damageOf(path)).message, `with ${byte}`).toContain('changes-1.log: line 3, at byte');
  }
  // NUL is what a loss of power leaves where nothing was written.
  for (const end of [Buffer.alloc(0), Buffer.alloc(1), Buffer.alloc(600)]) {
    writeFileSync(file, Buffer.concat([log.subarray(0, -1), end]));
    expect(await stateOf(path), `${end.length} NULs`).toEqual({ stage: { version: 2, marks: ['one'] } });
  }
});

test.each(['changes-1.log', 'snapshot-1.json'])(
  '%s with a bit flipped anywhere, or a whole byte, is damage',
  async (name) => {
    const path = await marked(marks);
    const file = fileOf(path, name);
    const bytes = readFileSync(file);
    for (const [at, byte] of bytes.entries())
      for (const flipped of flips(byte, at)) {
        writeFileSync(file, withByte(bytes, at, flipped));
        expect((await damageOf(path)).message, `byte ${at} is ${flipped}`).toContain(name);
      }
  },
);

test('a snapshot that is cut anywhere is damage', async () => {
  const path = await marked(marks);
  const file = fileOf(path, 'snapshot-1.json');
  const bytes = readFileSync(file);
  for (let size = 0; size < bytes.length; size += 1) {
    writeFileSync(file, bytes.subarray(0, size));
    expect((await damageOf(path)).message, `cut at ${size}`).toContain('snapshot-1.json: ');
  }
});

test.each(['changes-1.log', 'snapshot-1.json'])('%s with a byte more or less in its middle is damage', async (name) => {
  const path = await marked(marks);
  const file = fileOf(path, name);
  const bytes = readFileSync(file);
  for (const at of bytes.subarray(0, -1).keys()) {
    writeFileSync(file, Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]));
    expect((await damageOf(path)).message, `without byte ${at}`).toContain(name);
    const more = ['7', '\n', '\0'][at % 3] ?? '';
    writeFileSync(file, Buffer.concat([bytes.subarray(0, at), Buffer.from(more), bytes.subarray(at)]));
    expect((await damageOf(path)).message, `with ${JSON.stringify(more)} at ${at}`).toContain(name);
  }
});

test('a log that a fold has gone on from may be cut only where the next one has nothing', async () => {
  const path = await folded();
  const [first, next] = [fileOf(path, 'changes-1.log'), fileOf(path, 'changes-2.log')];
  const cut = readFileSync(first).subarray(0, -3);
  const heading = readFileSync(next).subarray(0, lineEnds(readFileSync(next))[0]);
  restore(path, without(filesOf(path), 'sandboxes/stage/snapshot-2.json'));
  writeFileSync(first, cut);
  expect((await damageOf(path)).message).toContain('changes-2.log');
  writeFileSync(next, heading);
  expect(await stateOf(path)).toEqual({ stage: { version: 2, marks: ['one'] } });
  writeFileSync(first, cut);
  await goOn(path, ['next']);
  expect(await stateOf(path)).toEqual({ stage: { version: 3, marks: ['one', 'next'] } });
});

function without(files: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([each]) => each !== name));
}

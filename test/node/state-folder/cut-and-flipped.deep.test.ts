// Each byte of a sandbox's files, tried: a change log that is cut is a prefix, and any other byte than was written is damage.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { damageOf, documentOf, filesOf, goOn, logOf, marked, restore, stateOf } from '../../support/stored-states.ts';

const marks = ['one', 'two'];

const fileIn = (path: string, name: string): string => (name === 'changes.log' ? logOf(path) : documentOf(path));

/** Where the lines of a log end, in bytes. */
const lineEnds = (log: Buffer): number[] => [...log.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));

/** The byte with one of its bits turned, another one from byte to byte, and with all of them turned. */
const flips = (byte: number, at: number): number[] => [byte ^ (1 << (at % 8)), byte ^ 0xff];

function withByte(bytes: Buffer, at: number, byte: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = byte;
  return changed;
}

/** What is told of a log of this size, whose lines end there. */
function noticeOf(size: number, ends: readonly number[]): string[] {
  if (size === 0 || ends.includes(size)) return [];
  const left = size - Math.max(0, ...ends.filter((end) => end <= size));
  return [`state: changes.log ends in the middle of a change; its ${left} bytes are ignored`];
}

test('a change log that is cut anywhere is a prefix: a notice tells of it, and what is written next stands', async () => {
  const path = await marked(marks);
  const [files, file] = [filesOf(path), logOf(path)];
  const log = readFileSync(file);
  const ends = lineEnds(log);
  for (let size = 0; size < log.length; size += 1) {
    restore(path, files);
    writeFileSync(file, log.subarray(0, size));
    const version = 1 + ends.filter((end) => end <= size).length;
    const kept = marks.slice(0, version - 1);
    const told: string[] = [];
    const notify = (words: string) => void told.push(words);
    expect(await stateOf(path, { notify }), `cut at ${size}`).toEqual({ stage: { version, marks: kept } });
    expect(told, `cut at ${size}`).toEqual(noticeOf(size, ends));
    await goOn(path, ['next'], { notify });
    const after = { stage: { version: version + 1, marks: [...kept, 'next'] } };
    expect(await stateOf(path, { notify }), `cut at ${size}`).toEqual(after);
    expect(told.length, `cut at ${size}`).toBeLessThan(2);
  }
});

test('a line that is cut and goes on in NULs, as a loss of power may leave it, is a cut', async () => {
  const path = await marked(marks);
  const [files, file] = [filesOf(path), logOf(path)];
  const log = readFileSync(file);
  const [begin = 0] = lineEnds(log);
  for (let size = begin; size < log.length - 1; size += 1) {
    restore(path, files);
    writeFileSync(file, Buffer.concat([log.subarray(0, size), Buffer.alloc(size % 2 === 0 ? 1 : 5000)]));
    expect(await stateOf(path), `cut at ${size}`).toEqual({ stage: { version: 2, marks: ['one'] } });
  }
});

test('a last line that is whole and has no end is cut off, with another byte for its end it is damage', async () => {
  const path = await marked(marks);
  const [files, file] = [filesOf(path), logOf(path)];
  const log = readFileSync(file);
  for (const byte of [0x0b, 0x0d, 0x20, 0x30, 0x41, 0x66, 0x7d, 0xf5, 0xff]) {
    writeFileSync(file, withByte(log, log.length - 1, byte));
    expect((await damageOf(path)).message, `with ${byte}`).toContain('changes.log: line 2, at byte');
  }
  // NUL is what a loss of power leaves where nothing was written.
  for (const end of [Buffer.alloc(0), Buffer.alloc(1), Buffer.alloc(600)]) {
    restore(path, files);
    writeFileSync(file, Buffer.concat([log.subarray(0, -1), end]));
    expect(await stateOf(path), `${end.length} NULs`).toEqual({ stage: { version: 2, marks: ['one'] } });
  }
});

test.each(['changes.log', 'stage.json'])('%s with a bit flipped anywhere, or a whole byte, is damage', async (name) => {
  const path = await marked(marks);
  const file = fileIn(path, name);
  const bytes = readFileSync(file);
  for (const [at, byte] of bytes.entries())
    for (const flipped of flips(byte, at)) {
      writeFileSync(file, withByte(bytes, at, flipped));
      expect((await damageOf(path)).message, `byte ${at} is ${flipped}`).toContain(name);
    }
});

test('a document that is cut anywhere is damage', async () => {
  const path = await marked(marks);
  const file = documentOf(path);
  const bytes = readFileSync(file);
  for (let size = 0; size < bytes.length; size += 1) {
    writeFileSync(file, bytes.subarray(0, size));
    expect((await damageOf(path)).message, `cut at ${size}`).toContain('stage.json: ');
  }
});

test.each(['changes.log', 'stage.json'])('%s with a byte more or less in its middle is damage', async (name) => {
  const path = await marked(marks);
  const file = fileIn(path, name);
  const bytes = readFileSync(file);
  for (const at of bytes.subarray(0, -1).keys()) {
    writeFileSync(file, Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]));
    expect((await damageOf(path)).message, `without byte ${at}`).toContain(name);
    const more = ['7', '\n', '\0'][at % 3] ?? '';
    writeFileSync(file, Buffer.concat([bytes.subarray(0, at), Buffer.from(more), bytes.subarray(at)]));
    expect((await damageOf(path)).message, `with ${JSON.stringify(more)} at ${at}`).toContain(name);
  }
});

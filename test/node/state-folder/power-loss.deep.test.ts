// A power loss or a kill at any operation: acknowledged writes are there, others are there whole or not at all. Any byte of the
// files may be cut or changed: a cut log is a prefix, everything else is damage.
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  addMarks,
  damageOf,
  documentOf,
  filesOf,
  logOf,
  marked,
  restore,
  stateOf,
  stateOn,
  TrackedSandbox,
} from './sandboxes-in-files.ts';
import { SimulatedDisk, seeded } from './simulated-disk.ts';

describe('at any operation, with --sync', () => {
  afterEach(() => void vi.useRealTimers());

  /** The size of a write, or null for a removal. */
  const action = fc.option(fc.nat({ max: 150 }), { freq: 9 });
  /** What three sandboxes do at the same time, and whether the writes get time to become durable. */
  const round = fc.record({
    actions: fc.array(fc.array(action, { maxLength: 6 }), { maxLength: 3 }),
    waits: fc.boolean(),
  });
  const life = fc.record({
    rounds: fc.array(round, { minLength: 1, maxLength: 5 }),
    lastOperation: fc.integer({ min: 1, max: 200 }),
    at: fc.constantFrom('before' as const, 'partly' as const, 'after' as const),
    seed: fc.nat(),
  });
  const lives = fc.array(life, { minLength: 2, maxLength: 4 });
  type Rounds = (typeof life extends fc.Arbitrary<infer Life> ? Life : never)['rounds'];

  async function run(disk: SimulatedDisk, sync: 'always' | 'interval', all: readonly TrackedSandbox[], rounds: Rounds) {
    const store = await stateOn(disk, { sync });
    for (const sandbox of all) await sandbox.compare(store);
    for (const { actions, waits } of rounds) {
      const act = async (sandbox: TrackedSandbox, index: number) => {
        for (const size of actions[index] ?? [])
          if (size === null) await sandbox.remove(store);
          else await sandbox.write(store, size);
      };
      await Promise.all(all.map(act));
      if (!waits) continue;
      await vi.advanceTimersByTimeAsync(500);
      await disk.idle();
      if (!disk.isStopped) for (const sandbox of all) sandbox.markDurable();
    }
  }

  test.each([
    ['always', 'powerLoss'],
    ['interval', 'powerLoss'],
    ['always', 'killed'],
    ['interval', 'killed'],
  ] as const)('%s: %s', async (sync, end) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const survives = async (drawn: typeof lives extends fc.Arbitrary<infer Lives> ? Lives : never) => {
      const durable = end === 'killed' ? 'always' : sync;
      const all = ['one', 'two', 'three'].map((name) => new TrackedSandbox(name, durable));
      let disk = new SimulatedDisk();
      for (const { rounds, lastOperation, at, seed } of drawn) {
        disk.fates = ({ number }) => (number === lastOperation ? { at, with: 'stop' } : undefined);
        await Promise.race([run(disk, sync, all, rounds), disk.stopped]);
        vi.clearAllTimers();
        disk = disk[end](seeded(seed));
      }
      const store = await stateOn(disk, { sync });
      for (const sandbox of all) await sandbox.compare(store);
    };
    await fc.assert(fc.asyncProperty(lives, survives), { numRuns: 100 });
  });
});

const marks = ['one', 'two'];
const withByte = (bytes: Buffer, at: number, byte: number): Buffer => Buffer.from(bytes).fill(byte, at, at + 1);

test('a log that is cut anywhere is a prefix: a notice reports the cut, and writing goes on', async () => {
  const path = await marked(marks);
  const files = filesOf(path);
  const log = readFileSync(logOf(path));
  const ends = [...log.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
  // Every third byte, and those around the ends of lines.
  const isTried = (size: number) => size % 3 === 0 || ends.some((end) => Math.abs(end - size) < 3);
  for (const size of Array.from(log.keys()).filter(isTried)) {
    restore(path, files);
    writeFileSync(logOf(path), log.subarray(0, size));
    const whole = ends.filter((end) => end <= size);
    const left = size - (whole.at(-1) ?? 0);
    const kept = marks.slice(0, whole.length);
    const notes: string[] = [];
    const notify = (text: string) => void notes.push(text);
    const version = 1 + kept.length;
    expect(await stateOf(path, { notify }), `cut at ${size}`).toEqual({ stage: { version, marks: kept } });
    expect(notes, `cut at ${size}`).toEqual(
      left === 0 ? [] : [`state: changes.log ends in the middle of a change; its ${left} bytes are ignored`],
    );
    await addMarks(path, ['next'], { notify });
    const after = { stage: { version: version + 1, marks: [...kept, 'next'] } };
    expect(await stateOf(path), `cut at ${size}`).toEqual(after);
    expect(notes.length, `cut at ${size}`).toBeLessThan(2);
    // A power loss may also leave NUL in place of the bytes that are missing.
    restore(path, files);
    writeFileSync(logOf(path), Buffer.concat([log.subarray(0, size), Buffer.alloc(size % 2 === 0 ? 1 : 5000)]));
    expect(await stateOf(path), `NUL after ${size}`).toEqual({ stage: { version, marks: kept } });
  }
});

test.each(['changes.log', 'stage.json'])('%s with any byte changed, added or removed is damage', async (name) => {
  const path = await marked(marks);
  const file = name === 'changes.log' ? logOf(path) : documentOf(path);
  const bytes = readFileSync(file);
  const expectDamage = async (changed: Buffer, what: string) => {
    writeFileSync(file, changed);
    expect(await damageOf(path), what).toContain(name);
  };
  for (const [at, byte] of bytes.entries()) {
    await expectDamage(withByte(bytes, at, byte ^ (1 << (at % 8))), `bit ${at % 8} of byte ${at} flipped`);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    if (at === bytes.length - 1) continue;
    await expectDamage(Buffer.concat([before, after.subarray(1)]), `without byte ${at}`);
    const more = ['7', '\n', '\0'][at % 3] ?? '';
    await expectDamage(Buffer.concat([before, Buffer.from(more), after]), `${JSON.stringify(more)} before byte ${at}`);
    if (name === 'stage.json') await expectDamage(before, `cut at ${at}`);
  }
});

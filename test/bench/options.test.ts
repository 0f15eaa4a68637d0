// The command lines of the benchmark, and what is said of wrong ones.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { benchModule } from './support.ts';

interface Options {
  readOptions(args: string[]): { isQuick: boolean; jsonFile?: string; measurements: { name: string }[] };
  needWritable(file: string): void;
}
interface Command {
  readonly UsageError: new (message: string) => Error;
  runCommand(usage: string, main: (args: string[]) => void, args: string[]): Promise<void>;
}

const { readOptions, needWritable } = await benchModule<Options>('options.mjs');
const { runCommand, UsageError } = await benchModule<Command>('command.mjs');
const namesOf = (...args: string[]) => readOptions(args).measurements.map(({ name }) => name);

describe('the measurements', () => {
  test('are all, those of --quick, or those that are named', () => {
    expect(namesOf()).toContain('prism');
    expect(namesOf('--quick')).not.toContain('prism');
    expect(namesOf('--only', 'start,orders')).toEqual(['orders', 'start']);
    expect(namesOf('--quick', '--only', 'start')).toEqual(['start']);
  });

  test.each([
    [['--only', 'orders, start'], 'joined by commas without spaces'],
    [['--only', 'orders,', 'start'], '"start" belongs to no option'],
    [['--only', 'orders,,start'], '--only "orders,,start": a name is empty'],
    [['--only='], 'a name is empty'],
    [['--only', 'speed'], 'there is no measurement "speed"'],
    [['--quick', '--only', 'prism'], 'prism is not part of --quick'],
    [['--fast'], "Unknown option '--fast'"],
  ])('%j is refused', (args, words) => {
    expect(() => readOptions(args)).toThrow(words);
    expect(() => readOptions(args)).toThrow(UsageError);
  });
});

test('a file that cannot be written is refused before the measuring, and one that can is not made', () => {
  expect(() => needWritable(tmpdir())).toThrow(UsageError);
  expect(() => needWritable('/nowhere/x.json')).toThrow('--json "/nowhere/x.json" cannot be written');
  const file = join(tmpdir(), `sachet-options-${process.pid}.json`);
  needWritable(file);
  expect(existsSync(file)).toBe(false);
});

describe('a command', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    process.exitCode = undefined;
  });
  const failing = (error: Error) => () => {
    throw error;
  };

  test.each(['--help', '-h'])('tells its usage by %s, and does nothing', async (flag) => {
    const told = vi.spyOn(console, 'log').mockReturnValue();
    await runCommand('usage: it', failing(new Error('run')), [flag]);
    expect(told).toHaveBeenCalledExactlyOnceWith('usage: it');
    expect(process.exitCode).toBeUndefined();
  });

  test.each([
    [new UsageError('wrong'), 'bench: wrong\nusage: it', 2],
    [new Error('broken'), 'bench: broken', 1],
  ])('ends by %s', async (error, words, code) => {
    const told = vi.spyOn(console, 'error').mockReturnValue();
    await runCommand('usage: it', failing(error), []);
    expect(told).toHaveBeenCalledExactlyOnceWith(words);
    expect(process.exitCode).toBe(code);
  });
});

// A command that stands behind `--`, so that its own flags are its own.
import type { Option } from 'commander';
import { UsageError } from '../stores/errors.ts';

/**
 * The words behind `--`; none where there is none.
 * @param words what a command of Sachet was given as arguments
 * @param form how it is given rightly, in words
 * @param options those of the command: of one that needs a value, `--` is none
 * @throws UsageError for a word before it
 */
export function behindDashes(
  words: readonly string[],
  form: string,
  options: readonly Option[] = [],
): readonly string[] {
  const at = process.argv.indexOf('--');
  const before = process.argv[at - 1] ?? '';
  if (options.some((option) => option.required && [option.short, option.long].includes(before)))
    throw new UsageError(`option '${before}' needs a value before --; ${form}`);
  const command = at < 0 ? [] : process.argv.slice(at + 1);
  const [stray] = words.slice(0, words.length - command.length);
  if (stray?.startsWith('-')) throw new UsageError(`unknown option '${stray}'; ${form}`);
  if (stray !== undefined) throw new UsageError(`"${stray}" stands before --; ${form}`);
  return command;
}

// Settings on the command line: `name=value` words or one JSON object, and the same words of an object for people.
import { Argument, InvalidArgumentError } from 'commander';
import { toIsoDuration } from '../../../contract/control/clock.ts';
import { UsageError } from '../../../system/exit-errors.ts';

type Settings = Record<string, unknown>;

/** Without a prototype, so that no name has a meaning of its own. */
const emptySettings = (): Settings => Object.create(null);

export const settingsArgument = (): Argument => new Argument('[settings...]', 'name=value words, or one JSON object');

/**
 * Reads `name=value` words, or one JSON object. A dot in a name leads into a nested object. A value is JSON if it can be
 * parsed as JSON, otherwise text.
 * @throws UsageError
 * @typeParam T what the call takes; the server validates it
 * @example readSettings(['burst=1', 'match.operation=orders.create']) // { burst: 1, match: { operation: 'orders.create' } }
 */
export function readSettings<T = Settings>(words: readonly string[]): T {
  const [first = ''] = words;
  if (words.length === 1 && first.trimStart().startsWith('{')) return parseJson(first, 'the settings object');
  const settings = emptySettings();
  for (const word of words) {
    const [, path = '', value = ''] = /^([^=\s]+)=(.*)$/s.exec(word) ?? [];
    if (!path)
      throw new UsageError(`"${word}" is not a setting; write name=value, such as burst=3, or one JSON object`);
    setAt(settings, path, readValue(path, value));
  }
  return settings as T;
}

function setAt(settings: Settings, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = settings;
  for (const name of names) {
    place[name] ??= emptySettings();
    if (typeof place[name] !== 'object') throw new UsageError(`"${path}" is set twice, in different ways`);
    place = place[name] as Settings;
  }
  if (last in place) throw new UsageError(`"${path}" is set twice`);
  place[last] = value;
}

/** Text that begins like a list or an object must be one. */
function readValue(name: string, text: string): unknown {
  if (/^\s*[[{]/.test(text)) return parseJson(text, `the value of ${name}`);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parseJson<T>(text: string, what: string): T {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not valid JSON: ${(error as Error).message}; quote it for your shell`);
  }
}

/** The inverse of `readSettings`. @example settingWords({ match: { method: 'GET' } }) // 'match.method=GET' */
export const settingWords = (settings: object, prefix = ''): string =>
  Object.entries(settings)
    .map(([name, value]) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return settingWords(value, `${prefix}${name}.`);
      return `${prefix}${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
    })
    .join(' ');

/**
 * An ISO 8601 duration, also from a text for people such as `1h30m` or `90 minutes`.
 * @throws InvalidArgumentError
 */
export function readDuration(text: string): string {
  const duration = toIsoDuration(text);
  if (duration !== undefined) return duration;
  if (/^[\d.]+$/.test(text))
    throw new InvalidArgumentError(`"${text}" has no unit. Use ${text}s, ${text}m, ${text}h, ${text}d or ${text}w.`);
  throw new InvalidArgumentError(`"${text}" is not a duration. Use 90s, 15m, 2h, 1d or 1h30m, or ISO 8601: PT15M.`);
}

// What a client has printed, to be shown among the lines of a report: without colours, without secrets.
import { isSecretName, jsonWebToken } from '../journal/redaction.ts';
import { printable } from './printable.ts';

/** Colours, as most programs print them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const colours = /\u001b\[[\d;]*m/g;

/** Its lines without colours; nothing in them moves the cursor. */
export const plainOutput = (text: string): string =>
  text
    .replace(colours, '')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n');

/** Anything shorter stands in every text. */
const leastCharacters = 4;
const put = '[redacted]';

/** What stands behind an Authorization's scheme. */
const credentials = /\b((?:bearer|basic)\s+)[^\s"',;]+/gi;
/** A name, and the value that it is given. */
const assignment = /([a-z][\w.-]{0,99})(["']?\s*[=:]\s*)(?:"[^"\n]*"|'[^'\n]*'|[^\s"',;&}]+)/gi;

/** By its last word: so `access_token` and `X-Api-Key` are names of secrets, and `TokenExpiredError` is none. */
const namesSecret = (name: string): boolean =>
  isSecretName(name.split(/[^a-zA-Z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).at(-1) ?? '');

export type Harmless = (text: string) => string;

/** Gives what takes these secrets, and whatever looks like one, out of a text. */
export function withoutSecrets(secrets: readonly string[]): Harmless {
  const known = secrets.filter(({ length }) => length >= leastCharacters);
  return (text) =>
    known
      .reduce((last, secret) => last.replaceAll(secret, put), text)
      .replaceAll(jsonWebToken, put)
      .replaceAll(credentials, `$1${put}`)
      .replaceAll(assignment, (all: string, name: string, sign: string) =>
        namesSecret(name) ? `${name}${sign}${put}` : all,
      );
}

/** The words of a command without their secrets: what stands behind a flag such as `--api-key`, too. */
export const harmlessWords = (words: readonly string[], harmless: Harmless): string[] =>
  words.map((word, index) => (isSecretFlag(words[index - 1]) ? put : harmless(word)));

const isSecretFlag = (word = ''): boolean => word.startsWith('-') && !/[=:]/.test(word) && namesSecret(word);

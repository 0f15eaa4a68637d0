// The output of a client, fit for a report: without colors, without secrets.

import { printable } from '../client/printable.ts';
import { isSecretName, jsonWebToken } from '../journal/redaction.ts';
import { startOfLine } from './progress-line.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
const colors = /\u001b\[[\d;]*m/g;

/** The lines without colors and without anything that moves the cursor. */
export const plainOutput = (text: string): string =>
  text
    .replace(colors, '')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n');

/** Progress goes to standard error, because the report goes to standard output. */
export const printProgress = (line: string): void =>
  void process.stderr.write(`${process.stderr.isTTY ? startOfLine : ''}${printable(line)}\n`);

/** A shorter secret could be part of any text. */
const minSecretCharacters = 4;
const redacted = '[redacted]';

/** What follows the scheme of an Authorization header. */
const credentials = /\b((?:bearer|basic)\s+)[^\s"',;]+/gi;
/** A name and the value assigned to it. */
const assignment = /([a-z][\w.-]{0,99})(["']?\s*[=:]\s*)(?:"[^"\n]*"|'[^'\n]*'|[^\s"',;&}]+)/gi;

/** Judges by the last word: `access_token` and `X-Api-Key` name secrets, `TokenExpiredError` does not. */
const namesSecret = (name: string): boolean =>
  isSecretName(name.split(/[^a-zA-Z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).at(-1) ?? '');

export type Redact = (text: string) => string;

/** The text without these secrets, and without their forms in JSON and URLs. A long secret may hold a shorter one. */
export const withoutSecrets = (text: string, secrets: Iterable<string>): string =>
  [...secrets]
    .filter(({ length }) => length >= minSecretCharacters)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      new URLSearchParams([['', secret]]).toString().slice(1),
    ])
    .sort((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(secret, redacted), text);

/** Returns a function that redacts these secrets, and everything that looks like one. */
export function redactor(secrets: readonly string[]): Redact {
  return (text) =>
    withoutSecrets(text, secrets)
      .replaceAll(jsonWebToken, redacted)
      .replaceAll(credentials, `$1${redacted}`)
      .replaceAll(assignment, (all: string, name: string, sign: string) =>
        namesSecret(name) ? `${name}${sign}${redacted}` : all,
      );
}

/** The words of a command without secrets, also without the value after a flag such as `--api-key`. */
export const redactCommand = (words: readonly string[], redact: Redact): string[] =>
  words.map((word, index) => (isSecretFlag(words[index - 1]) ? redacted : redact(word)));

const isSecretFlag = (word = ''): boolean => word.startsWith('-') && !/[=:]/.test(word) && namesSecret(word);

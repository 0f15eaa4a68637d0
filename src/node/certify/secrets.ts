// What a report that is handed on must not hold: the key, the password, tokens. A client's own words stay readable else.
import { jsonWebToken } from '../../control/journal/secrets.ts';

/** Anything shorter stands in every text. */
const leastCharacters = 4;
const put = '[redacted]';

const names = 'password|passwd|pwd|secret|token|signature|cookie|(?:api|admin|private|access)[_-]?key';
/** What stands behind an Authorization's scheme, or behind a name that ends so and is given a value: not `TokenExpiredError: …`. */
const places = [
  /\b((?:bearer|basic)\s+)[^\s"',;]+/gi,
  new RegExp(String.raw`((?:${names})["']?\s*[=:]\s*)(?:"[^"\n]*"|'[^'\n]*'|[^\s"',;&}]+)`, 'gi'),
];
/** A flag whose value is the next word. */
const secretFlag = new RegExp(`^-.*(?:${names})$`, 'i');

export type Harmless = (text: string) => string;

/** Gives what takes these secrets, and whatever looks like one, out of a text. */
export function withoutSecrets(secrets: readonly string[]): Harmless {
  const known = secrets.filter(({ length }) => length >= leastCharacters);
  return (text) => {
    const hidden = known.reduce((last, secret) => last.replaceAll(secret, put), text).replaceAll(jsonWebToken, put);
    return places.reduce((last, place) => last.replaceAll(place, `$1${put}`), hidden);
  };
}

/** The words of a command without their secrets. */
export const harmlessWords = (words: readonly string[], harmless: Harmless): string[] =>
  words.map((word, index) => (secretFlag.test(words[index - 1] ?? '') ? put : harmless(word)));

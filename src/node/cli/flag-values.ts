// What a flag's text means, or why it means nothing; it loads nothing of the contract but addresses. Each takes the text as it was given, by the flag or by its variable.
import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { bareUrl, requireSandboxName } from '../../contract/addresses.ts';
import { UsageError } from '../../stores/errors.ts';

export function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError(`"${text}" is no port; give a number from 0 (any free port) to 65535.`);
}

/** A whole number of at least this. */
export const wholeFrom =
  (least: number) =>
  (text: string): number => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number.isSafeInteger(Number(text))) return Number(text);
    throw new InvalidArgumentError(`"${text}" is no whole number from ${least} up.`);
  };

const mostSeconds = 86_400;

/** A time in seconds, with fractions; at most a day. */
export function seconds(text: string): number {
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= mostSeconds) return Number(text);
  throw new InvalidArgumentError(`"${text}" is no number of seconds; give one above 0, at most ${mostSeconds}.`);
}

/** What the check throws is told as the fault of the flag it came by. */
export function told<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

export function nonEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It is empty.');
}

/** Several by repeating the flag or by commas; the former ones stay. */
export function names(text: string, former: readonly string[] = []): string[] {
  return [...former, ...text.split(',').map((name) => nonEmpty(name.trim()))];
}

/** Names that a request's Host may have: without scheme, port and path; IPv6 addresses with or without their brackets, and then with. */
export function hosts(text: string, former: readonly string[] = []): string[] {
  return [...former, ...text.split(',').map((name) => host(name.trim().toLowerCase()))];
}

function host(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  // As it stands in the Host of a request: in brackets, in its shortest form. One with a zone stands in none.
  if (isIP(bare) === 6 && !bare.includes('%')) return new URL(`http://[${bare}]`).hostname;
  if (isIP(text) === 4) return text;
  const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
  // What ends in digits alone would be read as an IPv4 address, and it is none.
  if (text.length <= 253 && new RegExp(`^(?:${label}\\.)*${label}$`).test(text) && !/(?:^|\.)\d+$/.test(text))
    return text;
  throw new InvalidArgumentError(`"${text}" is no host name or address; give it without scheme, port and path.`);
}

export const sandbox = (text: string): string => told(() => requireSandboxName(text));

export const absoluteUrl = (text: string): string => told(() => bareUrl(text));

/** A key is a secret, so unlike any other value it is not told when it is no good: commander would tell it. */
export function adminKey(text: string): string {
  if (/^[\x21-\x7e]{8,}$/.test(text)) return text;
  throw new UsageError(
    `the value of --admin-key or SACHET_ADMIN_KEY (${text.length} characters, not shown) is no key; give at least 8 visible ASCII characters without blanks`,
  );
}

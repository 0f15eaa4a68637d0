// Where a secret may stand: names, and places in a text. All expressions take time linear in the text: what repeats is bounded, or
// starts at a place that it cannot run over. Whoever must choose here takes a harmless word for a secret rather than the reverse.

import { LRUCache } from 'lru-cache';

/** Every name of a secret holds one of these words; so does "turkey", which then costs a careful look. */
const words = 'pass|pwd|secret|token|signature|auth|cookie|jwt|bearer|key';
/** The ways to write a character by its code: JSON's, JavaScript's, a URL's, any of them escaped again. */
const escaped = String.raw`\\{1,8}u[0-9a-f]{4}|\\{1,8}x[0-9a-f]{2}|%[0-9a-f]{2}`;

/**
 * The letters of those words that are rare in other texts; then escapes of letters or of what begins an escape, and how a JSON Web Token
 * begins. Words that are looked for one by one, because that takes half the time of an expression; those behind a sign that most texts lack,
 * only where it is there. Shorter ones stand in cursors by chance, and cost each page with such a cursor the careful look.
 */
const suspicious = ['key', 'ken', 'kie', 'pass', 'pwd', 'jwt', 'cret', 'uth', 'bear', 'eyj', '\0'];
const escapesOfJson = ['\\u', '\\x'];
const escapesOfUrls = ['%4', '%5', '%6', '%7', '%25'];
/** But for a label's signature that is redacted already. */
const signature = /gnature(?!=\[redacted [0-9a-f]{8}\]["&])/;

/** The quick test, which most texts pass: without one of these there is no secret that the careful look would find. */
export function mayHoldSecret(text: string): boolean {
  const lower = text.toLowerCase();
  return (
    hasOneOf(lower, suspicious) ||
    (lower.includes('\\') && hasOneOf(lower, escapesOfJson)) ||
    (lower.includes('%') && hasOneOf(lower, escapesOfUrls)) ||
    (lower.includes('gnature') && signature.test(lower))
  );
}

/** A plain loop: this is asked for each text that a journal keeps. */
function hasOneOf(text: string, words: readonly string[]): boolean {
  for (const word of words) if (text.includes(word)) return true;
  return false;
}

const secretName = new RegExp(
  [
    'passw|pass[^a-z0-9]?(?:phrase|code|word)|pass(?![a-z])|pwd|secret|token|signature|authoriz|auth(?![a-z])',
    'cookie|jwt|bearer|keys?(?![a-z])|(?:api|access|private)[^a-z0-9]?key',
  ].join('|'),
  'i',
);

const maxNameCharacters = 100;
const names = new LRUCache<string, boolean>({ max: 1000 });

/** Whether what stands under this name is a secret: `password`, `refresh_token`, `X-Api-Key`, … */
export function isSecretName(name: string): boolean {
  const kept = names.get(name);
  if (kept !== undefined) return kept;
  const isSecret = secretName.test(unescaped(name));
  if (name.length <= maxNameCharacters) names.set(name, isSecret);
  return isSecret;
}

const maxRounds = 4;
const escapes = new RegExp(escaped, 'gi');

/** The text with its escapes undone, those of escapes, too. */
export function unescaped(text: string): string {
  let last = text;
  for (let round = 0; round < maxRounds; round += 1) {
    const next = last.replaceAll(escapes, characterOf);
    if (next === last) return next;
    last = next;
  }
  return last;
}

const characterOf = (written: string): string =>
  String.fromCharCode(Number.parseInt(written.replace(/^[\\%]+[ux]?/i, ''), 16));

/** A name of a secret and the sign that its value follows, or `Bearer `: `token=`, `"password": `, `api_key" : `. */
const assignment = String.raw`(?:${words})[^\s=:]{0,40}\s*[=:]|bearer\s`;

/** A place from which on a text may hold a secret. Group 1, where there is one, is its name: to be kept. */
export interface Place {
  /** Whether the text, its escapes undone, has such a place. */
  readonly sought: RegExp;
  /** The first such place of the text as it is, or its first escape. */
  readonly from: RegExp;
}

const placeOf = (source: string): Place => ({
  // An escape that is left after so many rounds was meant to hide something.
  sought: new RegExp(`${source}|${escaped}|\\0`, 'i'),
  from: new RegExp(`(${source})|${escaped}|\\0`, 'i'),
});

/** In a text that is read by people, or a single value: behind a name that is given a value. */
export const afterAssignment = placeOf(assignment);
/** In a text of no known form: behind any word that may be part of a name. */
export const afterWord = placeOf(words);

/** A JSON Web Token; it begins where a word does, so that no run of `eyJ` is read more than once. */
export const jsonWebToken = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** The signature of a pre-signed URL as this server writes it. */
export const labelSignature = /X-Amz-Signature=([0-9a-f]{64})(?![0-9a-f])/g;
export const labelSignatureName = 'X-Amz-Signature=';
/** A URL with a query: absolute, or a path. */
export const url = /^(?:[a-z][a-z0-9+.-]*:\/)?\/[^\s?]*\?\S*$/i;
/** A scheme that may stand before the secret of an Authorization header. */
export const authScheme = /^\s*(bearer|basic|digest)\s+/i;

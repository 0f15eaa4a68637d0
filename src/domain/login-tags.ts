// The tag in a username: `demo+w7` is the user `demo` of the sandbox `w7`.
import { stage } from '../contract/addresses.ts';
import type { RecordOf } from '../contract/records.ts';
import type { Identity } from './world.ts';

interface Users {
  firstOf(index: 'username', username: string): RecordOf<'users'> | undefined;
}

/** `ann+w7@example.com` → ann@example.com and w7: the tag follows the first `+`, before any `@`. */
export function splitTag(username: string): { user: string; tag: string | undefined } {
  const [, name = '', tag, domain = ''] = /^([^+@]*)\+([^@]*)(@.*)?$/s.exec(username) ?? [];
  return tag === undefined ? { user: username, tag: undefined } : { user: name + domain, tag };
}

/** The username that a login means in a sandbox: an exact one first; else the sandbox's own name as tag is removed. */
export function withoutTag(username: string, { name }: Pick<Identity, 'name'>, users: Users): string {
  const { user, tag } = splitTag(username);
  return tag === name && !users.firstOf('username', username) ? user : username;
}

/**
 * The username with the sandbox's name as its tag, which leads to the sandbox from the plain base URL, too. Without a
 * tag if that URL does not need one (`stage`) or does not lead to the sandbox (`production`), and if the username would
 * mean another user, because it has a `+` of its own.
 */
export function withTag(username: string, identity: Pick<Identity, 'name' | 'environment'>, users: Users): string {
  const { name, environment } = identity;
  if (name === stage || environment !== stage) return username;
  const tagged = username.replace(/(?=@|$)/, `+${name}`);
  return withoutTag(tagged, identity, users) === username ? tagged : username;
}

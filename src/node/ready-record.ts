// What the start tells: a program gets it as one line of JSON.
import { liveRequestsPath, stage } from '../contract/addresses.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { readyUser } from '../sample-order.ts';

export interface Ready {
  readonly url: string;
  readonly fixtures: Fixtures;
  readonly pid: number;
  readonly adminKey: string;
  /** Made at the start: whoever started it does not know it yet. */
  readonly keyIsMade: boolean;
  /** Where the state is kept, and how many sandboxes were there at the start; none: in memory. */
  readonly kept?: { readonly place: string; readonly sandboxes: number } | undefined;
}

/** The ready login. */
export function readyLogin(fixtures: Fixtures) {
  const user = readyUser(fixtures);
  return { username: user?.username ?? null, password: user?.password ?? null };
}

/** Live requests of the first sandbox. The key stands in the fragment, which a browser keeps to itself. */
export const consoleUrl = (url: string, key: string | undefined): string =>
  `${url}${liveRequestsPath(stage)}${key === undefined ? '' : `#key=${encodeURIComponent(key)}`}`;

/** The ready record: one line. */
export function readyRecord({ url, fixtures, pid, adminKey }: Ready): string {
  const addresses = { url, admin_key: adminKey, console_url: consoleUrl(url, adminKey) };
  return `${JSON.stringify({ ...addresses, ...readyLogin(fixtures), pid })}\n`;
}

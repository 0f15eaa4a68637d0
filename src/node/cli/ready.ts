// What a start prints when the server is ready: for a person the addresses and commands to paste, for a program a line
// of JSON.
import { docsPath, liveRequestsPath, shellWord, stage } from '../../contract/addresses.ts';
import { sandboxPath } from '../../contract/control/control-operation.ts';
import { switchesPath } from '../../contract/control/switch-names.ts';
import type { SwitchesPatch } from '../../contract/control/switches.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
import { operations } from '../../contract/operations.ts';
import { orderOf, readyUser } from '../../sample-order.ts';
import type { StoredState } from '../start-server.ts';

interface Ready {
  readonly url: string;
  readonly fixtures: Fixtures;
  readonly pid: number;
  readonly adminKey: string;
  /** True if the start made the key: the caller does not know it yet. */
  readonly isNewKey: boolean;
  /** Undefined in memory. */
  readonly storedState: StoredState | undefined;
}

/** A login that works; nulls if the fixtures have no active user. */
function readyLogin(fixtures: Fixtures) {
  const user = readyUser(fixtures);
  return { username: user?.username ?? null, password: user?.password ?? null };
}

/** Live requests of the first sandbox. The key is in the fragment, which a browser does not send. */
const consoleUrl = (url: string, key: string | undefined): string =>
  `${url}${liveRequestsPath(stage)}${key === undefined ? '' : `#key=${encodeURIComponent(key)}`}`;

/** The ready record of `--json`: one line. */
export function readyRecord({ url, fixtures, pid, adminKey }: Ready): string {
  const addresses = { url, admin_key: adminKey, console_url: consoleUrl(url, adminKey) };
  return `${JSON.stringify({ ...addresses, ...readyLogin(fixtures), pid })}\n`;
}

/** The lines for a person. */
export function banner(ready: Ready): string {
  const { url, fixtures, pid, adminKey, isNewKey, storedState } = ready;
  const { username, password } = readyLogin(fixtures);
  const lines = [`Sachet is ready at ${url} (Ctrl-C ends it, or SIGTERM to process ${pid})`, ''];
  if (username === null) lines.push('The fixtures have no active user, so nobody can log in.', '');
  else lines.push(`  login      ${username} / ${password}`);
  lines.push(`  console    ${consoleUrl(url, isNewKey ? adminKey : undefined)}`, `  reference  ${url}${docsPath}`);
  if (storedState) lines.push(`  state      ${storedState.place} (sandboxes from before: ${storedState.sandboxes})`);
  lines.push('');
  if (username !== null) lines.push('Create an order:', '', orderCommand(url, fixtures), '');
  return `${[...lines, ...switchCommands(ready)].join('\n')}\n`;
}

/** Commands that turn a switch on and off. A key that the start made is shown only here; a given one is not shown. */
function switchCommands({ url, adminKey, isNewKey }: Ready): string[] {
  const turn = (patch: SwitchesPatch) =>
    `curl -s -X PATCH ${url}${sandboxPath(stage)}${switchesPath} -H "Authorization: Bearer ` +
    `$SACHET_ADMIN_KEY" ${json} -d ${shellWord(JSON.stringify(patch))}`;
  const key = isNewKey ? [`export SACHET_ADMIN_KEY=${shellWord(adminKey)}`] : [];
  const where = isNewKey ? '' : ', with your admin key in SACHET_ADMIN_KEY';
  return [
    `Let the next 3 calls meet the rate limit${where}:`,
    '',
    ...key,
    turn({ rate_limit: { burst: 3 } }),
    '',
    'And take that off again:',
    '',
    turn({ rate_limit: null }),
    '',
  ];
}

const json = "-H 'Content-Type: application/json'";

/** A command that logs in, then creates an order of the first product that can be ordered. */
function orderCommand(url: string, fixtures: Fixtures): string {
  const { username, password } = readyLogin(fixtures);
  const body = JSON.stringify(orderOf(fixtures));
  const login =
    `curl -s ${url}${operations['authentication.token'].path} ${json} -d ` +
    `${shellWord(JSON.stringify({ username, password }))}`;
  const token = `TOKEN=$(${login} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  return (
    `${token}\ncurl -s ${url}${operations['orders.create'].path} -H "Authorization: Bearer $TOKEN" ${json} -d ` +
    `${shellWord(body)}`
  );
}

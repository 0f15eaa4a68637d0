// The output of a start when the server is ready: for a person the addresses and commands to paste, for a program a
// line of JSON.
import { consoleStartPath, docsPath, shellWord, stage } from '../../contract/addresses.ts';
import { sandboxPath } from '../../contract/control/control-operation.ts';
import { switchesPath } from '../../contract/control/switch-names.ts';
import type { SwitchesPatch } from '../../contract/control/switches.ts';
import { firstCallsOf, orderCommands, readyUser } from '../../sandbox/sample-calls.ts';
import type { State } from '../../state/state.ts';
import type { StoredState } from '../start-server.ts';

interface Ready {
  readonly url: string;
  /** Of the sandbox `stage`. */
  readonly state: State;
  readonly adminKey: string;
  /** True if the start made the key: the caller does not know it yet. */
  readonly isNewKey: boolean;
  /** Whether the link to the console has the key. */
  readonly consoleKey: boolean;
  /** Undefined in memory. */
  readonly storedState: StoredState | undefined;
  /** The file of the CA certificate; undefined unless the start made the certificate. */
  readonly caFile: string | undefined;
}

/** The console of the first sandbox. The key is in the fragment, which a browser does not send. */
const consoleUrl = ({ url, adminKey, consoleKey }: Ready): string =>
  `${url}${consoleStartPath(stage)}${consoleKey ? `#key=${encodeURIComponent(adminKey)}` : ''}`;

/**
 * The ready record of `--json`: one line. Its login works; it is null if no user is active. `ca_file` is there if the
 * start made the certificate.
 */
export function readyRecord(ready: Ready): string {
  const { url, state, adminKey, caFile } = ready;
  const { username = null, password = null } = readyUser(state)?.user ?? {};
  const addresses = { url, admin_key: adminKey, console_url: consoleUrl(ready) };
  return `${JSON.stringify({ ...addresses, username, password, pid: process.pid, ca_file: caFile })}\n`;
}

/** The lines for a person. */
export function banner(ready: Ready): string {
  const { url, state, storedState, caFile } = ready;
  const ordering = readyUser(state);
  const lines = [`Sachet is ready at ${url} (stop it with Ctrl-C, or with SIGTERM to process ${process.pid})`, ''];
  if (ordering) lines.push(`  login      ${ordering.user.username} / ${ordering.user.password}`);
  else lines.push('The fixtures have no active user, so every login fails.', '');
  lines.push(`  console    ${consoleUrl(ready)}`, `  reference  ${url}${docsPath}`);
  if (storedState) lines.push(`  state      ${storedState.place} (restored sandboxes: ${storedState.sandboxes})`);
  if (caFile !== undefined) lines.push(`  CA file    ${caFile} (clients must trust it)`);
  lines.push('');
  if (ordering) lines.push('Create an order:', '', orderCommands(firstCallsOf(ordering, state, url), curl(caFile)), '');
  return `${[...lines, ...switchCommands(ready)].join('\n')}\n`;
}

/** Commands that turn a switch on and off. A key that the start made is shown here; a given one is not. */
function switchCommands({ url, adminKey, isNewKey, caFile }: Ready): string[] {
  const turn = (patch: SwitchesPatch) =>
    `${curl(caFile)} -X PATCH ${url}${sandboxPath(stage)}${switchesPath} -H "Authorization: Bearer ` +
    `$SACHET_ADMIN_KEY" -H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(patch))}`;
  const key = isNewKey ? [`export SACHET_ADMIN_KEY=${shellWord(adminKey)}`] : [];
  const where = isNewKey ? '' : ', with your admin key in SACHET_ADMIN_KEY';
  return [
    `Rate-limit the next 3 calls${where}:`,
    '',
    ...key,
    turn({ rate_limit: { burst: 3 } }),
    '',
    'Turn the rate limit off again:',
    '',
    turn({ rate_limit: null }),
    '',
  ];
}

const curl = (caFile: string | undefined): string =>
  caFile === undefined ? 'curl -s' : `curl -s --cacert ${shellWord(caFile)}`;

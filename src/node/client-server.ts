// A server in this process for a partner's command, and the environment variables that tell the command about it.
import { InvalidArgumentError, Option } from 'commander';
import { createEngine } from '../app.ts';
import { bareUrl, sandboxBase, stage } from '../contract/addresses.ts';
import type { Choices } from '../contract/assumptions.ts';
import { choicesText } from '../contract/resolved-assumptions.ts';
import type { EngineOptions } from '../engine.ts';
import { firstReadyUser } from '../sample-order.ts';
import { withoutUndefined } from '../shipped.ts';
import { several } from './cli/flags.ts';
import type { Setting } from './cli/serve-flags.ts';
import { listen } from './listen.ts';
import { platform } from './platform.ts';
import type { Remote } from './remote-sandbox.ts';

/**
 * Where a client finds its sandbox, and the credentials: the command has each as SACHET_URL, SACHET_SANDBOX and so on.
 * Without an active user the username and password are empty. `assume` has the choices that are not the default ones.
 */
export function clientAddress(remote: Remote, fixtures: Parameters<typeof firstReadyUser>[0], choices: Choices) {
  const { sandbox, adminKey } = remote;
  const url = bareUrl(remote.url);
  const base_url = sandbox === stage ? url : url + sandboxBase(sandbox);
  const { username = '', password = '' } = firstReadyUser(fixtures) ?? {};
  return { url, sandbox, base_url, admin_key: adminKey, username, password, assume: choicesText(choices) };
}

type ClientAddress = ReturnType<typeof clientAddress>;

/** The names for a template of `--env`. */
const parts = ['base_url', 'username', 'password', 'admin_key', 'assume'];

/** A variable of `--env`: its value is a template with parts in braces. */
export interface EnvVariable {
  readonly name: string;
  readonly template: string;
}

export const envFlag = (): Option =>
  new Option(
    '--env <name=value>',
    `extra environment variable for the command, such as API_URL=base_url or API_URL={base_url}/v2; ${several}`,
  )
    .argParser(parseVariables)
    .default([], 'none');

/** Splits at commas in front of a name only: a value may contain commas. */
const parseVariables = (text: string, previous: readonly EnvVariable[]): EnvVariable[] => [
  ...previous,
  ...text.split(/,(?=\s*[A-Za-z_]\w*=)/).map(parseVariable),
];

function parseVariable(text: string): EnvVariable {
  const [, name, value] = /^\s*([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw invalidVariable(`"${text}" is not of the form NAME=value`);
  if (parts.includes(value)) return { name, template: `{${value}}` };
  const used = Array.from(value.matchAll(placeholder), ([, part = '']) => part);
  const unknown = used.find((part) => !parts.includes(part));
  if (unknown !== undefined) throw invalidVariable(`unknown name {${unknown}}`);
  if (used.length === 0) throw invalidVariable(`unknown name "${value}"`);
  return { name, template: value };
}

const placeholder = /\{(\w*)\}/g;

const invalidVariable = (what: string): InvalidArgumentError =>
  new InvalidArgumentError(
    `${what}; use one of ${parts.join(', ')}, or a text with such names in braces: API_URL={base_url}/v2.`,
  );

/**
 * This process's environment with the SACHET_… variables of the address, and those of `--env`. Variables that would
 * change the assumptions of a server that the client starts itself are removed.
 */
export function clientEnvironment(address: ClientAddress, variables: readonly EnvVariable[]): NodeJS.ProcessEnv {
  const { SACHET_PROFILE: _profile, SACHET_SCENARIO: _scenario, SACHET_CONFIG: _config, ...inherited } = process.env;
  const values: Readonly<Record<string, string>> = address;
  const own = Object.entries(values).map(([part, value]) => [`SACHET_${part.toUpperCase()}`, value]);
  const further = variables.map(({ name, template }) => [
    name,
    template.replace(placeholder, (_, part: string) => values[part] ?? ''),
  ]);
  return { ...inherited, ...Object.fromEntries([...own, ...further]) };
}

/** Not the name localhost: some clients look for it under IPv6 only. */
const host = '127.0.0.1';

/** The setting with these choices. They decide, not the scenarios that every sandbox begins with. */
export const withChoices = ({ scenarios, ...setting }: Setting, choices: Choices) => ({
  ...withoutUndefined(setting),
  assumptions: choices,
  scenarios: scenarios.map((one) => (setting.scenario?.includes(one.name) ? { ...one, assumptions: {} } : one)),
});

/** Starts a server on a free port, whose sandboxes begin with the choices; `remote` is its sandbox `stage`. */
export async function startClientServer(
  setting: Setting,
  choices = setting.choices,
  onCompleted?: EngineOptions['onCompleted'],
) {
  const engine = createEngine({ ...platform, ...withChoices(setting, choices), onCompleted });
  const { url: localhostUrl, close } = await listen(engine, { port: 0, host });
  const url = localhostUrl.replace('localhost', host);
  return { remote: { url, adminKey: engine.adminKey, sandbox: stage } satisfies Remote, close };
}

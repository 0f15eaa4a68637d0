// What a client is told of the server that it shall call: variables of its environment, under the names that it reads.
import { InvalidArgumentError, Option } from 'commander';
import { several } from './flags.ts';

/** Where a client finds its server, and what lets it in. */
export interface Place {
  /** The server's root, which the control API stands under. */
  readonly url: string;
  readonly sandbox: string;
  /** Where the sandbox answers calls: for `stage` the root, too. */
  readonly baseUrl: string;
  readonly adminKey: string;
  /** Empty, as the password, where the fixtures have nobody who can log in. */
  readonly username: string;
  readonly password: string;
  /** The readings that are not the default ones, as SACHET_ASSUME takes them. */
  readonly assume: string;
}

/** What a variable can be made of, by the names that `--env` knows. */
const parts = {
  base_url: ({ baseUrl }: Place) => baseUrl,
  username: ({ username }: Place) => username,
  password: ({ password }: Place) => password,
  admin_key: ({ adminKey }: Place) => adminKey,
  assume: ({ assume }: Place) => assume,
} as const;
type Part = keyof typeof parts;

const isPart = (name: string): name is Part => Object.hasOwn(parts, name);

/** A further variable: its name, and its text with parts in braces. */
export interface GivenVariable {
  readonly name: string;
  readonly text: string;
}

/** Its value is a list of `GivenVariable`. */
export const envFlag = (): Option =>
  new Option(
    '--env <name=value>',
    `further variable of the command, such as API_URL=base_url or API_URL={base_url}/v2; ${several}`,
  )
    .argParser(variables)
    .default([], 'none');

/** Several are parted by commas before a name. */
function variables(text: string, former: readonly GivenVariable[]): GivenVariable[] {
  return [...former, ...text.split(/,(?=\s*[A-Za-z_]\w*=)/).map(variable)];
}

function variable(given: string): GivenVariable {
  const [, name, value] = /^\s*([A-Za-z_]\w*)=(.*)$/s.exec(given) ?? [];
  if (name === undefined || value === undefined) throw mistaken(`"${given}" is not of the form NAME=value`);
  if (isPart(value)) return { name, text: `{${value}}` };
  const named = Array.from(value.matchAll(inBraces), ([, part = '']) => part);
  const unknown = named.find((part) => !isPart(part));
  if (unknown !== undefined) throw mistaken(`there is no {${unknown}}`);
  if (named.length === 0) throw mistaken(`"${value}" is none of what the server is known by`);
  return { name, text: value };
}

const inBraces = /\{(\w*)\}/g;

const mistaken = (what: string): InvalidArgumentError =>
  new InvalidArgumentError(
    `${what}; the value is one of ${Object.keys(parts).join(', ')}, or a text with such names in braces: API_URL={base_url}/v2.`,
  );

/**
 * This process's own environment, in which every variable that names a server or a sandbox names this place: those that a client reads, and
 * those of Sachet's own commands. And further ones, as they were given. Whatever else would turn readings is taken out: a server that the
 * client starts itself has those of the place.
 */
export function clientEnvironment(place: Place, given: readonly GivenVariable[]): NodeJS.ProcessEnv {
  const { SACHET_PROFILE: _profile, SACHET_SCENARIO: _scenario, ...inherited } = process.env;
  const further = given.map(({ name, text }) => [name, text.replace(inBraces, (_, part: Part) => parts[part](place))]);
  return {
    ...inherited,
    SACHET_URL: place.url,
    SACHET_SANDBOX: place.sandbox,
    SACHET_BASE_URL: place.baseUrl,
    SACHET_USERNAME: place.username,
    SACHET_PASSWORD: place.password,
    SACHET_ADMIN_KEY: place.adminKey,
    SACHET_ASSUME: place.assume,
    ...Object.fromEntries(further),
  };
}

// A server of this process for clients that it starts itself, and the variables by which it tells them of it.
import { InvalidArgumentError, Option } from 'commander';
import { createEngine } from '../app.ts';
import { stage } from '../contract/addresses.ts';
import { type AssumptionId, assumptionIds, type Choices } from '../contract/assumptions.ts';
import { choicesText } from '../contract/resolved-assumptions.ts';
import type { Scenario } from '../contract/scenarios.ts';
import type { EngineOptions } from '../engine.ts';
import { readyUser } from '../sample-order.ts';
import { turned } from '../sandbox/assumptions.ts';
import { several } from './cli/flags.ts';
import type { Setting } from './cli/serve-flags.ts';
import { urlOf } from './host-address.ts';
import { listen } from './listen.ts';
import { platform } from './platform.ts';

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

/** How it is started. */
interface Start {
  /** The readings that every sandbox begins with, in place of the setting's. */
  readonly choices?: Choices;
  readonly onCompleted?: EngineOptions['onCompleted'];
}

/** A server that is there, and what its clients are told. */
export interface ClientServer {
  /** Its sandbox `stage`. */
  readonly place: Place;
  readonly close: () => Promise<void>;
}

/** By its address: not every client finds a server of IPv4 under the name localhost. */
const host = '127.0.0.1';

/** Starts it; every sandbox in it, whoever makes it, begins with its readings. */
export async function startClientServer(setting: Setting, start: Start = {}): Promise<ClientServer> {
  const { choices = setting.choices, onCompleted } = start;
  const engine = createEngine({ ...platform, ...optionsOf(setting, choices), onCompleted });
  const { url: named, close } = await listen(engine, { port: 0, host });
  const url = urlOf(host, Number(new URL(named).port));
  const { username = '', password = '' } = readyUser(setting.fixtures) ?? {};
  const { adminKey } = engine;
  const place = { url, sandbox: stage, baseUrl: url, adminKey, username, password, assume: choicesText(choices) };
  return { place, close };
}

/** What differs from the setting's readings is chosen, and no scenario that the sandboxes begin with turns it back. */
function optionsOf(
  { fixtures, scenarios, choices: base, options }: Setting,
  choices: Choices,
): Omit<EngineOptions, 'onCompleted'> {
  const others = assumptionIds.filter((id) => choices[id] !== base[id]);
  const chosen = Object.fromEntries(others.map((id) => [id, choices[id]]));
  return {
    ...options,
    fixtures,
    scenarios: scenarios.map((scenario) =>
      options.scenario?.includes(scenario.name) ? withoutReadings(scenario, others) : scenario,
    ),
    assumptions: { ...options.assumptions, ...chosen },
  };
}

function withoutReadings(scenario: Scenario, ids: readonly AssumptionId[]): Scenario {
  if (!scenario.assumptions || ids.length === 0) return scenario;
  const kept = Object.entries(turned(scenario.assumptions)).filter(([id]) => !ids.includes(id as AssumptionId));
  return { ...scenario, assumptions: Object.fromEntries(kept) };
}

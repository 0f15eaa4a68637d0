// `sachet openapi`: the OpenAPI document of the service, or of the control API; made here, or asked of a running server.
import { type Command, Option } from 'commander';
import { createEngine } from '../../app.ts';
import { controlOpenApiPath, openApiPath, sandboxBase } from '../../contract/addresses.ts';
import { type Choices, type ProfileName, profiles } from '../../contract/assumptions.ts';
import { withoutPasswords } from '../../examples.ts';
import { effectiveFixtures } from '../../shipped.ts';
import { UsageError } from '../../stores/errors.ts';
import { StrangeAnswerError, sent, UnreachableError } from '../ask.ts';
import { loadFixtures } from '../load-files.ts';
import { platform } from '../platform.ts';
import { absoluteUrl, sandbox } from './flag-values.ts';
import { defaultUrl, fixturesFlag, flag, givenFlags, several } from './flags.ts';
import { assume } from './serve-flags.ts';

interface OpenApiOptions {
  readonly control: boolean;
  readonly assume: Readonly<Record<string, string>>;
  readonly profile: string;
  readonly fixtures?: string;
  readonly publicUrl?: string;
  readonly url?: string;
  readonly sandbox?: string;
}

export function addOpenApi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the service, or of the control API')
    .addOption(new Option('--control', 'the control API').default(false))
    .addOption(
      flag('--assume <id=reading>', `follow another reading; ${several}`).argParser(assume).default({}, 'none'),
    )
    .addOption(flag('--profile <name>', 'a named set of readings').choices(Object.keys(profiles)).default('default'))
    .addOption(fixturesFlag())
    .addOption(
      flag('--public-url <url>', 'the base URL that it names').argParser(absoluteUrl).default(undefined, defaultUrl),
    )
    .addOption(flag('--url <url>', 'ask the server that runs there').argParser(absoluteUrl))
    .addOption(flag('--sandbox <name>', 'with --url: the document of this sandbox').argParser(sandbox))
    .action(async (options: OpenApiOptions, command: Command) => {
      const text = await textOf(options, command);
      process.stdout.write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    });
}

/** Flags that say how a document is made; those that the control API's does not follow. */
const choices = ['assume', 'profile'];
const making = [...choices, 'fixtures', 'publicUrl'];

function textOf(options: OpenApiOptions, command: Command): Promise<string> {
  const flags = givenFlags(command);
  /** The first of these flags that was given, and not by the environment. */
  const given = (names: readonly string[]) =>
    command.options.find((option) => names.includes(option.attributeName()) && option.attributeName() in flags)?.long;
  const made = given(making);
  const idle = options.control ? given([...choices, 'sandbox']) : undefined;
  if (idle)
    throw new UsageError(
      `the control API is the same by all readings and for all sandboxes: leave ${idle} or --control out`,
    );
  if (made && 'url' in flags)
    throw new UsageError(
      `--url asks a server, whose document follows its own readings and fixtures, and ${made} says how one is made here: give one of them`,
    );
  // What a flag says beats the environment's SACHET_URL.
  const url = made ? undefined : options.url;
  if (url !== undefined) return asked(url, options);
  if ('sandbox' in flags) throw new UsageError('--sandbox names a sandbox of a running server: give its --url');
  return madeHere(options);
}

async function madeHere({
  control,
  assume,
  profile,
  fixtures,
  publicUrl = defaultUrl,
}: OpenApiOptions): Promise<string> {
  const { fetch, close } = createEngine({
    ...platform,
    // A document is handed on; the passwords of one's own fixtures are not.
    fixtures: fixtures === undefined ? effectiveFixtures() : withoutPasswords(loadFixtures(fixtures)),
    assumptions: assume as Partial<Choices>,
    profile: profile as ProfileName,
    publicUrl,
  });
  const response = await fetch(defaultUrl + (control ? controlOpenApiPath : openApiPath));
  close();
  return response.text();
}

/** A document takes a server less than a second. */
const patienceMilliseconds = 15_000;

async function asked(url: string, { control, sandbox: name }: OpenApiOptions): Promise<string> {
  const base = control || name === undefined ? '' : sandboxBase(name);
  const signal = AbortSignal.timeout(patienceMilliseconds);
  const response = await inTime(url, sent(url, base + (control ? controlOpenApiPath : openApiPath), { signal }));
  if (response.status === 404 && base) throw new Error(`there is no sandbox "${name}" at ${url}`);
  const text = await inTime(url, response.text(), '');
  if (response.ok && isDocument(text)) return text;
  throw new StrangeAnswerError(url);
}

/** What comes in time; `broken` for what breaks off. */
async function inTime<T>(url: string, coming: Promise<T>, broken?: T): Promise<T> {
  try {
    return await coming;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError')
      throw new UnreachableError(`${url} gave no document within ${patienceMilliseconds / 1000} seconds; check --url`);
    if (broken === undefined) throw error;
    return broken;
  }
}

function isDocument(text: string): boolean {
  try {
    return /^3\./.test(String((JSON.parse(text) as { openapi?: unknown }).openapi));
  } catch {
    return false;
  }
}

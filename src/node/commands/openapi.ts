// `sachet openapi`: the OpenAPI document of the service, or of the control API; made here, or asked of a running server.
import type { Command } from 'commander';
import { controlOpenApiPath, openApiPath, sandboxBase } from '../../contract/addresses.ts';
import { type ProfileName, profiles, type Readings } from '../../contract/assumptions.ts';
import { createEngine } from '../../engine.ts';
import { offeredFixtures } from '../../offered.ts';
import { reach, StrangeAnswerError } from '../ask.ts';
import { assume, sandbox } from '../contract-values.ts';
import { absoluteUrl } from '../flag-values.ts';
import { fixturesFlag, flag, givenFlags } from '../flags.ts';
import { loadFixtures } from '../load-files.ts';
import { platform } from '../platform.ts';
import { UsageError } from '../usage-error.ts';

interface OpenApiOptions {
  readonly control: boolean;
  readonly assume: Readonly<Record<string, string>>;
  readonly profile: string;
  readonly fixtures?: string;
  readonly publicUrl?: string;
  readonly url?: string;
  readonly sandbox?: string;
}

/** Where a server is that was started without flags. */
const usualUrl = 'http://localhost:4010';

export function addOpenApi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the service, or of the control API')
    .addOption(flag('--control', 'the control API').default(false))
    .addOption(
      flag('--assume <id=reading>', 'follow another reading; may be repeated').argParser(assume).default({}, 'none'),
    )
    .addOption(flag('--profile <name>', 'a named set of readings').choices(Object.keys(profiles)).default('default'))
    .addOption(fixturesFlag())
    .addOption(
      flag('--public-url <url>', 'the base URL that it names').argParser(absoluteUrl).default(undefined, usualUrl),
    )
    .addOption(flag('--url <url>', 'ask the server that runs there').argParser(absoluteUrl))
    .addOption(flag('--sandbox <name>', 'with --url: the document of this sandbox').argParser(sandbox))
    .action(async (options: OpenApiOptions, command: Command) => {
      const text = await textOf(options, givenFlags(command));
      process.stdout.write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    });
}

/** Flags that say how a document is made. */
const making = ['assume', 'profile', 'fixtures', 'publicUrl'] as const;

function textOf(options: OpenApiOptions, given: Readonly<Record<string, unknown>>): Promise<string> {
  const made = making.find((name) => name in given);
  if (made && given.url !== undefined)
    throw new UsageError(
      `--url asks a server, whose document follows its own readings and fixtures; --${made === 'publicUrl' ? 'public-url' : made} says how one is made here: give one of them`,
    );
  // What a flag says beats the environment's SACHET_URL.
  const url = made ? undefined : options.url;
  if (url !== undefined) return asked(url, options);
  if (given.sandbox !== undefined)
    throw new UsageError('--sandbox names a sandbox of a running server: give its --url');
  return madeHere(options);
}

async function madeHere({ control, assume, profile, fixtures, publicUrl = usualUrl }: OpenApiOptions): Promise<string> {
  const { fetch, close } = createEngine({
    ...platform,
    fixtures: fixtures === undefined ? offeredFixtures() : loadFixtures(fixtures),
    assumptions: assume as Partial<Readings>,
    profile: profile as ProfileName,
    publicUrl,
  });
  const response = await fetch(usualUrl + (control ? controlOpenApiPath : openApiPath));
  close();
  return response.text();
}

async function asked(url: string, { control, sandbox: name }: OpenApiOptions): Promise<string> {
  const path = control ? controlOpenApiPath : (name === undefined ? '' : sandboxBase(name)) + openApiPath;
  const response = await reach(url, path, {});
  if (response.status === 404 && name !== undefined) throw new Error(`there is no sandbox "${name}" at ${url}`);
  const text = await response.text();
  if (response.ok && isDocument(text)) return text;
  throw new StrangeAnswerError(url);
}

function isDocument(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { openapi?: unknown }).openapi === 'string';
  } catch {
    return false;
  }
}

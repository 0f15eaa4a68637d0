// `sachet openapi`: the OpenAPI document of the service or of the control API, generated here or by a running server.
import { type Command, Option } from 'commander';
import { createEngine } from '../../app.ts';
import { controlOpenApiPath, openApiPath, sandboxBase } from '../../contract/addresses.ts';
import { type Choices, type ProfileName, profiles } from '../../contract/assumptions.ts';
import { withoutPasswords } from '../../examples.ts';
import { effectiveFixtures } from '../../shipped.ts';
import { UsageError } from '../../stores/errors.ts';
import { loadFixtures } from '../load-files.ts';
import { platform } from '../platform.ts';
import { fetchFrom, UnexpectedResponseError } from '../remote-sandbox.ts';
import { absoluteUrl, defaultUrl, fixturesFlag, flag, givenFlags, sandboxFlag, several, urlFlag } from './flags.ts';
import { assume } from './serve-flags.ts';

interface OpenApiOptions {
  readonly control: boolean;
  readonly assume: Partial<Choices>;
  readonly profile: ProfileName;
  readonly fixtures?: string;
  readonly publicUrl?: string;
  readonly url?: string;
  readonly sandbox?: string;
}

export const add = (line: Command): Command =>
  line
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
    .addOption(urlFlag('ask the server that runs there'))
    .addOption(sandboxFlag('with --url: the document of this sandbox'))
    .action(async (options: OpenApiOptions, command: Command) => {
      const text = await textOf(options, command);
      process.stdout.write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    });

/** Flags for a document that is generated here; the control API's does not depend on the choices. */
const choices = ['assume', 'profile'];
const generating = [...choices, 'fixtures', 'publicUrl'];

function textOf(options: OpenApiOptions, command: Command): Promise<string> {
  const flags = givenFlags(command);
  /** The first of these flags that the command line gave. */
  const given = (names: readonly string[]) =>
    command.options.find((option) => names.includes(option.attributeName()) && option.attributeName() in flags)?.long;
  const generatingFlag = given(generating);
  const uselessFlag = options.control ? given([...choices, 'sandbox']) : undefined;
  if (uselessFlag)
    throw new UsageError(
      `the control API is the same by all readings and for all sandboxes: leave ${uselessFlag} or --control out`,
    );
  if (generatingFlag && 'url' in flags)
    throw new UsageError(
      `--url asks a server, whose document follows its own readings and fixtures, and ${generatingFlag} says ` +
        'how one is made here: give one of them',
    );
  // Flags beat the variable SACHET_URL.
  const url = generatingFlag ? undefined : options.url;
  if (url !== undefined) return fetchDocument(url, options);
  if ('sandbox' in flags) throw new UsageError('--sandbox names a sandbox of a running server: give its --url');
  return generate(options);
}

async function generate({
  control,
  assume,
  profile,
  fixtures,
  publicUrl = defaultUrl,
}: OpenApiOptions): Promise<string> {
  const { fetch, close } = createEngine({
    ...platform,
    // The document will be passed on; the passwords of the user's own fixtures must not be in it.
    fixtures: fixtures === undefined ? effectiveFixtures() : withoutPasswords(loadFixtures(fixtures)),
    assumptions: assume,
    profile,
    publicUrl,
  });
  const response = await fetch(defaultUrl + (control ? controlOpenApiPath : openApiPath));
  close();
  return response.text();
}

async function fetchDocument(url: string, { control, sandbox: name }: OpenApiOptions): Promise<string> {
  const base = control || name === undefined ? '' : sandboxBase(name);
  const response = await fetchFrom(url, base + (control ? controlOpenApiPath : openApiPath), {});
  if (response.status === 404 && base) throw new Error(`there is no sandbox "${name}" at ${url}`);
  const text = await response.text().catch(() => '');
  if (response.ok && isDocument(text)) return text;
  throw new UnexpectedResponseError(url);
}

function isDocument(text: string): boolean {
  try {
    return /^3\./.test(String((JSON.parse(text) as { openapi?: unknown }).openapi));
  } catch {
    return false;
  }
}

// `sachet openapi`: the OpenAPI document of the service or of the control API, generated here or by a running server.
import { type Command, Option } from 'commander';
import { createEngine } from '../../app.ts';
import { controlOpenApiPath, openApiPath, openApiVersions, sandboxBase } from '../../contract/addresses.ts';
import { withoutPasswords } from '../../examples.ts';
import { shippedFixtures } from '../../shipped.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { loadFixtures } from '../load-files.ts';
import { platform } from '../platform.ts';
import { fetchFrom, missingSandbox, UnexpectedResponseError } from '../remote-sandbox.ts';
import {
  absoluteUrl,
  addOptions,
  configFlag,
  defaultUrl,
  firstGiven,
  fixturesFlag,
  flag,
  sandboxFlag,
  urlFlag,
} from './flags.ts';
import { assumeFlag, configOf, profileFlag, type SettingFlags } from './serve-flags.ts';

interface OpenApiOptions extends Pick<SettingFlags, 'assume' | 'profile' | 'fixtures' | 'config'> {
  readonly control: boolean;
  readonly version: string;
  readonly publicUrl?: string;
  readonly url?: string;
  readonly sandbox?: string;
}

export const add = (line: Command): Command =>
  addOptions(line.command('openapi').option('--control', 'print the document of the control API', false), [
    new Option('--version <number>', 'version of OpenAPI').choices(openApiVersions).default(openApiVersions[0]),
    configFlag(),
    assumeFlag(),
    profileFlag(),
    fixturesFlag(),
    flag('--public-url <url>', 'base URL in the document').argParser(absoluteUrl).default(undefined, defaultUrl),
    urlFlag('get the document from this running server'),
    sandboxFlag('with --url: print the document of this sandbox'),
  ])
    .description('print the OpenAPI document of the service, or of the control API')
    .action(async (options: OpenApiOptions, command: Command) => {
      process.stdout.write(`${JSON.stringify(await documentOf(options, command), null, 2)}\n`);
    });

/** Flags for a document that is generated here; the control API's does not depend on the choices. */
const choices = ['--config', '--assume', '--profile'];
const generating = [...choices, '--fixtures', '--public-url'];

function documentOf(options: OpenApiOptions, command: Command): Promise<unknown> {
  const generatingFlag = firstGiven(command, generating);
  const uselessFlag = options.control ? firstGiven(command, [...choices, '--sandbox']) : undefined;
  if (uselessFlag)
    throw new UsageError(
      `the control API is the same for all choices and all sandboxes; omit ${uselessFlag} or --control`,
    );
  if (generatingFlag && firstGiven(command, ['--url']))
    throw new UsageError(
      `--url gets the document from a running server, but ${generatingFlag} configures a document generated here; ` +
        'use only one of them',
    );
  // Flags beat the variable SACHET_URL.
  const url = generatingFlag ? undefined : options.url;
  if (url !== undefined) return fetchDocument(url, options);
  if (firstGiven(command, ['--sandbox']))
    throw new UsageError('--sandbox names a sandbox of a running server; pass its URL with --url');
  return generate(options);
}

/** Relative to a base URL. */
const pathOf = ({ control, version }: OpenApiOptions): string =>
  `${control ? controlOpenApiPath : openApiPath}?version=${version}`;

async function generate(options: OpenApiOptions) {
  const { assume, profile, fixtures: folder, publicUrl = defaultUrl } = options;
  // The document will be passed on; the passwords of the user's own fixtures must not be in it.
  const fixtures = folder === undefined ? shippedFixtures() : withoutPasswords(loadFixtures(folder));
  const config = await configOf(options);
  const { fetch, close } = createEngine({ ...platform, fixtures, config, assumptions: assume, profile, publicUrl });
  const response = await fetch(defaultUrl + pathOf(options));
  close();
  return response.json();
}

async function fetchDocument(url: string, options: OpenApiOptions) {
  const { control, sandbox: name } = options;
  const base = control || name === undefined ? '' : sandboxBase(name);
  const response = await fetchFrom(url, base + pathOf(options), {});
  if (response.status === 404 && name && base) throw missingSandbox(url, name);
  const document = (await response.json().catch(() => undefined)) as { readonly openapi?: unknown } | null | undefined;
  if (response.ok && /^3\./.test(String(document?.openapi))) return document;
  throw new UnexpectedResponseError(url);
}

// The house's rules as a function over sources: which arrows between layers hold, and what may be said only in one place.
import { posix } from 'node:path';
import { factsOf, type Mention, type Source, type SourceFacts } from './source-facts.ts';

interface Layer {
  /** Folders of src, or single files, that it may import, besides its own. */
  readonly imports: readonly string[];
  /** Packages it may import, each anywhere, in one file only, or in the files of one folder. */
  readonly packages: Readonly<Record<string, 'anywhere' | string>>;
}

/** The arrows of the house (architecture.md). `top` is what stands in src itself. */
const layers: Readonly<Record<string, Layer>> = {
  contract: {
    imports: [],
    packages: {
      zod: 'anywhere',
      'lru-cache': 'anywhere',
      '@hapi/address': 'src/contract/schema.ts',
      'zod-openapi': 'src/contract/openapi/',
    },
  },
  domain: { imports: ['contract'], packages: {} },
  state: {
    imports: ['contract', 'src/domain/world.ts', 'src/domain/hashes.ts'],
    packages: { tinyqueue: 'src/state/state.ts', 'lru-cache': 'src/state/storing.ts' },
  },
  stores: {
    imports: ['contract', 'state', 'src/domain/world.ts', 'src/control/clock.ts', 'src/control/ids.ts'],
    packages: { lowdb: 'src/stores/folder/', pg: 'src/stores/postgres/', 'lru-cache': 'anywhere' },
  },
  control: {
    imports: ['contract', 'domain', 'state'],
    packages: { 'lru-cache': 'anywhere', nanoid: 'src/control/ids.ts' },
  },
  http: {
    imports: ['contract', 'domain', 'state', 'control'],
    packages: {
      hono: 'anywhere',
      zod: 'anywhere',
      '@hono/zod-validator': 'anywhere',
      'lru-cache': 'anywhere',
      jose: 'src/http/tokens.ts',
      '@cantoo/pdf-lib': 'src/http/storage/label-pdf.ts',
      'bwip-js': 'src/http/storage/label-barcode.ts',
      'swagger-ui-dist': 'src/http/docs/asset-texts.ts',
    },
  },
  console: {
    imports: ['contract', 'domain', 'state', 'control', 'http'],
    packages: {
      hono: 'anywhere',
      'htmx.org': 'src/console/asset-texts.ts',
      '@picocss/pico': 'src/console/asset-texts.ts',
    },
  },
  client: { imports: ['contract', 'src/control/ids.ts', 'src/control/timeout.ts'], packages: {} },
  vitest: { imports: ['client', 'node', 'src/control/ids.ts'], packages: { vitest: 'anywhere' } },
  top: {
    imports: ['contract', 'domain', 'state', 'control', 'http', 'console', 'client'],
    packages: { '@noble/hashes': 'src/engine.ts' },
  },
};

/** The layers that may ask Node.js itself. */
const onNode = ['node', 'stores'];

const maxLines = 400;
const machineTimeFile = 'src/control/clock.ts';
const randomnessFile = 'src/control/ids.ts';
/** The one file that takes in what stands beside src: the shipped fixtures and scenarios. */
const shippedFile = 'src/shipped.ts';
const shipped = /^(?:fixtures|scenarios)\/[a-z-]+\.json$/;

/** What may be written in one file only: a name as it is written, wherever it is a member of. */
const keptIn: readonly { readonly what: RegExp; readonly file: string; readonly by: 'names' | 'emptyCalls' }[] = [
  { what: /(?:^|\.)Date\.now$/, file: machineTimeFile, by: 'names' },
  { what: /(?:^|\.)performance\.now$/, file: machineTimeFile, by: 'names' },
  { what: /(?:^|\.)Date$/, file: machineTimeFile, by: 'emptyCalls' },
  { what: /(?:^|\.)Math\.random$/, file: randomnessFile, by: 'names' },
  { what: /^(?:randomUUID|getRandomValues)$/, file: randomnessFile, by: 'names' },
];

const layerOf = (path: string): string => (/^src\/[^/]+$/.test(path) ? 'top' : (path.split('/')[1] ?? ''));
const packageOf = (target: string): string => /^(@[^/]+\/[^/]+|[^/]+)/.exec(target)?.[0] ?? target;
const isRelative = (target: string): boolean => /^\.{1,2}\//.test(target);
const resolved = (path: string, target: string): string => posix.join(posix.dirname(path), target);

type Check = (facts: SourceFacts) => string[];

/** The faults of mentions, each as `file:line what is broken`. */
const told = ({ path }: Source, mentions: readonly Mention[], words: (what: string) => string | undefined): string[] =>
  mentions.flatMap(({ what, line }) => {
    const fault = words(what);
    return fault ? [`${path}:${line} ${fault}`] : [];
  });

const arrows: Check = (facts) =>
  layerOf(facts.path) === 'node' ? [] : told(facts, facts.imports, (target) => brokenArrow(facts.path, target));

const processOutsideNode: Check = (facts) =>
  onNode.includes(layerOf(facts.path))
    ? []
    : told(facts, facts.names, (name) =>
        name === 'process' ? 'process stands only in src/node and src/stores' : undefined,
      );

const places: Check = (facts) =>
  keptIn
    .filter(({ file }) => file !== facts.path)
    .flatMap(({ what, file, by }) =>
      told(facts, facts[by], (name) => {
        const written = by === 'names' ? name : `${name}()`;
        return what.test(name) ? `${written} stands only in ${file}` : undefined;
      }),
    );

/** A path of the API, also as the part of a template that follows its base URL. */
const paths: Check = (facts) =>
  layerOf(facts.path) === 'contract'
    ? []
    : told(facts, facts.strings, (text) => {
        const [path] = /^\/v2\/\w\S*/.exec(text) ?? [];
        return path && `"${path}" is a path: paths stand only in src/contract`;
      });

const lengths: Check = ({ path, lines }) =>
  lines > maxLines ? [`${path}:${lines} a file has at most ${maxLines} lines`] : [];

/** Every import that closes a cycle between files; type-only imports count. */
function cycles(all: readonly SourceFacts[]): string[] {
  const files = new Map(all.map((facts) => [facts.path, facts]));
  const done = new Set<string>();
  const faults: string[] = [];
  const visit = ({ path, imports }: SourceFacts, trail: readonly string[]): void => {
    for (const { what, line } of imports.filter((mention) => isRelative(mention.what))) {
      const to = resolved(path, what);
      const next = files.get(to);
      if (trail.includes(to)) faults.push(`${path}:${line} closes a cycle: ${cycleText(trail, to)}`);
      else if (next && !done.has(to)) visit(next, [...trail, to]);
    }
    done.add(path);
  };
  for (const facts of all) if (!done.has(facts.path)) visit(facts, [facts.path]);
  return faults;
}

const cycleText = (trail: readonly string[], to: string): string =>
  [...trail.slice(trail.indexOf(to)), to].map((path) => path.replace('src/', '')).join(' → ');

const each = (check: Check) => (all: readonly SourceFacts[]) => all.flatMap(check);

/** The rules of the house; each gives every breach as `file:line what is broken`. */
export const rules = {
  'imports follow the arrows': each(arrows),
  'no imports make a cycle': cycles,
  'process stands only in src/node and src/stores': each(processOutsideNode),
  'time and randomness are made in one place each': each(places),
  'paths of the API stand only in src/contract': each(paths),
  'no file is longer than 250 lines': each(lengths),
} as const satisfies Readonly<Record<string, (all: readonly SourceFacts[]) => string[]>>;

/** Every breach of every rule in these sources. */
export function architectureFaults(sources: readonly Source[]): string[] {
  const all = sources.map(factsOf);
  return Object.values(rules).flatMap((rule) => rule(all));
}

function brokenArrow(path: string, target: string): string | undefined {
  const from = layerOf(path);
  const layer = layers[from];
  if (!layer) return `src/${from} is no layer of the house`;
  if (target === '(computed)') return 'an import names its target as plain text';
  if (!isRelative(target)) return forbiddenPackage(path, target, from, layer);
  const to = resolved(path, target);
  if (!to.startsWith('src/'))
    return path === shippedFile && shipped.test(to) ? undefined : `${from} → ${to}: src imports nothing beside it`;
  const allowed = layerOf(to) === from || layer.imports.includes(layerOf(to)) || layer.imports.includes(to);
  return allowed ? undefined : `${from} → ${layerOf(to)} (${to}) is no arrow of the house`;
}

function forbiddenPackage(path: string, target: string, from: string, { packages }: Layer): string | undefined {
  if (target.startsWith('node:'))
    return onNode.includes(from)
      ? undefined
      : `${from} → ${target}: node: imports stand only in src/node and src/stores`;
  const place = Object.hasOwn(packages, packageOf(target)) ? packages[packageOf(target)] : undefined;
  if (place === undefined) return `${from} → ${target} is no arrow of the house`;
  const isIn = place === path || (place.endsWith('/') && path.startsWith(place));
  return place === 'anywhere' || isIn ? undefined : `${target} is imported only by ${place}`;
}

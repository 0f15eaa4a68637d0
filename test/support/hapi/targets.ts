/** Methods and targets: mostly those of a route, its path bent in every way a path can be. */
import fc from 'fast-check';
import { known } from '../../cases/requests.ts';
import { query, rarely } from './queries.ts';
import { referenceRoutes } from './schemas.ts';
import { from, goodId, usually } from './texts.ts';

const oddIds = from(
  ...['%zz', '%', '%4', 'x%', '%ff', '%C0%80', '%ed%a0%80', '%f5%80%80%80', '%80', '%c3', '%%', '%u0041', '%e2%82'],
  ...['%00', '%0a', '%0d%0a', '%09', '%20', '%25', '%25zz', '%2525', '%2f', 'a%2Fb', '%5c', '%3f', '%23', '%26', '%2B'],
  ...['.', '..', '...', '%2e', '%2e%2e', '.%2E', '..%2f..', '%F0%9F%98%80', '%c3%a9', '%ef%bb%bf', '%e2%80%ae'],
  ...[
    '0',
    '42',
    '-1',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    '*',
    ':id',
    '{id}',
    "'",
    '"',
    '<x>',
    '~',
    '|',
    '^',
    '`',
  ],
  ...[`{${known.product}}`, known.product.replaceAll('-', ''), `${known.product}0`, `%7b${known.product}%7d`],
  ...[known.product.toUpperCase(), known.product.replace('2', '%32'), `${known.product}%00`, `${known.product};v=1`],
  ...[
    '',
    'x'.repeat(10_000),
    '%F0%9F%98%80'.repeat(300),
    'a+b',
    'a,b',
    'a;b',
    'a=b',
    'a&b',
    'a@b',
    'a:b',
    '!$()',
    "it's",
  ],
);
const id = usually(goodId, oddIds, 2);

/** What is done to a path that is made. */
const bends: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/v2', '/V2'),
  (path) => path.replace('/v2', '/v%32'),
  (path) => path.replace('/v2', '/./v2'),
  (path) => path.replace('/v2/', '/v2/x/../'),
  (path) => path.replace('/v2/', '/v2/x/%2e%2E/'),
  (path) => path.replace('/v2/', '/v2//'),
  (path) => path.replace('/v2/', '/v2/%zz/'),
  (path) => path.replace('/v2/', '/v2%2f'),
  (path) => path.replace('o', '%6f'),
  (path) => path.replace('o', '%6F'),
  (path) => path.replace('o', '%4f'),
  (path) => path.replace('s', '%c5%bf'),
  (path) => path.replace('/v2', '/../../v2'),
  (path) => path.replace('/v2', ''),
  (path) => path.replace('/v2', '/v1'),
  (path) => `${path}/.`,
  (path) => `${path}/..`,
  (path) => `${path}/x`,
  (path) => `${path};x=1`,
  (path) => `${path}%20`,
  (path) => `${path}%2f`,
  (path) => `${path}.json`,
  (path) => path.slice(0, -1),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replace('/v2/', '/v2\\'),
  (path) => `${path}#top`,
  (path) => `${path}#top?limit=0`,
  (path) => `http://localhost${path}`,
  (path) => `http://elsewhere.example:81${path}`,
  (path) => `//localhost${path}`,
];
const bend = fc.oneof(
  { weight: 4, arbitrary: fc.constant((path: string) => path) },
  { weight: 1, arbitrary: fc.constantFrom(...bends) },
);
/** A method and a target that belong together, or nearly. */
export interface Aim {
  readonly method: string;
  readonly target: string;
  /** The route that was aimed at. */
  readonly path: string;
}

const otherMethods = from(
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE', 'MERGE', 'M-SEARCH', 'LINK'],
  ...['get', 'Post', 'FOO'],
);

/** Routes that take more than a path come more often. */
const routes = fc.constantFrom(
  ...referenceRoutes.flatMap((one) =>
    Array<typeof one>(one.path.endsWith('/v2/orders') && one.body ? 5 : one.query || one.body ? 2 : 1).fill(one),
  ),
);

export const aim: fc.Arbitrary<Aim> = routes.chain((route) =>
  fc.record({
    method: fc.oneof(
      { weight: 7, arbitrary: fc.constant<string>(route.method) },
      { weight: route.method === 'GET' ? 1 : 0, arbitrary: fc.constant('HEAD') },
      { weight: 1, arbitrary: otherMethods },
    ),
    target: fc
      .tuple(id, bend, route.query ? query : rarely)
      .map(([filled, bent, asked]) => bent(route.path.replace(/\{\w+\}/, () => filled)) + asked),
    path: fc.constant(route.path),
  }),
);

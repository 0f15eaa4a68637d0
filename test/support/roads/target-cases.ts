// Targets and methods: paths, queries, what stands in the way of a URL that is taken as it came.
import { known } from '../../cases/requests.ts';
import { type Cases, list } from './cases.ts';
import { posted, request } from './requests.ts';

export const paths: Cases = list(
  [
    ...[
      '/',
      '/v2',
      '/v2/',
      '/v2/nothing',
      '/nothing',
      '/v2/products/',
      '/V2/products',
      '//v2/products',
      '/v2//products',
    ],
    ...['/v2/./products', '/v2/../v2/products', '/v2/products/..', '/v2/products/.', '/v2/products/...', '/v2/.hidden'],
    ...['/v2/products#top', '/v2/products;a=b', '/v2/products@x', '/v2/products:x', '/v2/products*', '/v2/%70roducts'],
    ...[
      '/v2/products/%20',
      '/v2/products/%zz',
      '/v2/products/%00',
      '/v2/products/a%2Fb',
      '/v2/products/%E4',
      '/v2/products/a+b',
    ],
    ...[
      "/v2/products/a'b",
      '/v2/products/a"b',
      '/v2/products/a|b',
      '/v2/products/a^b',
      '/v2/products/{x}',
      '/v2/products/<x>',
    ],
    ...[
      '/v2/products\\x',
      '/v2/products/`x`',
      '/v2/products/[x]',
      '/v2/products/~x',
      '/v2/products/$&',
      '/v2/products/:id',
    ],
    ...[`/v2/products/${known.product.toUpperCase()}`, '/v2/products/__proto__', '/v2/orders/constructor/cancel'],
    ...[
      '/sandboxes/',
      '/sandboxes//v2/products',
      '/sandboxes/STAGE/v2/products',
      '/sandboxes/stage/v2',
      '/sandboxes/stage',
    ],
    ...[
      '/sandboxes/__proto__/v2/products',
      '/sandboxes/stage%20/v2/products',
      '/sandboxes/a@b/v2/products',
      '/health',
      '/health?x',
    ],
    ...[
      '/health/',
      '/_docs/',
      '/_docs/openapi.json',
      '/_admin/sandboxes',
      '/_admin/nothing',
      '/_console',
      '/_tracking/x',
    ],
    ...[
      'http://localhost/v2/products',
      'http://elsewhere.example/v2/products',
      'https://localhost/v2/products',
      `/v2/products/${'x'.repeat(5000)}`,
    ],
    ...['?', '/?', '/v2/products?', '*', 'v2/products', '/v2/pröducts', '/v2/products?\xff', '/v2/products/\xe4'],
  ].map((path) => [`GET ${path.slice(0, 60)}`, request(`GET ${path}`)] as const),
);

export const queries: Cases = list(
  [
    ...[
      '',
      'limit=1',
      'limit=',
      'limit',
      '=',
      '&',
      '&&&',
      'limit=1&',
      '&limit=1',
      'limit=1&limit=2',
      'limit=1&limit=1',
      'x=1',
    ],
    ...[
      'limit=%31',
      'l%69mit=1',
      'limit=+1',
      'limit=%2B1',
      'limit=1%20',
      'limit=1?',
      '?limit=1',
      'limit=1?&x',
      'limit=%zz',
      'limit=%',
    ],
    ...[
      'limit==1',
      'limit=1=2',
      'limit=1;x=2',
      'limit=01',
      'limit=1e1',
      'limit=-1',
      'limit=0',
      'limit=101',
      'limit=NaN',
      'LIMIT=1',
    ],
    ...[
      'cursor=x',
      'cursor=',
      'cursor=x&cursor=y',
      '__proto__=1',
      '__proto__=1&limit=1',
      'constructor=1',
      'toString=1&toString=2',
    ],
    ...[
      "limit='1'",
      'limit="1"',
      'limit=<1>',
      'limit=1|2',
      'limit=`1`',
      'limit={1}',
      'limit=^',
      'limit=\\1',
      'limit[]=1',
      'limit[0]=1',
    ],
    ...[
      'limit=1/../2',
      'limit=1/..',
      'limit=1//',
      'limit=1:2@3',
      'limit=1,2',
      'limit=1!$()*-._~',
      'limit=ä',
      'limit=%C3%A4',
      'limit=%E4',
    ],
    ...['limit=1#x', '#limit=1', 'password=secret', 'access_token=secret&limit=1', `limit=${'1'.repeat(3000)}`],
  ].map((query) => [`?${query.slice(0, 60)}`, request(`GET /v2/orders?${query}`)] as const),
);

export const methods: Cases = list(
  ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'TRACE', 'PROPFIND', 'M-SEARCH', 'QUERY', 'LINK'].flatMap(
    (method) =>
      ['/v2/products', '/v2/orders', '/health', '/nothing', '/_docs/', '/sandboxes/nobody/v2/products'].flatMap(
        (path) => [
          [`${method} ${path}`, request(`${method} ${path}`)],
          [`${method} ${path} of length 0`, request(`${method} ${path}`, { body: '' })],
          [`${method} ${path} with a body`, posted(`${method} ${path}`, {})],
        ],
      ),
  ) as [string, string][],
);

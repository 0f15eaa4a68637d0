// Headers: their names, their values, who they say is asking, and under which host.
import { known } from '../../cases/requests.ts';
import { type Cases, list } from './cases.ts';
import { request } from './requests.ts';

const manyHeaders = (count: number) => Array.from({ length: count }, (_, at) => `h${(count - at).toString(36)}:${at}`);
export const headers: Cases = list(
  Object.entries({
    'names in capitals': ['ACCEPT: */*', 'USER-AGENT: X', 'Content-TYPE: x'],
    'names in any order': ['zz: 1', 'Aa: 2', 'm-m: 3', '_x: 4', '~x: 5', '!x: 6', '0: 7'],
    'empty values': ['X-Empty:', 'X-Blank:   ', 'User-Agent:'],
    'blanks around values': ['X-A:   a b  \t ', 'X-B:\tb'],
    'Latin-1': ['X-L: \xe4\xf6\xfc', 'User-Agent: \xff'],
    'a tab and a control character': ['X-T: a\tb'],
    'names of the prototype': ['__proto__: x', 'constructor: y', 'toString: z', 'hasOwnProperty: 1'],
    'a cookie': ['Cookie: a=b; c=d'],
    'two cookies': ['Cookie: a=b', 'Cookie: c=d'],
    'the same twice, otherwise written': ['X-Same: a', 'x-same: b'],
    'Set-Cookie': ['Set-Cookie: a=b', 'set-cookie: c=d'],
    secrets: ['X-Api-Key: secret', 'Proxy-Authorization: Basic abc', 'X-Token: Bearer x'],
    '200 headers, backwards': manyHeaders(200),
    '900 headers, backwards': manyHeaders(900),
    'a guarded header behind 900 others': [...manyHeaders(900), 'Sec-Fetch-Site: cross-site'],
    'a long one': [`X-Long: ${'x'.repeat(10_000)}`],
    'too long': [`X-Long: ${'x'.repeat(20_000)}`],
    'cross-site': ['Sec-Fetch-Site: cross-site'],
    'cross-site in capitals': ['SEC-FETCH-SITE: CROSS-SITE'],
    'a followed link': ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'],
    'same-origin': ['Sec-Fetch-Site: same-origin', 'Origin: http://localhost'],
    'a wish for 100': ['Expect: 100-continue'],
    'a wish for a miracle': ['Expect: a-miracle'],
    conditions: ['If-None-Match: *', 'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT', 'Range: bytes=0-1'],
    encodings: ['Accept-Encoding: gzip, br', 'Accept: text/html', 'TE: trailers'],
    forwarded: ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https', 'Forwarded: host=x'],
    'connection: close': ['Connection: close'],
    'connection: keep-alive': ['Connection: keep-alive'],
    'connection: nonsense': ['Connection: x-twice, nonsense'],
    'a trailer told': ['Trailer: X-T'],
    basic: ['X-None: 1'],
  }).map(([name, lines]) => [name, request('GET /v2/orders?limit=1', { headers: lines })] as const),
);

export const authorizations: Cases = list(
  [
    'Bearer @demo',
    'bearer @demo',
    'BEARER   @demo  ',
    'Bearer',
    'Bearer ',
    'Basic x',
    '@demo',
    'Bearer @demo x',
    'Bearer @demox',
    '',
  ].map(
    (value) =>
      [
        `Authorization: ${value}`,
        request('GET /v2/products?limit=1', { token: '', headers: [`Authorization: ${value}`] }),
      ] as const,
  ),
);

const hostLines = [
  ...[
    'localhost',
    'localhost:80',
    'localhost:4010',
    'localhost:65535',
    'localhost:65536',
    'localhost:',
    'LOCALHOST',
    'LocalHost:4010',
  ],
  ...[
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:4010',
    '[0:0::1]',
    '[::ffff:127.0.0.1]',
    '[::1',
    '::1',
    'a.localhost',
  ],
  ...[
    'elsewhere.example',
    'elsewhere.example:80',
    'user@localhost',
    'localhost/x',
    'localhost?x',
    'localhost#x',
    'localhost\\x',
    'a b',
    ',',
  ],
  ...[
    'localhost, localhost',
    'l\xf6calhost',
    'xn--lcalhost-n4a',
    '%6cocalhost',
    'localhost.',
    '.localhost',
    '-',
    '_',
    'a!b',
    'a!b:80',
    ' localhost ',
  ],
];
export const hosts: Cases = {
  ...list(hostLines.map((host) => [`Host: ${host}`, request('GET /v2/products?limit=1', { host })] as const)),
  ...list(
    hostLines.map(
      (host) => [`Host: ${host}, and labels`, request(`GET /v2/fulfillments/${known.fulfillment}`, { host })] as const,
    ),
  ),
  ...list(
    ['localhost', 'elsewhere.example', 'a b'].map(
      (host) => [`Host: ${host}, HEAD`, request('HEAD /v2/products', { host, body: '' })] as const,
    ),
  ),
  ...list(
    ['elsewhere.example', 'a,b'].map(
      (host) => [`Host: ${host}, with a body`, request('POST /v2/orders', { host, body: 'x'.repeat(3000) })] as const,
    ),
  ),
  'no Host': request('GET /v2/products').replace('Host: localhost\r\n', ''),
  'two Hosts': request('GET /v2/products', { headers: ['Host: localhost'] }),
  'an empty Host': request('GET /v2/products', { host: '' }),
};

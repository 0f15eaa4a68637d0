// Signature Version 4 in the query, from its documentation alone ("Authenticating Requests: Using Query Parameters", Amazon S3 API
// Reference). The oracle of label URLs: it must not look at how the product signs.
import { createHash, createHmac } from 'node:crypto';

/** UriEncode() of the documentation: everything but unreserved characters, as upper-case %XX of UTF-8. */
const uriEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Parameters in their order, decoded: no form decoding, for which `+` is a space. */
const parametersOf = ({ search }: URL): [string, string][] =>
  Array.from(search.matchAll(/[?&]([^=&]*)=?([^&]*)/g), ([, name = '', value = '']) => [
    ...([decodeURIComponent(name), decodeURIComponent(value)] as const),
  ]);

function canonicalRequest(method: string, url: URL): string {
  const query = parametersOf(url)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [uriEncode(name), uriEncode(value)] as const)
    .sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const path = url.pathname.split('/').map((segment) => uriEncode(decodeURIComponent(segment)));
  const lines = [method, path.join('/'), query.map((pair) => pair.join('=')).join('&')];
  return [...lines, `host:${url.host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n');
}

/** The signature that belongs to this URL, whatever signature it has. */
export function signatureOf(text: string, secret: string, method = 'GET'): string {
  const url = new URL(text);
  const parameters = new Map(parametersOf(url));
  const [, day = '', ...scope] = (parameters.get('X-Amz-Credential') ?? '').split('/');
  const digest = createHash('sha256').update(canonicalRequest(method, url)).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', parameters.get('X-Amz-Date'), [day, ...scope].join('/'), digest].join('\n');
  return hmac(scope.reduce(hmac, hmac(`AWS4${secret}`, day)), toSign).toString('hex');
}

/** The URL with the signature that belongs to it. */
export function sign(text: string, secret: string, method = 'GET'): string {
  const bare = text.replace(/&?X-Amz-Signature=[^&]*/, '');
  return `${bare}&X-Amz-Signature=${signatureOf(bare, secret, method)}`;
}

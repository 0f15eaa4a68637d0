// Signature Version 4 in the query, from its documentation alone ("Authenticating Requests: Using Query Parameters", Amazon S3 API
// Reference). The oracle of label URLs: it must not look at how the product signs.
import { createHash, createHmac } from 'node:crypto';

/** UriEncode() of the documentation: everything but unreserved characters, as upper-case %XX of UTF-8. */
const uriEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Parameters in the order they stand in, decoded. */
function parametersOf(url: URL): [string, string][] {
  const parts = url.search.slice(1).split('&').filter(Boolean);
  return parts.map((part) => {
    const at = part.indexOf('=');
    return [decodeURIComponent(part.slice(0, at)), decodeURIComponent(part.slice(at + 1))];
  });
}

const byCodePoint = ([a]: readonly string[], [b]: readonly string[]): number =>
  Buffer.compare(Buffer.from(a ?? ''), Buffer.from(b ?? ''));

function canonicalRequest(method: string, url: URL): string {
  const query = parametersOf(url)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [uriEncode(name), uriEncode(value)])
    .sort(byCodePoint);
  const path = url.pathname.split('/').map((segment) => uriEncode(decodeURIComponent(segment)));
  const headers = `host:${url.host}\n`;
  return [
    method,
    path.join('/'),
    query.map((pair) => pair.join('=')).join('&'),
    headers,
    'host',
    'UNSIGNED-PAYLOAD',
  ].join('\n');
}

/** The signature that belongs to this URL, whatever signature stands in it. */
export function signatureOf(text: string, secret: string, method = 'GET'): string {
  const url = new URL(text);
  const given = new Map(parametersOf(url));
  const [, day = '', region = '', service = '', end = ''] = (given.get('X-Amz-Credential') ?? '').split('/');
  const digest = createHash('sha256').update(canonicalRequest(method, url)).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', given.get('X-Amz-Date'), [day, region, service, end].join('/'), digest].join(
    '\n',
  );
  const key = [region, service, end].reduce(hmac, hmac(`AWS4${secret}`, day));
  return hmac(key, toSign).toString('hex');
}

/** The URL with the signature that belongs to it. */
export function sign(text: string, secret: string, method = 'GET'): string {
  const bare = text.replace(/&?X-Amz-Signature=[^&]*/, '');
  return `${bare}&X-Amz-Signature=${signatureOf(bare, secret, method)}`;
}

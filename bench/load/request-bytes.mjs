// Requests as bytes: made once, before the load, so that the generator only writes them.

/** The bytes of one HTTP/1.1 request to `url` (origin): `{ method?, path, headers?, body? }`. */
export function requestBytes(url, { method = 'GET', path, headers = {}, body = '' }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${lines.join('')}${length}\r\n${body}`,
  );
}

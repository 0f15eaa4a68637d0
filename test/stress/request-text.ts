// Requests of HTTP/1.1 as they go over a connection.

/** The head of a request, the empty line behind it included; `lines` are more headers, without line ends. */
export function headText(url: string, token: string, line: string, ...lines: readonly string[]): string {
  const { host } = new URL(url);
  return [`${line} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`, ...lines, '', ''].join('\r\n');
}

/** A whole request, with a body of JSON where one is given. */
export function requestText(url: string, token: string, line: string, body = ''): string {
  if (body === '') return headText(url, token, line);
  return headText(url, token, line, json, `Content-Length: ${Buffer.byteLength(body)}`) + body;
}

/** The header line of what orders are. */
export const json = 'Content-Type: application/json';

// Requests as bytes, for both roads of a port: the same but for one header, which comes once on the direct road and twice on the adaptor's.
// `Headers` joins the latter, so that handlers and the journal are told the same.

export type Road = 'direct' | 'adapted';
/** Who asks: placeholders of tokens, which the servers of one seed give alike. */
export type Tokens = Readonly<Record<'@demo' | '@nobody' | '@elsewhere', string>>;

const roadLines = { direct: 'X-Twice: a, b', adapted: 'X-Twice: a\r\nX-Twice: b' } as const;

export interface Parts {
  /** Header lines, without line ends. */
  readonly headers?: readonly string[];
  /** One character for each byte. */
  readonly body?: string;
  /** A token's placeholder, or none. */
  readonly token?: keyof Tokens | '';
  readonly host?: string;
}

/** A request with its length told where it has a body, each character a byte. */
export function request(line: string, { headers = [], body, token = '@demo', host = 'localhost' }: Parts = {}): string {
  const lines = [
    `${line} HTTP/1.1`,
    `Host: ${host}`,
    '@road',
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

const json = 'Content-Type: application/json';

/** The same with a body of JSON. @param value an own text is sent as it is */
export const posted = (line: string, value: unknown, parts: Parts = {}): string =>
  request(line, {
    ...parts,
    headers: [json, ...(parts.headers ?? [])],
    body: typeof value === 'string' ? value : bytesOf(JSON.stringify(value)),
  });

/** A text as its bytes of UTF-8, a character for each. */
export const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/** The bytes to send on a road, where no placeholder stands any more. */
export function onRoad(text: string, road: Road, tokens: Tokens): Buffer {
  const told = text
    .replaceAll('@road', roadLines[road])
    .replace(/@(?:demo|nobody|elsewhere)\b/g, (name) => tokens[name as keyof Tokens]);
  return Buffer.from(told, 'latin1');
}

/** Asks for the end of the connection: what stands behind another request on it shows how that left it. */
export const last = request('GET /v2/products?limit=1', { headers: ['Connection: close'] });

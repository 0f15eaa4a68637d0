// Requests over a port with any headers, also those that fetch forbids.
import { request } from 'node:http';
import type { Target } from './unprotected.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request, with these headers and no others but the host. */
export function ask({ port }: Pick<Target, 'port'>, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const options = { port, path, method, headers: { host: `localhost:${port}`, ...headers }, agent: false };
    const sent = request({ host: '127.0.0.1', ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject).end(body);
  });
}

export const json = { 'content-type': 'application/json' };

/** The headers of a browser for a request of a page of another site. */
export const fromAfar = (mode: string, dest: string) => ({
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
});

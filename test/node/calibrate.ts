// `sachet calibrate` over a sandbox on a port, or over a server that the test writes.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Choices } from '../../src/contract/assumptions.ts';
import type { LearnedReport } from '../../src/contract/observations.ts';
import { served } from '../library/starts.ts';
import { folder, listening } from '../support/command.ts';
import { resultHere } from '../support/command-here.ts';
import { fulfillmentRow, products } from '../support/order-requests.ts';
import { fixtures, passwordOf } from '../support/sachet.ts';

export const password = passwordOf('demo');
export const env = { CALIBRATE_PASSWORD: password };

/** Newer than those of the fixtures, not delivered, and more than a page of the smaller `max_limit`. */
const pending = Array.from({ length: 60 }, (_, n) => {
  const at = new Date(Date.parse('2026-11-01T12:00:00Z') + n * 60_000).toISOString();
  return fulfillmentRow(n, {
    ...{ delivery_date: null, pickup_date: null, tracking_info: null, created_at: at, updated_at: at },
  });
});
const manyFulfillments = { ...fixtures, fulfillments: [...fixtures.fulfillments, ...pending] };

/** A service with these choices: a sandbox of another server. */
export const service = (assumptions: Partial<Choices> = {}) => served({ assumptions, fixtures: manyFulfillments });

/** The arguments for a target; `out` is the path of the config file, in a new folder. */
export function calibration(target: string, more: readonly string[] = []) {
  const out = join(folder(), 'sachet.config.json');
  const login = ['--username', 'demo', '--password-env', 'CALIBRATE_PASSWORD'];
  const args = ['calibrate', '--target', target, ...login, '--rate', '5000', '--out', out, ...more];
  return { args, out, progress: `${out}.progress` };
}

/** The values that only a user knows. */
export const known = [
  ...['--known', `foreign_product=${products.foreign}`],
  ...['--known', `inactive_product=${products.inactive}`],
];

/** Runs it in this process; `report` is the document of --json. */
export async function calibrated(target: string, more: readonly string[] = []) {
  const { args, ...paths } = calibration(target, [...more, '--json']);
  const result = await resultHere(args, env);
  return { ...result, ...paths, report: JSON.parse(result.stdout || 'null') as LearnedReport };
}

/** A server that answers as the test says; it counts the requests. */
export async function fakeService(answer: RequestListener) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, requests };
}

/** Answers the login, and leaves all other requests to the test. */
export const afterLogin =
  (answer: RequestListener): RequestListener =>
  (request: IncomingMessage, response) => {
    if (!request.url?.startsWith('/v2/authentication/')) return answer(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: 'a.b.c', refresh_token: 'd.e.f', expires_in: 86_400 }));
  };

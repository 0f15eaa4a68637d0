// Bodies sent to POST /v2/orders as they are, and what came of them.
import { validOrder } from '../cases/requests.ts';
import { type CallInit, testSachet } from './sachet.ts';

/** A good order as text. */
export const orderText = JSON.stringify(validOrder);

export const malformed = [400, 'Invalid request payload JSON format'];
export const unsupported = [400, 'Unsupported Media Type'];
export const tooLarge = [400, 'Payload content length greater than maximum allowed: 1048576'];
export const notAnObject = [422, '"value" must be of type object'];

/** The status and message of the answer; of a created order its status. */
export async function posted(init: CallInit, options: Parameters<typeof testSachet>[0] = {}) {
  const client = await testSachet(options).login();
  const { status, body } = await client.post('/v2/orders', undefined, init);
  return [status, body.message ?? body.order.status];
}

export const postedRaw = (raw: BodyInit, headers: Record<string, string> = {}) => posted({ raw, headers });

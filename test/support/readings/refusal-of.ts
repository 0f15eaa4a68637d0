// Ordering, to see what is refused.
import type { TestSachet } from '../sachet.ts';

/** Undefined where the order is accepted, else the body of the refusal. */
export async function refusalOf(sachet: TestSachet, body: unknown): Promise<unknown> {
  const client = await sachet.login();
  const answer = await client.post('/v2/orders', body);
  return answer.status === 201 ? undefined : answer.body;
}

// Label URLs as a client gets them, and their downloads.
import type { Fulfillment } from './order-requests.ts';
import { type Answer, type Client, fixtures, testSachet } from './sachet.ts';

/** The first fulfillment of the demo user's brand, and another one. */
export const [labelled, another] = fixtures.fulfillments.filter(
  ({ brand_id }) => brand_id === fixtures.users[0]?.brand_id,
) as [Fulfillment, Fulfillment];

/** A fresh label URL. */
export async function labelUrlOf(client: Client, id = labelled.id): Promise<string> {
  const { body } = await client.get(`/v2/fulfillments/${id}`);
  return body.fulfillment.label_url;
}

/** The code of S3's error document with its status, or the status alone. */
export function downloadOutcome({ status, text }: Answer): string {
  const [, code] = /<Code>(\w+)<\/Code>/.exec(text) ?? [];
  return code ? `${status} ${code}` : String(status);
}

/** The value of one element of S3's error document. */
export const element = ({ text }: Answer, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];

/** A Sachet, a client, a label URL and the download of any URL. */
export async function storage(options: Parameters<typeof testSachet>[0] = {}) {
  const sachet = testSachet(options);
  const client = await sachet.login();
  const url = await labelUrlOf(client);
  const download = (from: string, method = 'GET') => sachet.call(method, from);
  const outcome = async (from: string, method = 'GET') => downloadOutcome(await download(from, method));
  return { sachet, client, url, download, outcome };
}

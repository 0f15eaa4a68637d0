// Uses the parts of Sachet that depend on the runtime: signatures, e-mail validation, the clock, labels and compressed
// files. Returns one line of results.
import { createSachet, sampleOrder } from '../../dist/index.js';

export async function collectResults() {
  const sachet = createSachet({ clock: '2026-01-01T00:00:00Z', randomSeed: 'runtimes' });
  const sandbox = await sachet.createSandbox({ name: 'w1' });
  const client = sandbox.client();
  const created = await client.post('/v2/orders', sampleOrder());
  const consumer = { first_name: 'Ada', last_name: 'Lovelace', email: 'no address' };
  const rejected = await client.post('/v2/orders', sampleOrder({ consumer }));
  await sandbox.clock.advance({ by: 'P1D' });
  const { fulfillments } = await (await client.get('/v2/fulfillments')).json();
  const { label_url } = fulfillments.find(({ tracking_info }) => tracking_info);
  const label = new Uint8Array(await (await sandbox.fetch(label_url)).arrayBuffer());
  const { satisfied } = await sandbox.requests.verify({ match: { operation: 'authentication.refresh' }, count: 1 });
  const style = await (await sachet.fetch('/_docs/swagger-ui.css')).text();
  await sachet.close();
  const pdf = new TextDecoder().decode(label.subarray(0, 5));
  return [
    `order ${created.status}`,
    `e-mail ${rejected.status} ${rejected.headers.get('sandbox-rule')}`,
    `refreshed ${satisfied}`,
    `label ${pdf} of ${label.length} bytes`,
    `style of ${style.length} characters`,
  ].join(', ');
}

// Every body of the samples: JSON is accepted with the value that it has, everything else is rejected.
import { expect, test } from 'vitest';
import { testSachet } from '../support/sachet.ts';
import { samples, verdictOf } from './json.ts';

test.each(['accepted', 'rejected'] as const)('each body is %s as it should be', async (verdict) => {
  const sachet = testSachet();
  const client = await sachet.login();
  const ofVerdict = samples.filter((entry) => entry.verdict === verdict);
  const wrong: string[] = [];
  for (const { name, bytes, value } of ofVerdict) {
    const raw = typeof bytes === 'string' ? bytes : Buffer.from(bytes);
    const response = await client.post('/v2/orders', undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    if (verdictOf(response) !== verdict) wrong.push(`${name}: ${response.status} ${response.text}`);
    // The journal shows the parsed body.
    if (value === undefined || bytes.length === 0) continue;
    const id = response.headers.get('sandbox-request-id') ?? '';
    const shown = (await sachet.control.sandbox('stage').requests.get(id)).request.body;
    if (JSON.stringify(shown) !== JSON.stringify(value)) wrong.push(`${name}: ${JSON.stringify(shown)}`);
  }
  expect(ofVerdict.length).toBeGreaterThan(30);
  expect(wrong).toEqual([]);
});

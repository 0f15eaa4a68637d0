// Sachet in process: makes orders one after the other for as long as the benchmark asks, and reads each answer, as a client does.
import { createSachet } from '../dist/index.js';

const json = { 'content-type': 'application/json' };
const sachet = createSachet();
const login = JSON.stringify({ username: 'demo', password: 'sachet-demo' });
const response = await sachet.fetch('/v2/authentication/token', { method: 'POST', headers: json, body: login });
const { access_token } = await response.json();
const headers = { ...json, authorization: `Bearer ${access_token}` };

process.on('message', async ({ body, seconds }) => {
  const began = performance.now();
  let calls = 0;
  for (; performance.now() - began < seconds * 1000; calls += 1) {
    const response = await sachet.fetch('/v2/orders', { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`An order was answered ${response.status}: ${text}`);
  }
  process.send({ perSecond: (calls * 1000) / (performance.now() - began) });
});
process.once('SIGTERM', () => process.exit(0));
console.log(JSON.stringify({ ready: true }));

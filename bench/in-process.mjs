// Sachet in process: places orders one after the other for the requested time, and reads each response like a client.
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
    if (response.status !== 201) throw new Error(`POST /v2/orders failed with ${response.status}: ${text}`);
  }
  process.send({ perSecond: (calls * 1000) / (performance.now() - began) });
});
process.once('SIGTERM', () => process.exit(0));
console.log(JSON.stringify({ ready: true }));

// The thread that test-server.ts starts. What a test does to its globals (a DOM, fake timers) does not reach this
// server.
import { parentPort } from 'node:worker_threads';
import { serve } from './serve.ts';

const { baseUrl: url, adminKey } = await serve();
parentPort?.postMessage({ url, adminKey });

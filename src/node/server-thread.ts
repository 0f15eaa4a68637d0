// A server in a thread of its own, which whoever starts the thread is told of: what a test does to its own globals (a DOM, timers that
// stand still) does not reach it.
import { parentPort } from 'node:worker_threads';
import { serve } from './serve.ts';

const { baseUrl: url, adminKey } = await serve();
parentPort?.postMessage({ url, adminKey });

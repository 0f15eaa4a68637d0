// The peers, each with the fairest simple set-up of the same two calls: twenty products, and an order.
import { emulate, hono } from './frameworks.mjs';
import { jsonServer, jsonServer1 } from './json-servers.mjs';
import { mockoon } from './mockoon.mjs';
import { mountebank } from './mountebank.mjs';
import { prism } from './prism.mjs';
import { wiremock } from './wiremock.mjs';

/**
 * key: of its figures · name: of its measurement, where it is not the key · label: how it is called · packages: what is installed · setUp: writes what it needs into its folder, and gives `{ words }`,
 * the command that starts it on `port`, with `products` and `orders`, the paths, where they are others than the service's · note: what the set-up
 * does · warmUpSeconds: where it needs longer
 */
export const peers = [prism, wiremock, hono, mountebank, mockoon, jsonServer, jsonServer1, emulate];

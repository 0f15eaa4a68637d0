// What users write in projects with other tools: Jest, a DOM, TypeScript that compiles to CommonJS.

const calls = `
  const sandbox = await sachet.createSandbox();
  const client = sandbox.client();
  expect((await client.post('/v2/orders', sampleOrder())).status).toBe(201);
  // Parts of the library that load later: a label, the API's document, a page of the console.
  const { fulfillments } = await (await client.get('/v2/fulfillments?limit=1')).json();
  expect((await (await sandbox.fetch(fulfillments[0].label_url)).text()).slice(0, 5)).toBe('%PDF-');
  expect((await sachet.fetch('/_docs/openapi.json')).status).toBe(200);
  expect((await sachet.fetch('/_console')).status).toBeLessThan(400);
`;
const inProcess = `
test('in process', async () => {
  const sachet = createSachet();
  ${calls}
});
`;

export const jestTest = `
const { ControlError, FixturesError, createSachet, sampleOrder } = require('sachet');
const { serve } = require('sachet/node');
${inProcess}
test('on a port', async () => {
  const sachet = await serve();
  ${calls}
  await sachet.close();
});

test('fake timers do not stop it', async () => {
  jest.useFakeTimers();
  const sandbox = await createSachet().createSandbox({ scenario: 'maintenance' });
  expect((await sandbox.fetch('/v2/products')).status).toBe(500);
  jest.useRealTimers();
});

test('errors are of its classes', async () => {
  await expect(createSachet().sandbox('nope').get()).rejects.toThrow(ControlError);
  expect(() => createSachet({ fixtures: { pags: 1 } })).toThrow(FixturesError);
});
`;

/** A page of the server's origin, whose XMLHttpRequest reaches the server. The address is that of `location`. */
const viaXhr = `
const get = (url) =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('GET', url);
    xhr.onload = () => resolve(xhr.status);
    xhr.onerror = () => reject(new Error('no answer'));
    xhr.send();
  });
`;

export const jestDomTest = `
const { connect } = require('sachet');
${viaXhr}
test('XMLHttpRequest', async () => {
  const sandbox = await connect({ url: location.origin, adminKey: process.env.SACHET_ADMIN_KEY }).createSandbox();
  expect(await get(sandbox.baseUrl + '/v2/products')).toBe(401);
});
`;

export const vitestDomTest = `
import { createSachet, sampleOrder } from 'sachet';
import { expect, test } from 'vitest';
${inProcess}
`;

export const vitestOriginTest = `
import { sampleOrder } from 'sachet';
import { test } from 'sachet/vitest';
import { expect } from 'vitest';
${viaXhr}
test('fetch and XMLHttpRequest', async ({ sandbox }) => {
  const { baseUrl, login } = sandbox;
  expect((await sandbox.client().post('/v2/orders', sampleOrder())).status).toBe(201);
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(login) };
  expect((await fetch(baseUrl + '/v2/authentication/token', init)).status).toBe(200);
  expect(await get(baseUrl + '/v2/products')).toBe(401);
});
`;

/** Compiled as an ES module and as CommonJS. Prints whether both forms are the same library. */
export const typescriptUse = `
import { ControlError, createSachet, type Sachet, sampleOrder } from 'sachet';
import { loadFixtures, serve, type ServeOptions } from 'sachet/node';

const statusOf = (error: unknown): number => (error instanceof ControlError ? error.status : 0);
const caught = (error: ControlError): number => error.status;
const options: ServeOptions = { fixtures: loadFixtures('node_modules/sachet/fixtures') };

export async function main(): Promise<void> {
  const server: Sachet = await serve(options);
  const sandbox = await server.createSandbox();
  const order = await sandbox.client().post('/v2/orders', sampleOrder());
  const refused = await server.sandbox('nope').get().then(() => 0, statusOf);
  const again: number = await server.sandbox('nope').get().then(() => 0, caught);
  await server.close();
  const isOne = (await import('sachet')).createSachet === createSachet;
  console.log(JSON.stringify([order.status, refused, again, isOne]));
}
void main();
`;

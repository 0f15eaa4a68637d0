// A client of the control API, generated from its OpenAPI document.
import { expect } from 'vitest';
import { test } from './client-test.ts';

const switches = '/_admin/sandboxes/{sandbox}/switches';

test('turns a switch on and off', async ({ client, control, order, sandbox }) => {
  const params = { path: { sandbox: sandbox.name } };
  const on = await control.PATCH(switches, { params, body: { inactive_pags: { all: true } } });
  expect(on.data?.inactive_pags).toMatchObject({ all: true });
  expect((await client.placeOrder(order)).status).toBe('Needs Changes');

  const off = await control.PATCH(switches, { params, body: { inactive_pags: null } });
  expect(off.data?.inactive_pags).toBeNull();
  expect((await client.placeOrder(order)).status).toBe('Pending');
});

test('gets a typed error for an unknown sandbox', async ({ control }) => {
  const params = { path: { sandbox: 'nowhere' } };
  const { error, response } = await control.GET('/_admin/sandboxes/{sandbox}/clock', { params });
  expect(response.status).toBe(404);
  expect(error).toMatchObject({ statusCode: 404, message: expect.stringContaining('nowhere') });
});

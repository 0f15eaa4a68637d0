// The control API by a client of its own document.
import { expect } from 'vitest';
import { test } from './client-test.ts';

const switches = '/_admin/sandboxes/{sandbox}/switches';

test('a switch goes on, and off again', async ({ client, control, order, sandbox }) => {
  const params = { path: { sandbox: sandbox.name } };
  const on = await control.PATCH(switches, { params, body: { inactive_pags: { all: true } } });
  expect(on.data?.inactive_pags).toMatchObject({ all: true });
  expect((await client.placeOrder(order)).status).toBe('Needs Changes');

  const off = await control.PATCH(switches, { params, body: { inactive_pags: null } });
  expect(off.data?.inactive_pags).toBeNull();
  expect((await client.placeOrder(order)).status).toBe('Pending');
});

test('what it refuses, it refuses with the error of its document', async ({ control }) => {
  const params = { path: { sandbox: 'nowhere' } };
  const { error, response } = await control.GET('/_admin/sandboxes/{sandbox}/clock', { params });
  expect(response.status).toBe(404);
  expect(error).toMatchObject({ statusCode: 404, message: expect.stringContaining('nowhere') });
});

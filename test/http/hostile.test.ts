// Odd methods and paths are rejected as the contract says: HTTP-1, HTTP-2, HTTP-3.
import { describe, expect, test } from 'vitest';
import { operationList } from '../../src/contract/operations.ts';
import { allOffered } from '../cases/common.ts';
import { known } from '../cases/requests.ts';
import { testSachet } from '../support/sachet.ts';

const notFound = { statusCode: 404, error: 'Not Found', message: 'Not Found' };
const badRequest = { statusCode: 400, error: 'Bad Request', message: 'Bad Request' };

const sachet = testSachet({ assumptions: allOffered });
const client = await sachet.login();
const authorized = { headers: { authorization: `Bearer ${client.token}` } };

describe('there is no route (HTTP-1)', () => {
  const paths = [...new Set(operationList.map(({ path }) => path))];
  const filled = (path: string) => path.replaceAll(/\{\w+\}/g, known.product);

  test('for other methods of a path, nor with a slash at its end', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];
    for (const path of paths) {
      const has = operationList.filter((operation) => operation.path === path).map(({ method }) => method as string);
      const missing = methods.filter((method) => !has.includes(method)).map((method) => [method, filled(path)]);
      for (const [method = '', to = ''] of [...missing, ['GET', `${filled(path)}/`]])
        expect((await sachet.call(method, to, authorized)).body, `${method} ${to}`).toEqual(notFound);
    }
  });

  test('for odd spellings of a path', async () => {
    for (const path of [
      ...['/V2/products', '/v2/Products', '/v2', '/v2/', '/v2//products', '//v2/products', '/v2/products/a/b', '/'],
      ...['/v2/%50roducts', '/v1/products', '/v2/products;x=1', '/v2/.../products'],
      ...['/v2/nothing/%zz', '/v2/%zz', '/%zz'],
    ])
      expect((await sachet.call('GET', `http://localhost:4010${path}`, authorized)).body, path).toEqual(notFound);
  });
});

test('an id that is no UUID is rejected', async () => {
  const message = '"id" must be a valid GUID';
  for (const id of ['%00', '%25zz', '😀', 'a%2Fb', '__proto__', `{${known.product}}`, 'x'.repeat(10_000)]) {
    const { body } = await client.get(`/v2/products/${id}`);
    expect(body, id).toEqual({ ...badRequest, message, details: [{ field: 'id', message }] });
  }
});

describe('a path that cannot be decoded', () => {
  test('is rejected before the token, whatever malformed_path_id says', async () => {
    for (const id of ['%zz', '%', '%a', 'x%', '%e0%a4%a', '%ff', '%C0%80', '%ed%a0%80', '%f5%80%80%80', '%u0041'])
      for (const path of [`/v2/products/${id}`, `/sandboxes/stage/v2/orders/${id}/fulfillments`]) {
        const { body, headers } = await sachet.call('GET', path);
        expect([body, headers.get('sandbox-rule')], path).toEqual([badRequest, 'malformed_path']);
      }
    for (const choice of ['404', '422'] as const) {
      const { call } = testSachet({ assumptions: { malformed_path_id: choice } });
      expect((await call('GET', '/v2/products/%zz')).body).toEqual(badRequest);
    }
  });

  test('meets no fault, and is no route of an endpoint that is not offered or a method that it does not have', async () => {
    const { call, control } = testSachet({ assumptions: { order_endpoints: 'absent' } });
    const { faults } = control.sandbox('stage');
    await faults.create({ id: 'it', status: 500 });
    expect((await call('GET', '/v2/products/%zz')).status).toBe(400);
    expect((await faults.get('it')).hits).toBe(0);
    await faults.delete('it');
    expect((await call('GET', '/v2/orders/%zz')).body).toEqual(notFound);
    expect((await call('PUT', '/v2/products/%zz')).body).toEqual(notFound);
  });
});

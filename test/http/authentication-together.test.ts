// Calls that come together with a token that was never seen.
import { expect, onTestFinished, test, vi } from 'vitest';
import { known } from '../cases/requests.ts';
import { testSachet } from '../support/sachet.ts';

test('a new token is verified once, and its calls to one base URL go on in the order in which they came', async () => {
  const { login } = testSachet();
  const { post } = await login();
  const verifying = vi.spyOn(crypto.subtle, 'verify');
  onTestFinished(() => verifying.mockRestore());
  const cancel = () => post(`/v2/orders/${known.pendingOrder}/cancel`);
  const answers = await Promise.all([cancel(), cancel()]);
  expect(verifying).toHaveBeenCalledOnce();
  expect(answers.map(({ status }) => status)).toEqual([200, 422]);
});

test('a new token that is forged is good for none of its calls, nor for one behind them', async () => {
  const { login, client } = testSachet();
  const { token } = await login();
  const { get } = client(`${token.slice(0, -2)}AA`);
  const answers = await Promise.all([get('/v2/products'), get('/v2/products')]);
  expect([...answers, await get('/v2/products')].map(({ status }) => status)).toEqual([401, 401, 401]);
});

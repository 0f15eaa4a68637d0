// The conduct report over a port, of clients that hold few connections: a call waits for one with the token that it was made with.
import { Agent, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/node/serve.ts';

interface Answered {
  readonly status: number | undefined;
  readonly body: { readonly access_token: string; readonly refresh_token: string };
}

/** A call by one of the agent's connections. */
const send = (agent: Agent, url: string, token: string | undefined, body?: object): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const call = request(url, { method: body ? 'POST' : 'GET', agent, headers }, async (answer) => {
      const { statusCode: status } = answer;
      resolve({ status, body: (await new Response(answer as unknown as BodyInit).json()) as Answered['body'] });
    });
    call.on('error', reject);
    call.end(body && JSON.stringify(body));
  });

test.each([
  [1, true],
  [2, true],
  [2, false],
])('%i connections, kept alive: %s', async (maxSockets, keepAlive) => {
  const sachet = await serve();
  const agent = new Agent({ maxSockets, keepAlive });
  onTestFinished(() => sachet.close().finally(() => agent.destroy()));
  const stage = sachet.sandbox('stage');
  const call = (path: string, token?: string, body?: object) => send(agent, sachet.baseUrl + path, token, body);
  const tenTimes = async (token: string) =>
    (await Promise.all(Array.from({ length: 10 }, () => call('/v2/products', token)))).map(({ status }) => status);
  const login = { username: 'demo', password: 'sachet-demo' };
  const { access_token, refresh_token } = (await call('/v2/authentication/token', undefined, login)).body;

  await stage.switches.set({ token_expiry: { expire_issued: true }, rate_limit: { burst: 1 } });
  expect((await tenTimes(access_token)).toSorted()).toEqual([...Array(9).fill(401), 429]);
  const renewed = (await call('/v2/authentication/refresh-token', undefined, { refresh_token })).body.access_token;
  await stage.clock.advance({ seconds: 60 });
  await stage.switches.set({ server_error: { burst: 1 } });
  expect((await tenTimes(renewed)).toSorted()).toEqual([...Array(9).fill(200), 500]);
  await stage.clock.advance({ seconds: 10 });
  await call('/v2/products', renewed);

  const { rules } = await stage.report.get();
  expect(rules.filter(({ outcome }) => outcome === 'fail').map(({ advice }) => advice)).toEqual([]);
});

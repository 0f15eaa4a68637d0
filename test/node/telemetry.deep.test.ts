// The spans that `serve` sends to an OpenTelemetry collector, its settings, and a collector that is down or hangs.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { call, freePort, listening, logIn, type Ready, resultOf, sachet, serving } from '../support/command.ts';

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
}
type Pairs = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];

/** A collector until the end of the test. It answers every export with this status, or never. */
async function collector(status: number | 'never' = 200, answer = '{}') {
  const received: { path: string | undefined; headers: IncomingHttpHeaders; text: string }[] = [];
  const server = createServer(async (request, response) => {
    const { url: path, headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ path, headers, text: Buffer.concat(chunks).toString() });
    if (status !== 'never') response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  const exported = () => received.flatMap(({ text }) => JSON.parse(text).resourceSpans);
  return {
    url,
    received,
    spans: (): Span[] => exported().flatMap(({ scopeSpans }) => scopeSpans[0].spans),
    /** The attributes of the sender. */
    resource: () =>
      Object.fromEntries(
        (exported()[0].resource.attributes as Pairs).map(({ key, value }) => [key, value.stringValue]),
      ),
  };
}

/** Starts a server that exports to this URL, lets a client call it, and stops it. Returns its result. */
async function traced(
  endpoint: string,
  calls: (ready: Ready) => Promise<unknown>,
  env: Readonly<Record<string, string>> = {},
) {
  const server = await serving(['--log', 'off'], { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env });
  await calls(server.ready);
  const signaledAt = performance.now();
  server.child.kill('SIGTERM');
  const result = await resultOf(server);
  return { ...result, milliseconds: performance.now() - signaledAt };
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentSpanId = 'b7ad6b7169203331';
const products = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/v2/products`, { headers: { connection: 'close', ...headers } });

test('each call is a span in the trace of its client, in real time, and sent before the server stops', async () => {
  const { url, spans, resource, received } = await collector();
  const startedAt = Date.now();
  let token = '';
  const result = await traced(
    url,
    async (ready) => {
      token = await logIn(ready);
      await products(ready.url, { traceparent: `00-${traceId}-${parentSpanId}-01`, tracestate: 'vendor=value' });
      await products(ready.url, { traceparent: 'malformed' });
      await products(ready.url, { traceparent: `00-${traceId}-${parentSpanId}-00` });
      await call('GET', `${ready.url}/_admin/sandboxes`, { token: ready.admin_key });
    },
    { SACHET_CLOCK: '2031-01-01T00:00:00Z' },
  );
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.milliseconds).toBeLessThan(2000);
  expect(received.map(({ path }) => path)).toEqual(['/v1/traces']);
  expect(received[0]?.text).not.toContain(token);
  const [login, child, root, ...more] = spans();
  expect(more).toEqual([]);
  expect(login).toMatchObject({ name: 'POST /v2/authentication/token', kind: 2 });
  expect(child).toMatchObject({ traceId, parentSpanId, traceState: 'vendor=value', name: 'GET /v2/products' });
  expect(root?.traceId).not.toBe(traceId);
  expect(root?.parentSpanId).toBeUndefined();
  const [from = 0, to = 0] = [login?.startTimeUnixNano, root?.endTimeUnixNano].map((nano) => Number(nano) / 1_000_000);
  expect(from).toBeGreaterThanOrEqual(startedAt);
  expect(to).toBeLessThanOrEqual(Date.now());
  expect(resource()).toMatchObject({ 'service.name': 'sachet', 'service.version': version });
});

test('the server exports while it runs, and a 5xx has the status of an error', async () => {
  const { url, spans } = await collector();
  await traced(
    url,
    async (ready) => {
      await products(ready.url);
      await expect.poll(() => spans().map(({ status }) => status.code)).toEqual([2]);
    },
    { OTEL_BSP_SCHEDULE_DELAY: '50', SACHET_SCENARIO: 'maintenance' },
  );
});

test('the settings of the SDK apply, and other protocols are reported', async () => {
  const { url, resource, received } = await collector();
  const result = await traced('', ({ url }) => products(url), {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/own/path`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_SERVICE_NAME: 'orders',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=ci',
  });
  expect(received).toMatchObject([{ path: '/own/path', headers: { 'x-key': 'secret' } }]);
  expect(resource()).toMatchObject({ 'service.name': 'orders', 'deployment.environment.name': 'ci' });
  expect(result.stderr).toBe(
    'OpenTelemetry: Sachet sends http/json, not "grpc"; use the collector\'s port for OTLP over HTTP, usually 4318\n',
  );
});

test.each([
  ['OTEL_SDK_DISABLED', 'true'],
  ['OTEL_TRACES_EXPORTER', 'none'],
])('%s=%s turns it off', async (name, value) => {
  const { url, received } = await collector();
  const result = await traced(url, (ready) => products(ready.url), { [name]: value });
  expect([result.code, result.stderr, received]).toEqual([0, '', []]);
});

test.each<[string, number | 'down', RegExp]>([
  ['is down', 'down', /: connect ECONNREFUSED 127\.0\.0\.1:\d+\./],
  ['rejects the spans', 403, /: Forbidden\./],
])('if the collector %s, calls are answered and one line says so', async (_, state, reason) => {
  const endpoint = state === 'down' ? `http://127.0.0.1:${await freePort()}` : (await collector(state)).url;
  const env = { OTEL_BSP_SCHEDULE_DELAY: '10', OTEL_EXPORTER_OTLP_TIMEOUT: '100' };
  const result = await traced(
    endpoint,
    async ({ url }) => {
      for (let batch = 0; batch < 10; batch += 1) {
        expect((await products(url)).status).toBe(401);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    },
    env,
  );
  expect(result.code).toBe(0);
  expect(result.stderr).toMatch(reason);
  expect(result.stderr).toMatch(
    /^OpenTelemetry: cannot send spans to the collector of OTEL_EXPORTER_OTLP_ENDPOINT.*\n$/,
  );
  expect(result.milliseconds).toBeLessThan(2500);
});

test('a collector that never answers delays the end by two seconds', async () => {
  const { url } = await collector('never');
  const result = await traced(url, (ready) => products(ready.url));
  expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('not accepted within 2 seconds') });
  expect(result.milliseconds).toBeGreaterThan(1900);
  expect(result.milliseconds).toBeLessThan(4000);
});

test('spans that the collector did not take are reported with its reason', async () => {
  const { url } = await collector(200, '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}');
  const { stderr } = await traced(url, (ready) => products(ready.url));
  expect(stderr).toMatch(/^OpenTelemetry: Received Partial Success response: .*too old.*\n$/);
});

test.each(['OTEL_BSP_MAX_EXPORT_BATCH_SIZE=0', 'OTEL_BSP_MAX_QUEUE_SIZE=-1'])('%s ends the start', async (setting) => {
  const [name = '', value = ''] = setting.split('=');
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', [name]: value };
  expect(await resultOf(sachet(['--port', '0'], env))).toEqual({
    code: 2,
    stdout: '',
    stderr: `sachet: ${name}="${value}" is not a whole number from 1; change it, or remove it for the default\n`,
  });
});

test.each(['localhost:4318', 'http://', 'grpc://localhost:4317', 'http://demo:s3cret@a b'])(
  'the endpoint %s ends the start',
  async (endpoint) => {
    expect(await resultOf(sachet(['--port', '0'], { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }))).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'sachet: OTEL_EXPORTER_OTLP_ENDPOINT is not a URL; use the http or https URL of a collector, such as ' +
        'http://localhost:4318\n',
    });
  },
);

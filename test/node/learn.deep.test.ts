// `sachet learn` with a large recording, and a server with its config, as processes.
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/node/load-files.ts';
import { built, call, folder, logIn, resultOf, run, serving } from '../support/command.ts';

const megabyte = 1_000_000;
const fileBytes = 200 * megabyte;
/** The process takes less than half of it; a file that is read as a whole takes more than twice as much. */
const maxKilobytes = 250_000;
const maxMilliseconds = 60_000;

const unauthorized = '{"statusCode":401,"error":"Unauthorized","message":"Missing authentication"}';
/** A page that a browser loads, as its developer tools record it. */
const page = JSON.stringify({
  text: `"ä" \\ ${'x'.repeat(20_000)}`,
  list: Array.from({ length: 200 }, (_, n) => ({ n })),
});

/** Each twentieth entry is a call of the service. They are written in the wrong order. */
function* harPieces(): Generator<string> {
  yield '{"log":{"version":"1.2","creator":{"name":"test","version":"1"},"entries":[';
  for (let [written, n] = [0, 0]; written < fileBytes; n += 1) {
    const isCall = n % 20 === 0;
    const text = isCall ? unauthorized : page;
    const piece = JSON.stringify({
      startedDateTime: new Date(Date.UTC(2026, 10, 20) - n * 1000).toISOString(),
      request: {
        method: 'GET',
        url: isCall ? 'https://api.example/v2/products' : 'https://cdn.example/page',
        headers: [],
      },
      response: { status: isCall ? 401 : 200, headers: [], content: { size: text.length, text } },
    });
    written += piece.length;
    yield n === 0 ? piece : `,${piece}`;
  }
  yield ']}}';
}

/** Prints the most memory that the process had, when it ends. */
const printMemory = 'data:text/javascript,process.on("exit",()=>console.error("KB",process.resourceUsage().maxRSS))';

test('a recording of 200 MB takes a bounded memory and time', async () => {
  const path = folder();
  const file = join(path, 'large.har');
  await pipeline(harPieces, createWriteStream(file));
  const out = join(path, 'c.json');
  const started = performance.now();
  const learning = run(process.execPath, ['--import', printMemory, built(), 'learn', file, '--out', out]);
  const { code, stdout, stderr } = await resultOf(learning, maxMilliseconds);
  expect([code, performance.now() - started]).toEqual([0, expect.toSatisfy((took: number) => took < maxMilliseconds)]);
  expect(stdout).toMatch(/^Read \d{3} calls of the service\.\n/);
  expect(Number(/^KB (\d+)$/m.exec(stderr)?.[1])).toBeLessThan(maxKilobytes);
  expect(loadConfig(out).assumptions).toMatchObject({ missing_token_message: 'Missing authentication' });
});

test('a server with --config answers as the recorded service does', async () => {
  const recorded = await serving(['--assume', 'next_cursor=meta,time_of_administration=closed']);
  const { url, admin_key: key } = recorded.ready;
  const token = await logIn(recorded.ready);
  const pageOf = async (base: string, as: string) =>
    (await call('GET', `${base}/v2/fulfillments?limit=1`, { token: as })).body;
  const { meta } = await pageOf(url, token);
  expect(meta.next_cursor).toEqual(expect.any(String));
  const { text } = await call('GET', `${url}/_admin/sandboxes/stage/requests.har`, { token: key });
  const path = folder();
  writeFileSync(join(path, 'real.har'), text);
  const config = join(path, 'c.json');
  const learned = await resultOf(run(process.execPath, [built(), 'learn', join(path, 'real.har'), '--out', config]));
  expect([learned.code, learned.stdout]).toEqual([0, expect.stringMatching(/^✓ {2}next_cursor +meta /m)]);
  expect(loadConfig(config).verified?.next_cursor?.call).toMatch(/^GET \/v2\/fulfillments/);
  const { ready } = await serving([], { SACHET_CONFIG: config });
  expect(await pageOf(ready.url, await logIn(ready))).toMatchObject({ meta: { next_cursor: expect.any(String) } });
});

// What happens in a sandbox, as a page is told of it.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSachet } from '../../src/create-sachet.ts';
import type { Sandbox } from '../../src/index.ts';

interface Line {
  readonly changed: readonly string[];
  readonly rows?: string;
  readonly count?: number;
  readonly left_out?: number;
}

interface Followed {
  /** The next line; undefined where there is none any more. */
  next(): Promise<Line | undefined>;
  /** Lines until one is like that. */
  until(met: (line: Line) => boolean): Promise<Line[]>;
  leave(): Promise<void>;
}

const sachetFor = () => {
  const sachet = createSachet({ clock: '2026-11-20T12:00:00Z' });
  onTestFinished(() => sachet.close());
  return sachet;
};
type Sachet = ReturnType<typeof sachetFor>;

const liveAnswer = (sachet: Sachet, query = '', init: RequestInit = {}): Promise<Response> =>
  sachet.fetch(`${sachet.baseUrl}/_console/_live/stage${query}`, {
    ...init,
    headers: { authorization: `Bearer ${sachet.adminKey}` },
  });

async function follow(sachet: Sachet, query = ''): Promise<Followed> {
  const response = await liveAnswer(sachet, query);
  if (!response.body) throw new Error('no lines');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const lines: string[] = [];
  let rest = '';
  async function next(): Promise<Line | undefined> {
    for (;;) {
      const line = lines.shift();
      if (line !== undefined) return JSON.parse(line);
      const { done, value } = await reader.read();
      if (done) return undefined;
      const parts = (rest + value).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    }
  }
  async function until(met: (line: Line) => boolean): Promise<Line[]> {
    const seen: Line[] = [];
    for (;;) {
      const line = await next();
      if (!line) throw new Error(`the lines ended: ${JSON.stringify(seen)}`);
      seen.push(line);
      if (met(line)) return seen;
    }
  }
  return { next, until, leave: () => reader.cancel() };
}

const has = (what: string) => (line: Line) => line.changed.includes(what);
const call = (sandbox: Sandbox, path: string) => sandbox.fetch(path);

describe('a page that follows', () => {
  test('is heard at once', async () => {
    expect(await (await follow(sachetFor())).next()).toEqual({ changed: [] });
  });

  test('is brought the row of a request that was answered', async () => {
    const sachet = sachetFor();
    const live = await follow(sachet, '?rows=1');
    await call(sachet.sandbox('stage'), '/v2/products');
    const line = (await live.until(has('request'))).at(-1);
    expect(line).toMatchObject({ count: 1, left_out: 0 });
    expect(line?.rows).toMatch(/^<tr id="request-\w+">.*\/v2\/products.*401.*unauthorized_message.*<\/tr>$/s);
  });

  test('is brought rows by its filter alone, and none where it asks for none', async () => {
    const sachet = sachetFor();
    const [some, none] = [await follow(sachet, '?rows=1&method=POST'), await follow(sachet)];
    await call(sachet.sandbox('stage'), '/v2/products');
    for (const live of [some, none]) {
      const line = (await live.until(has('request'))).at(-1);
      expect(line?.rows).toBeUndefined();
    }
  });

  test('is told of a switch, of the clock, and of a reset', async () => {
    const sachet = sachetFor();
    const sandbox = sachet.sandbox('stage');
    const live = await follow(sachet);
    await sandbox.switches.set({ rate_limit: { burst: 1 } });
    await live.until(has('state'));
    await sandbox.clock.advance({ seconds: 5 });
    await live.until(has('state'));
    await sandbox.reset();
    expect((await live.until(has('cleared'))).at(-1)?.changed).toContain('state');
  });

  test('is told that the requests were forgotten, and gets none of them any more', async () => {
    const sachet = sachetFor();
    const sandbox = sachet.sandbox('stage');
    const live = await follow(sachet, '?rows=1');
    await call(sandbox, '/v2/products');
    await sandbox.requests.clear();
    expect((await live.until(has('cleared'))).some(({ rows }) => rows !== undefined)).toBe(false);
  });

  test('gets the newest hundred of ten thousand, and how many more there were', async () => {
    const sachet = sachetFor();
    const sandbox = sachet.sandbox('stage');
    const live = await follow(sachet, '?rows=1');
    for (let at = 0; at < 10_000; at += 1) await call(sandbox, `/v2/products?at=${at}.`);
    const lines = await live.until(({ rows = '' }) => rows.includes('at=9999.'));
    const told = lines.filter(({ rows }) => rows !== undefined);
    for (const { rows = '', count } of told) {
      expect(rows.match(/<tr /g)).toHaveLength(count ?? 0);
      expect(count).toBeLessThanOrEqual(100);
    }
    expect(told.reduce((sum, { count = 0, left_out = 0 }) => sum + count + left_out, 0)).toBe(10_000);
  });

  test('gets no more where the sandbox is deleted', async () => {
    const sachet = sachetFor();
    const sandbox = await sachet.createSandbox({ name: 'w7' });
    const response = await sachet.fetch(`${sachet.baseUrl}/_console/_live/w7`, {
      headers: { authorization: `Bearer ${sachet.adminKey}` },
    });
    await sandbox[Symbol.asyncDispose]();
    expect(await response.text()).toBe('{"changed":[]}\n');
  });

  test('gets no more where the server ends', async () => {
    const sachet = createSachet();
    const live = await follow(sachet);
    await sachet.close();
    await live.next();
    expect(await live.next()).toBeUndefined();
  });

  test('that leaves harms nobody', async () => {
    const sachet = sachetFor();
    const [leaving, staying] = [await follow(sachet, '?rows=1'), await follow(sachet, '?rows=1')];
    await call(sachet.sandbox('stage'), '/v2/products');
    await leaving.leave();
    await call(sachet.sandbox('stage'), '/v2/orders');
    await staying.until(({ rows = '' }) => rows.includes('/v2/orders'));
  });
});

test('HEAD follows nothing', async () => {
  const response = await liveAnswer(sachetFor(), '?rows=1', { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

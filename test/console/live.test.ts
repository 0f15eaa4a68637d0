// What happens in a sandbox, as a page is told of it.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSachet } from '../../src/create-sachet.ts';
import type { Sandbox } from '../../src/index.ts';

interface Line {
  readonly changed: readonly string[];
  readonly count?: number;
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

  test('hears of a request, and whether it passes its filter', async () => {
    const sachet = sachetFor();
    const [all, some] = [await follow(sachet), await follow(sachet, '?method=POST')];
    await call(sachet.sandbox('stage'), '/v2/products');
    for (const [live, count] of [
      [all, 1],
      [some, 0],
    ] as const)
      expect((await live.until(has('request'))).at(-1)).toEqual({ changed: ['request'], count });
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

  test('does not count requests that were cleared', async () => {
    const sachet = sachetFor();
    const sandbox = sachet.sandbox('stage');
    const live = await follow(sachet);
    await call(sandbox, '/v2/products');
    await sandbox.requests.clear();
    expect((await live.until(has('cleared'))).at(-1)).toMatchObject({ count: 0 });
  });

  test('counts each of a thousand requests once', async () => {
    const sachet = sachetFor();
    const sandbox = sachet.sandbox('stage');
    const live = await follow(sachet);
    for (let at = 0; at < 1000; at += 1) await call(sandbox, '/v2/products');
    let counted = 0;
    await live.until(({ count = 0 }) => {
      counted += count;
      return counted === 1000;
    });
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
    const [leaving, staying] = [await follow(sachet), await follow(sachet)];
    await call(sachet.sandbox('stage'), '/v2/products');
    await staying.until(has('request'));
    await leaving.leave();
    await call(sachet.sandbox('stage'), '/v2/orders');
    await staying.until(has('request'));
  });
});

test('HEAD follows nothing', async () => {
  const response = await liveAnswer(sachetFor(), '', { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

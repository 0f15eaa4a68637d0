// The stream that tells an open page what changed in its sandbox.
import { expect, onTestFinished, test } from 'vitest';
import { createSachet } from '../../src/create-sachet.ts';

type Line = Readonly<{ changed: readonly string[]; count?: number }>;

function newSachet() {
  const sachet = createSachet({ clock: '2026-11-20T12:00:00Z' });
  onTestFinished(() => sachet.close());
  return { sachet, stage: sachet.sandbox('stage') };
}

const open = ({ fetch, baseUrl, adminKey }: ReturnType<typeof createSachet>, path: string): Promise<Response> =>
  fetch(`${baseUrl}/_console/_live/${path}`, { headers: { authorization: `Bearer ${adminKey}` } });

/** Reads the lines of a stream; each chunk has whole lines. */
async function follow(sachet: ReturnType<typeof createSachet>, path = 'stage') {
  const { body } = await open(sachet, path);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines: Line[] = [];
  async function next(): Promise<Line | undefined> {
    while (lines.length === 0) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) return undefined;
      for (const line of value.trim().split('\n')) lines.push(JSON.parse(line));
    }
    return lines.shift();
  }
  /** The first line with this change. */
  async function until(change: string): Promise<Line> {
    for (let line = await next(); line; line = await next()) if (line.changed.includes(change)) return line;
    throw new Error(`The stream ended before "${change}".`);
  }
  return { next, until, cancel: () => reader?.cancel() };
}

test('starts with an empty line, then reports requests and counts those that pass the filter', async () => {
  const { sachet, stage } = newSachet();
  const [all, posts] = [await follow(sachet), await follow(sachet, 'stage?method=POST')];
  expect(await all.next()).toEqual({ changed: [] });
  await stage.fetch('/v2/products');
  expect(await all.next()).toEqual({ changed: ['request'], count: 1 });
  expect(await posts.until('request')).toEqual({ changed: ['request'], count: 0 });
});

test('reports switches, the clock and a reset', async () => {
  const { sachet, stage } = newSachet();
  const live = await follow(sachet);
  await stage.switches.set({ rate_limit: { burst: 1 } });
  await live.until('state');
  await stage.clock.advance({ seconds: 5 });
  await live.until('state');
  await stage.reset();
  expect((await live.until('cleared')).changed).toContain('state');
});

test('counts each request once, and none that was cleared', async () => {
  const { sachet, stage } = newSachet();
  const live = await follow(sachet);
  await stage.fetch('/v2/products');
  await stage.requests.clear();
  expect(await live.until('cleared')).toMatchObject({ count: 0 });
  for (let at = 0; at < 200; at += 1) await stage.fetch('/v2/products');
  for (let counted = 0; counted < 200; ) {
    counted += (await live.until('request')).count ?? 0;
    expect(counted).toBeLessThanOrEqual(200);
  }
});

test('ends with its sandbox or its server; a page that leaves disturbs no other', async () => {
  const { sachet, stage } = newSachet();
  const sandbox = await sachet.createSandbox({ name: 'w7' });
  const response = await open(sachet, 'w7');
  await sandbox[Symbol.asyncDispose]();
  expect(await response.text()).toBe('{"changed":[]}\n');
  const [leaving, staying] = [await follow(sachet), await follow(sachet)];
  await leaving.cancel();
  await stage.fetch('/v2/products');
  await staying.until('request');
  await sachet.close();
  expect(await staying.next()).toBeUndefined();
});

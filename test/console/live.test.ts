// The stream that tells an open page what changed in its sandbox.
import { expect, onTestFinished, test } from 'vitest';
import { createSachet } from '../../src/create-sachet.ts';

interface Line {
  readonly changed: readonly string[];
  readonly count?: number;
}

function newSachet() {
  const sachet = createSachet({ clock: '2026-11-20T12:00:00Z' });
  onTestFinished(() => sachet.close());
  return sachet;
}

type Sachet = ReturnType<typeof newSachet>;

const open = ({ fetch, baseUrl, adminKey }: Sachet, path = 'stage', method = 'GET'): Promise<Response> =>
  fetch(`${baseUrl}/_console/_live/${path}`, { method, headers: { authorization: `Bearer ${adminKey}` } });

/** Reads the lines of a stream; each chunk has whole lines. */
async function follow(sachet: Sachet, path?: string) {
  const { body } = await open(sachet, path);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines: Line[] = [];
  async function next(): Promise<Line | undefined> {
    while (lines.length === 0) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) return undefined;
      lines.push(
        ...value
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
    }
    return lines.shift();
  }
  /** The first line with this change. */
  async function until(change: string): Promise<Line> {
    for (;;) {
      const line = await next();
      if (!line) throw new Error(`The stream ended before "${change}".`);
      if (line.changed.includes(change)) return line;
    }
  }
  return { next, until, cancel: () => reader?.cancel() };
}

test('starts with an empty line, then reports requests and counts those that pass the filter', async () => {
  const sachet = newSachet();
  const [all, posts] = [await follow(sachet), await follow(sachet, 'stage?method=POST')];
  expect(await all.next()).toEqual({ changed: [] });
  await sachet.sandbox('stage').fetch('/v2/products');
  expect(await all.next()).toEqual({ changed: ['request'], count: 1 });
  expect(await posts.until('request')).toEqual({ changed: ['request'], count: 0 });
});

test('reports switches, the clock and a reset', async () => {
  const sachet = newSachet();
  const sandbox = sachet.sandbox('stage');
  const live = await follow(sachet);
  await sandbox.switches.set({ rate_limit: { burst: 1 } });
  await live.until('state');
  await sandbox.clock.advance({ seconds: 5 });
  await live.until('state');
  await sandbox.reset();
  expect((await live.until('cleared')).changed).toContain('state');
});

test('counts each request once, and none that was cleared', async () => {
  const sachet = newSachet();
  const sandbox = sachet.sandbox('stage');
  const live = await follow(sachet);
  await sandbox.fetch('/v2/products');
  await sandbox.requests.clear();
  expect(await live.until('cleared')).toMatchObject({ count: 0 });
  for (let at = 0; at < 200; at += 1) await sandbox.fetch('/v2/products');
  for (let counted = 0; counted < 200; ) {
    counted += (await live.until('request')).count ?? 0;
    expect(counted).toBeLessThanOrEqual(200);
  }
});

test('ends with its sandbox or its server; a page that leaves disturbs no other', async () => {
  const sachet = newSachet();
  const sandbox = await sachet.createSandbox({ name: 'w7' });
  const response = await open(sachet, 'w7');
  await sandbox[Symbol.asyncDispose]();
  expect(await response.text()).toBe('{"changed":[]}\n');

  const [leaving, staying] = [await follow(sachet), await follow(sachet)];
  await leaving.cancel();
  await sachet.sandbox('stage').fetch('/v2/products');
  await staying.until('request');
  await sachet.close();
  expect(await staying.next()).toBeUndefined();
});

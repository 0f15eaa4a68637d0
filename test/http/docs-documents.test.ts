// The OpenAPI documents in memory: each is made once, one after another; and whose data they show.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { openApiPath } from '../../src/contract/addresses.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { examplesOf } from '../../src/examples.ts';
import { Documents, DocumentsBusy } from '../../src/http/docs/documents.ts';
import { fixtures } from '../support/sachet.ts';

const { service, control } = examplesOf(fixtures, createEngine);

/** Documents that count how often each was made, by its times of administration; `spoil` is called before each. */
function counted(spoil: (times: string) => void = () => undefined) {
  const made: string[] = [];
  const illustrations = {
    control,
    service: async (...[assumptions, ...more]: Parameters<typeof service>) => {
      const times = assumptions.administrationTimes.join();
      made.push(times);
      spoil(times);
      return service(assumptions, ...more);
    },
  };
  const documents = new Documents(async () => illustrations, '0.1.0');
  const request = { origin: 'http://a', sandbox: 'stage', baseUrl: 'http://a', isOpen: true, version: '3.1' } as const;
  const choices = resolveChoices();
  return { made, get: (time: string) => documents.service(new Assumptions(choices, [time]), request) };
}

describe('a document is made', () => {
  test('once for all who request it, and again if that failed', async () => {
    let isSpoilt = true;
    const { made, get } = counted((times) => {
      if (times === 'a' && isSpoilt) throw new Error('no room');
    });
    const results = await Promise.allSettled([get('a'), get('b'), get('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    isSpoilt = false;
    expect(await get('a')).toContain('"openapi"');
    await get('b');
    expect(made).toEqual(['a', 'b', 'a']);
  });

  test('after at most 15 others; one more is rejected as busy', async () => {
    const { get } = counted(() => {
      throw new Error('no room');
    });
    for (let round = 0; round < 2; round += 1) {
      const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => get(`time ${n}`)));
      const busy = results.map((one) => one.status === 'rejected' && one.reason instanceof DocumentsBusy);
      expect(busy).toEqual([...Array(16).fill(false), ...Array(4).fill(true)]);
    }
  });
});

test('a document that cannot be made now is 503, with Retry-After', async () => {
  const busy = vi.spyOn(Documents.prototype, 'service').mockRejectedValueOnce(new DocumentsBusy('busy'));
  onTestFinished(() => busy.mockRestore());
  const response = await createSachet().fetch(`http://localhost${openApiPath}`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({ statusCode: 503, error: 'Service Unavailable' });
});

test('in process the URLs of the examples are those of the sandbox', async () => {
  const sachet = createSachet();
  await sachet.createSandbox({ name: 'w9' });
  for (const name of ['w9', 'stage']) {
    const { baseUrl } = sachet.sandbox(name);
    const text = await (await sachet.fetch(new URL(baseUrl + openApiPath))).text();
    const urls = text.match(/(?<="(?:label|tracking)_url":")[^"]*/g) ?? [];
    expect(urls.length).toBeGreaterThan(3);
    expect(urls.filter((url) => !url.startsWith(`${baseUrl}/_`))).toEqual([]);
  }
});

test.each([
  ['any', false],
  ['closed', true],
] as const)(
  "under an unknown host the sandbox's own times are shown with time_of_administration %s: %s",
  async (choice, isShown) => {
    const own = { ...fixtures, administration_times: { values: ['Our launch'] } };
    const engine = createEngine({ assumptions: { time_of_administration: choice }, fixtures: own });
    const text = await (await engine.fetch(`http://evil.example${openApiPath}`)).text();
    expect(text.includes('Our launch')).toBe(isShown);
  },
);

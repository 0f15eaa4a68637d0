// The texts of documents as they are kept: made once, one after the other, the last asked for; and whose data stands in them.
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { openApiPath } from '../../src/contract/addresses.ts';
import type { Choices } from '../../src/contract/assumptions.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { examplesOf } from '../../src/examples.ts';
import { Documents, DocumentsBusy, type Illustrations } from '../../src/http/docs/documents.ts';
import { fixtures } from '../support/sachet.ts';

const asked = { origin: 'http://a', sandbox: 'stage', baseUrl: 'http://a', isOpen: true, version: '3.1' } as const;
const { service, control } = examplesOf(fixtures, createEngine);

/** Documents that tell how often each was made, by its list of times; `spoil` is asked before each. */
function counted(spoil: (times: string) => void = () => undefined) {
  const made: string[] = [];
  const illustrations: Illustrations = {
    control,
    service: async (assumptions, origin, isOpen) => {
      const times = assumptions.administrationTimes.join();
      made.push(times);
      spoil(times);
      return service(assumptions, origin, isOpen);
    },
  };
  const documents = new Documents(async () => illustrations, '0.1.0');
  const choices = resolveChoices();
  return { made, ask: (time: string) => documents.service(new Assumptions(choices, [time]), asked) };
}

describe('a document is made', () => {
  test('once for all who ask while it is made, and after', async () => {
    const { made, ask } = counted();
    await Promise.all([ask('a'), ask('a'), ask('b')]);
    await ask('a');
    expect(made).toEqual(['a', 'b']);
  });

  test('anew where it failed, and others are not held up by that', async () => {
    let isSpoilt = true;
    const { made, ask } = counted((times) => {
      if (times === 'a' && isSpoilt) throw new Error('no room');
    });
    const [first, second] = await Promise.allSettled([ask('a'), ask('b')]);
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled']);
    isSpoilt = false;
    expect(await ask('a')).toContain('"openapi"');
    expect(made).toEqual(['a', 'b', 'a']);
  });

  test('for so many at a time; who comes when as many wait is told so, and asks again', async () => {
    const { ask } = counted();
    const all = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => ask(`time ${n}`)));
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(4);
    expect(refused[0]).toMatchObject({ reason: expect.any(DocumentsBusy) });
    expect(await ask('time 19')).toContain('"openapi"');
  });

  test('anew when it was long not asked for, and not while it is', async () => {
    const { made, ask } = counted();
    await ask('old');
    for (let n = 0; n < 70; n += 1) {
      await ask(`time ${n}`);
      await ask('wanted');
    }
    await ask('old');
    expect(made.filter((times) => times === 'wanted')).toHaveLength(1);
    expect(made.filter((times) => times === 'old')).toHaveLength(2);
  });
});

test('in process, too, the URLs of examples are those of the sandbox', async () => {
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
  'of a sandbox with times of day of its own, under a host that is not known, by %s',
  async (choice, stand) => {
    const options = { assumptions: { time_of_administration: choice }, fixtures: withTimes(['Our launch']) };
    const engine = createEngine(options);
    const text = await (await engine.fetch(`http://evil.example${openApiPath}`)).text();
    expect(text.includes('Our launch')).toBe(stand);
  },
);

const withTimes = (values: string[]) => ({ ...fixtures, administration_times: { values } });

test('a document that cannot be made now is 503, and says when to come again', async () => {
  const sachet = createSachet();
  const kinds = ['body', 'meta', 'link_header', 'header'].flatMap((next_cursor) =>
    ['both', 'details', 'message', 'joined', 'none'].map((placement) => ({ next_cursor, placement })),
  );
  const made = await Promise.all(
    kinds.map(({ next_cursor, placement }) => {
      const validation = placement === 'none' ? { field_path: 'brackets' } : { validation_placement: placement };
      return sachet.createSandbox({ assumptions: { next_cursor, ...validation } as Partial<Choices> });
    }),
  );
  const ask = (baseUrl: string) => sachet.fetch(baseUrl + openApiPath);
  const answers = await Promise.all(made.map(({ baseUrl }) => ask(baseUrl)));
  const refused = answers.find(({ status }) => status !== 200);
  expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused?.json()).toMatchObject({ statusCode: 503, error: 'Service Unavailable' });
  expect((await ask(made.at(-1)?.baseUrl ?? '')).status).toBe(200);
});

// What recordings of sandboxes show: every visible choice, and findings where an answer contradicts the contract.
import { expect, test } from 'vitest';
import type { HarDocument } from '../../src/contract/control/requests.ts';
import { once } from '../../src/contract/schema.ts';
import { drawChoices, expectLearned, learn, recordingOf } from './recordings.ts';

test('recordings show the choices of their sandboxes', async () => {
  for (const [n, choices] of drawChoices(3).entries()) await expectLearned(choices, n);
});

/** With the default choices. */
const recording = once(() => recordingOf({}, 1));

type Entry = HarDocument['log']['entries'][number];

/** The recording of a sandbox with default choices, in which the first entry that fits has another answer. */
async function mutated(fits: (entry: Entry) => boolean, change: (response: Entry['response']) => void) {
  const entries = structuredClone(await recording());
  const entry = entries.find(fits);
  if (!entry) throw new Error('no entry fits');
  change(entry.response);
  return learn(entries);
}

const answered = (path: RegExp, status: number) => (entry: Entry) =>
  path.test(entry.request.url) && entry.response.status === status;

const replaceText = (from: string | RegExp, to: string) => (response: Entry['response']) => {
  response.content.text = response.content.text?.replace(from, to);
};

const mutations: readonly [string, Parameters<typeof mutated>, rules: string[], problems: string[]][] = [
  [
    'a renamed field',
    [answered(/\/v2\/products$/, 200), replaceText('"product_name"', '"name"')],
    [],
    ['client_products.*.product_name is missing', 'client_products.*.name is not documented'],
  ],
  [
    'another message',
    [
      (entry) => entry.response.content.text?.includes('"pouches\\" is required') ?? false,
      replaceText(/"message":"(?:[^"\\]|\\.)*"/, '"message":"Pouches?"'),
    ],
    ['ORD-5'],
    ['message is "Pouches?", not "\\"pouches\\" is required"'],
  ],
  [
    'another status',
    [
      answered(/\/v2\/products\/2/, 200),
      (response) => {
        response.status = 203;
      },
    ],
    [],
    ['the status is 203, not 200; 203 is not documented (HTTP-2)'],
  ],
  [
    'a page of another server',
    [answered(/\/v2\/fulfillments$/, 200), replaceText(/.*/s, '<html>')],
    [],
    ['the body is not JSON'],
  ],
  [
    'a value of another type',
    [answered(/\/v2\/fulfillments$/, 200), replaceText(/"weight":[\d.]+/, '"weight":"heavy"')],
    [],
    ['fulfillments.*.weight has an undocumented form: Invalid input: expected number, received string'],
  ],
];

test.for(mutations)('%s is a finding', async ([, change, rules, problems]) => {
  const { findings, observations } = await mutated(...change);
  expect(findings).toMatchObject([{ rules, problems, count: 1 }]);
  expect(observations.filter(({ allowed }) => allowed.length === 0)).toEqual([]);
});

test('answers that contradict each other are a finding that names both', async () => {
  const entries = [...(await recording()), ...(await recordingOf({ order_created_status: '200' }, 2))];
  const { findings, observations } = learn(entries);
  expect(findings).toMatchObject([{ rules: ['order_created_status'] }]);
  expect(findings[0]?.problems[0]).toMatch(
    /^order_created_status is 200 here, and was 201 before \(POST \/v2\/orders → 201, 2026-/,
  );
  expect(observations.find(({ assumption }) => assumption === 'order_created_status')?.allowed).toEqual(['201']);
});

// What recordings of sandboxes with random choices show: every visible choice, and no wrong one. What is found in
// answers that contradict the contract.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import type { HarDocument } from '../../src/contract/control/requests.ts';
import { type LearnedReport, settledChoice } from '../../src/contract/observations.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { Learner } from '../../src/fidelity/learner.ts';
import { callOfHarEntry } from '../../src/fidelity/recorded-call.ts';
import { alreadyRedacted } from '../../src/journal/redaction.ts';
import { logIn, orderCalls, randomOrders, readCalls, tokenCalls } from './traffic.ts';

const anyChoices = fc.record(
  Object.fromEntries(
    assumptionIds.map((id) => [id, fc.constantFrom(...assumptionRegister[id].choices.map(([choice]) => choice))]),
  ),
) as unknown as fc.Arbitrary<Choices>;

/** The recording of a sandbox with these choices. */
async function recordingOf(assumptions: Partial<Choices>, seed: number): Promise<HarDocument['log']['entries']> {
  await using sachet = createSachet({ assumptions, clock: '2026-11-20T12:00:00Z', randomSeed: seed });
  const sandbox = await sachet.createSandbox();
  await tokenCalls(sandbox);
  const { call } = await logIn(sandbox);
  await readCalls(sandbox, call);
  // The next minute: `rate_limit` may be 100/60s.
  await sandbox.clock.advance({ seconds: 61 });
  await orderCalls(call);
  await sandbox.clock.advance({ seconds: 61 });
  await randomOrders(call, 40, seed);
  return (await sandbox.requests.har()).log.entries as HarDocument['log']['entries'];
}

function learn(entries: readonly unknown[]): LearnedReport {
  const learner = new Learner(alreadyRedacted);
  for (const entry of entries) {
    const call = callOfHarEntry(entry);
    if (call) learner.add(call, 'test.har');
  }
  return learner.report();
}

/** Of these choices, the assumptions that the recording cannot settle. */
function invisible(choices: Choices): AssumptionId[] {
  const { validation_placement: placement, validation_report: report } = choices;
  const when: Partial<Record<AssumptionId, boolean>> = {
    order_transitions: true,
    fulfillment_timeline: true,
    pag_lookup: true,
    rate_limit: true,
    rate_limit_scope: true,
    // That a user lacks a permission is not in the recording.
    permissions: choices.permissions === 'all',
    // The recording has 7 fulfillments, and the first page above the maximum is not refused.
    max_limit: choices.over_max_limit === 'clamp' || choices.max_limit === '100',
    // Only the journal's redacted tokens: an invalid one may be an expired one, and no lifetime is seen.
    unauthorized_message: choices.unauthorized_message === 'Token expired',
    refresh_token_lifetime: choices.refresh_token_lifetime !== 'single_use',
    // The first message of all, and all messages of the first, are the same text.
    validation_placement: placement === 'message' || (placement === 'joined' && report === 'first'),
    validation_report: placement === 'message' || (placement === 'joined' && report === 'first'),
    faults_per_field: placement === 'message' || report === 'first',
    field_path: placement === 'message' || placement === 'joined',
  };
  return assumptionIds.filter((id) => when[id]);
}

const draws = fc.sample(anyChoices, { numRuns: Number(process.env.TEST_RECORDINGS ?? 6), seed: 33 });

test.for(draws.map((choices, n) => ({ choices, n })))('recording $n shows its choices', async ({ choices, n }) => {
  const { observations, findings, calls } = learn(await recordingOf(choices, n));
  expect(findings).toEqual([]);
  expect(calls).toBeGreaterThan(80);
  const excluded = observations.filter(({ assumption, allowed }) => !allowed.includes(choices[assumption]));
  expect(excluded).toEqual([]);
  const open = observations.filter((one) => settledChoice(one) === undefined).map(({ assumption }) => assumption);
  expect(open.filter((id) => !invisible(choices).includes(id))).toEqual([]);
});

type Entry = HarDocument['log']['entries'][number];

/** The recording of a sandbox with default choices, in which the first entry that fits has another answer. */
async function mutated(fits: (entry: Entry) => boolean, change: (response: Entry['response']) => void) {
  const entries = structuredClone(await recordingOf({}, 1));
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
      replaceText(/"message":"[^"]*"/, '"message":"Pouches?"'),
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
  const entries = [...(await recordingOf({}, 1)), ...(await recordingOf({ order_created_status: '200' }, 2))];
  const { findings, observations } = learn(entries);
  expect(findings).toMatchObject([{ rules: ['order_created_status'] }]);
  expect(findings[0]?.problems[0]).toMatch(
    /^order_created_status is 200 here, and was 201 before \(POST \/v2\/orders → 201, 2026-/,
  );
  expect(observations.find(({ assumption }) => assumption === 'order_created_status')?.allowed).toEqual(['201']);
});

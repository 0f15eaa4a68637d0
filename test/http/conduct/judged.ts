// A stage whose client is judged by the conduct report, and the steps that tests of its rules are made of.
import { expect } from 'vitest';
import type { ConductReport, ConductRuleId } from '../../../src/contract/control/conduct.ts';
import { someOrder } from '../../support/order-requests.ts';
import type { Answer, Client } from '../../support/sachet.ts';
import { type SwitchesSent, type TestStage, testStage } from '../../support/stage.ts';
import { refresh } from '../../support/tokens.ts';

type Ruled = Readonly<ConductReport['rules'][number]>;
/** A regular expression is the advice of a rule that fails. */
export type Outcome = Ruled['outcome'] | RegExp;

export interface Judged extends TestStage {
  /** The client with the newest token; `client` has that of the first login. */
  newest: Client;
  /** The newest cursor, for CURSOR in a path. */
  cursor: string;
  /** Refreshes with the refresh token of the login. */
  readonly refresh: () => Promise<Answer>;
  readonly expireTokens: () => Promise<unknown>;
  readonly ruled: (id: ConductRuleId) => Promise<Ruled>;
  readonly outcome: (id: ConductRuleId) => Promise<Ruled['outcome']>;
}

export async function judged(options: Parameters<typeof testStage>[0] = {}): Promise<Judged> {
  const world = await testStage(options);
  const { sachet, stage, client } = world;
  const ruled = async (id: ConductRuleId) => {
    const { rules } = await stage.report.get();
    const found = rules.find((rule) => rule.id === id);
    if (!found) throw new Error(`the report has no rule ${id}`);
    return found as Ruled;
  };
  return {
    ...world,
    newest: client,
    cursor: '',
    refresh: () => refresh(sachet, client.refreshToken),
    expireTokens: () => stage.switches.set({ token_expiry: { expire_issued: true } }),
    ruled,
    outcome: async (id) => (await ruled(id)).outcome,
  };
}

/** A step by its name, or as what it does. */
export type Step = string | ((world: Judged) => Promise<unknown>);
/** Names of steps are joined by `, `, and by ` + ` where they are taken at the same time. */
export type Steps = string | readonly Step[];

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, days: 86_400_000 };

const named: readonly (readonly [RegExp, (world: Judged, ...parts: string[]) => Promise<unknown>])[] = [
  [
    /^GET (.+)$/,
    async (world, path = '') => {
      const { body } = await world.newest.get(`/v2/${path.replace('CURSOR', world.cursor)}`);
      world.cursor = body?.next_cursor ?? world.cursor;
    },
  ],
  [/^order$/, ({ newest }) => newest.post('/v2/orders', someOrder())],
  [/^(\d+) (ms|s|days)$/, ({ elapse }, count, unit = '') => elapse(Number(count) * (units[unit] ?? 0))],
  [/^expire$/, ({ expireTokens }) => expireTokens()],
  [/^refresh$/, (world) => world.refresh()],
  [
    /^renew$/,
    async (world) => {
      const { body } = await world.refresh();
      world.newest = world.sachet.client(body.access_token, '', world.client.refreshToken);
    },
  ],
  [
    /^log in ?(.*)$/,
    async (world, username) => {
      world.newest = await world.sachet.login(username || 'demo');
    },
  ],
  [/^cut (\w+)$/, ({ stage }, drop) => stage.switches.set({ connection: { drop: drop as 'mid_body', burst: 1 } })],
  [/^(\d+) fails$/, ({ stage }, status) => stage.faults.create({ status: Number(status) as 401, times: 1 })],
  [/^(\d+) × 500$/, ({ stage }, burst) => stage.switches.set({ server_error: { burst: Number(burst) } })],
  [/^limit$/, ({ stage }) => stage.switches.set({ rate_limit: { burst: 1, retry_after: 30 } })],
  [/^inactive PAGs$/, ({ stage }) => stage.switches.set({ inactive_pags: { all: true } })],
  [/^clear$/, ({ stage }) => stage.requests.clear()],
  [/^snapshot$/, ({ stage }) => stage.snapshots.create({ name: 'base' })],
  [/^restore$/, ({ stage }) => stage.snapshots.restore('base')],
];

/** Takes the steps; a connection may break. */
export async function take(world: Judged, steps: Steps): Promise<void> {
  if (typeof steps === 'string') for (const name of steps.split(', ')) await takeNamed(world, name.split(' + '));
  else for (const step of steps) await (typeof step === 'string' ? take(world, step) : step(world));
}

async function takeNamed(world: Judged, names: readonly string[]): Promise<void> {
  const taken = names.map((name) => {
    const [pattern, run] = named.find(([pattern]) => pattern.test(name)) ?? [];
    const [, ...parts] = pattern?.exec(name) ?? [];
    if (!run) throw new Error(`unknown step ${name}`);
    return run(world, ...parts);
  });
  for (const result of await Promise.allSettled(taken))
    if (result.status === 'rejected' && !(result.reason instanceof TypeError)) throw result.reason;
}

export async function afterSteps(steps: Steps): Promise<Judged> {
  const world = await judged();
  await take(world, steps);
  return world;
}

/** The outcomes of rules after these steps. */
export async function expectOutcomes(
  expected: { readonly [Id in ConductRuleId]?: Outcome },
  steps: Steps,
): Promise<void> {
  const world = await afterSteps(steps);
  for (const [id, outcome] of Object.entries(expected)) {
    const rule = await world.ruled(id as ConductRuleId);
    expect(rule).toMatchObject(
      typeof outcome === 'string' ? { outcome } : { outcome: 'fail', advice: expect.stringMatching(outcome) },
    );
  }
}

/** A step that sets switches. */
export const turn =
  (switches: SwitchesSent) =>
  ({ stage }: Judged): Promise<unknown> =>
    stage.switches.set(switches);

/** The id of the request in the journal. */
export const idOf = ({ headers }: Answer): string => headers.get('sandbox-request-id') ?? '';

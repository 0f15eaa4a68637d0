// The head of every page: which sandbox, what time it is there, and what is bent.
import { otherReadings } from '../contract/readings.ts';
import { type Counts, isSpent } from '../control/switches.ts';
import { isAdmin } from '../http/admin/guards.ts';
import type { ServiceResponse } from '../http/exchange.ts';
import { fragment, PageLink } from './parts/page.tsx';
import { ClockNow } from './parts/time.tsx';
import type { Visit } from './visit.ts';

/** Sandboxes in the list at most: those last used. */
const maxListed = 200;

export async function top(visit: Visit): Promise<ServiceResponse> {
  const { sandbox } = visit;
  const clock = await visit.control('clock.get');
  return fragment(
    sandbox.name,
    <>
      <Brand />
      <Switcher names={await namesFor(visit)} current={sandbox.name} />
      <PageLink class="chip" to="clock" id="top-clock">
        <ClockNow clock={clock} />
        <small>UTC, {clock.frozen ? 'frozen' : 'running'}</small>
      </PageLink>
      <Bends bent={await bentIn(visit, Date.parse(clock.now))} />
    </>,
  );
}

/** Whoever has but the key of one sandbox is told of no other. */
async function namesFor({ edge, sandbox, request }: Visit): Promise<string[]> {
  if (!isAdmin(edge, request)) return [sandbox.name];
  const all = (await edge.sandboxes.list()).toSorted((one, other) => other.usedAt - one.usedAt).slice(0, maxListed);
  return [...new Set([sandbox.name, ...all.map(({ name }) => name)])].sort();
}

export const Brand = () => (
  <PageLink class="brand" to="requests">
    Sachet
  </PageLink>
);

const Switcher = ({ names, current }: { readonly names: readonly string[]; readonly current: string }) => (
  <label class="switcher">
    <span class="unseen">Sandbox</span>
    <select id="sandbox" data-switch>
      {names.map((name) => (
        <option value={name} selected={name === current}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** What is in force besides the plain service. */
async function bentIn(visit: Visit, now: number): Promise<string[]> {
  // What a scenario has set is told by its name.
  const isOn = (shown: (Counts & { readonly scenario?: string | undefined }) | null): boolean =>
    shown !== null && shown.scenario === undefined && !isSpent(shown, now);
  const switches = Object.entries(await visit.control('switches.get')).filter(([, shown]) => isOn(shown));
  const faults = (await visit.control('faults.list')).faults.filter(isOn);
  const { scenarios } = await visit.control('scenarios.list');
  const chosen = Object.entries(otherReadings(await visit.control('assumptions.get')));
  const applied = scenarios.filter(({ applied_at }) => applied_at !== null);
  return [
    ...switches.map(([name]) => name),
    ...faults.map(({ id }) => `fault ${id}`),
    ...applied.map(({ name }) => `scenario ${name}`),
    ...chosen.map(([id, reading]) => `${id}=${reading}`),
  ];
}

const Bends = ({ bent }: { readonly bent: readonly string[] }) => (
  <PageLink class={bent.length > 0 ? 'chip bent' : 'chip'} to="switches" id="top-bends" title={bent.join(', ')}>
    {bent.length === 0 ? 'nothing bent' : bent.length === 1 ? bent[0] : `${bent.length} bends on`}
  </PageLink>
);

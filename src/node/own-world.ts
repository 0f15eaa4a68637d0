// A server of this process for clients that it starts itself: one world, on a free port that only this machine reaches.
import { type Sachet, sachetAt } from '../client/sachet.ts';
import { type AssumptionId, assumptionIds, assumptions, type Readings } from '../contract/assumptions.ts';
import type { Scenario } from '../contract/scenarios.ts';
import { turned } from '../control/assumptions.ts';
import { createEngine } from '../engine.ts';
import type { Engine, EngineOptions } from '../engine-options.ts';
import { readyUser } from '../sample-order.ts';
import type { Place } from './client-environment.ts';
import { listen } from './listen.ts';
import { platform } from './platform.ts';
import { urlOf } from './reach.ts';
import type { World } from './world-flags.ts';

/** How a world is opened. */
export interface Opening {
  /** The readings that every sandbox begins with, in place of the world's. */
  readonly readings?: Readings;
  readonly onCompleted?: EngineOptions['onCompleted'];
}

/** A server that is there, and what its clients are told. */
export interface OpenedWorld {
  readonly place: Place;
  readonly sachet: Sachet;
  readonly close: () => Promise<void>;
}

/** By its address: not every client finds a server of IPv4 under the name localhost. */
const host = '127.0.0.1';

/** Starts it; every sandbox in it, whoever makes it, begins with its readings. */
export async function openWorld(world: World, opening: Opening = {}): Promise<OpenedWorld> {
  const { readings = world.readings, onCompleted } = opening;
  const engine = createEngine({ ...platform, ...optionsOf(world, readings), onCompleted });
  const { url, close } = await listening(engine);
  const { adminKey } = engine;
  const { username = '', password = '' } = readyUser(world.fixtures) ?? {};
  const place = { url, adminKey, username, password, assume: readingsText(readings) };
  return { place, sachet: sachetAt({ url, adminKey }, close), close };
}

async function listening(engine: Engine): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  try {
    const { url, close } = await listen(engine, { port: 0, host });
    return { url: urlOf(host, Number(new URL(url).port)), close };
  } catch (error) {
    engine.close();
    throw error;
  }
}

/** What differs from the world's readings is chosen, and no scenario that the sandboxes begin with turns it back. */
function optionsOf(
  { fixtures, scenarios, readings: base, options }: World,
  readings: Readings,
): Omit<EngineOptions, 'onCompleted'> {
  const others = assumptionIds.filter((id) => readings[id] !== base[id]);
  const chosen = Object.fromEntries(others.map((id) => [id, readings[id]]));
  return {
    ...options,
    fixtures,
    scenarios: scenarios.map((scenario) =>
      options.scenario?.includes(scenario.name) ? withoutReadings(scenario, others) : scenario,
    ),
    assumptions: { ...options.assumptions, ...chosen },
  };
}

function withoutReadings(scenario: Scenario, ids: readonly AssumptionId[]): Scenario {
  if (!scenario.assumptions || ids.length === 0) return scenario;
  const kept = Object.entries(turned(scenario.assumptions)).filter(([id]) => !ids.includes(id as AssumptionId));
  return { ...scenario, assumptions: Object.fromEntries(kept) };
}

/** The readings that are not the default ones, in the register's order. */
export const otherReadings = (readings: Readings): Partial<Readings> =>
  Object.fromEntries(
    assumptionIds.filter((id) => readings[id] !== assumptions[id].readings[0][0]).map((id) => [id, readings[id]]),
  );

/** The same as `--assume` and SACHET_ASSUME take them. */
export const readingsText = (readings: Readings): string =>
  Object.entries(otherReadings(readings))
    .map(([id, reading]) => `${id}=${reading}`)
    .join(',');

// A server of this process for clients that it starts itself, on a free port that only this machine reaches.
import { stage } from '../contract/addresses.ts';
import { type AssumptionId, assumptionIds, type Readings } from '../contract/assumptions.ts';
import { readingsText } from '../contract/readings.ts';
import type { Scenario } from '../contract/scenarios.ts';
import { turned } from '../control/assumptions.ts';
import { createEngine } from '../engine.ts';
import type { EngineOptions } from '../engine-options.ts';
import { readyUser } from '../sample-order.ts';
import type { Place } from './client-environment.ts';
import { listen } from './listen.ts';
import { platform } from './platform.ts';
import { urlOf } from './reach.ts';
import type { Setting } from './serve-flags.ts';

/** How it is started. */
export interface Start {
  /** The readings that every sandbox begins with, in place of the setting's. */
  readonly readings?: Readings;
  readonly onCompleted?: EngineOptions['onCompleted'];
}

/** A server that is there, and what its clients are told. */
export interface ClientServer {
  /** Its sandbox `stage`. */
  readonly place: Place;
  readonly close: () => Promise<void>;
}

/** By its address: not every client finds a server of IPv4 under the name localhost. */
const host = '127.0.0.1';

/** Starts it; every sandbox in it, whoever makes it, begins with its readings. */
export async function startClientServer(setting: Setting, start: Start = {}): Promise<ClientServer> {
  const { readings = setting.readings, onCompleted } = start;
  const engine = createEngine({ ...platform, ...optionsOf(setting, readings), onCompleted });
  const { url: named, close } = await listen(engine, { port: 0, host });
  const url = urlOf(host, Number(new URL(named).port));
  const { username = '', password = '' } = readyUser(setting.fixtures) ?? {};
  const { adminKey } = engine;
  const place = { url, sandbox: stage, baseUrl: url, adminKey, username, password, assume: readingsText(readings) };
  return { place, close };
}

/** What differs from the setting's readings is chosen, and no scenario that the sandboxes begin with turns it back. */
function optionsOf(
  { fixtures, scenarios, readings: base, options }: Setting,
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

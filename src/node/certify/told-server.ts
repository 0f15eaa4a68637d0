// What a server tells of itself before the walk: that it is one, its version, its scenarios.
import { z } from 'zod';
import { healthPath } from '../../contract/addresses.ts';
import { leverOperations, scenarioShown } from '../../contract/admin/levers.ts';
import { readHealth } from '../../contract/health.ts';
import { ask, type Remote, StrangeAnswerError, sent } from '../ask.ts';
import type { ToldScenario } from './caller.ts';

export interface ToldServer {
  readonly version: string;
  readonly scenarios: readonly ToldScenario[];
}

/** A server of a later version may tell more. */
const { name, intent, right_client, expect, conduct } = scenarioShown.shape;
const scenariosTold = z.object({ scenarios: z.array(z.object({ name, intent, right_client, expect, conduct })) });

/** @throws as `ask`, and StrangeAnswerError. */
export async function toldServer(remote: Remote, signal: AbortSignal): Promise<ToldServer> {
  const response = await ask(remote, leverOperations['scenarios.list'], { signal });
  const { data } = scenariosTold.safeParse(await response.json().catch(() => undefined));
  if (!data) throw new StrangeAnswerError(remote.url);
  const health = readHealth(await (await sent(remote.url, healthPath, { signal })).text());
  if (!health) throw new StrangeAnswerError(remote.url);
  return { version: health.version, scenarios: data.scenarios };
}

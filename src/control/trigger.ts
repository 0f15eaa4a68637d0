// When a lever meets a call, and with what: switches and faults said in the same words.
import type { Delay, Drop, Fault } from '../contract/admin/faults.ts';
import type { Lever, SettingsOf } from '../contract/admin/lever.ts';
import type { RequestMatch } from '../contract/admin/match.ts';
import { limits } from '../contract/limits.ts';
import type { DeepReadonly } from '../contract/records.ts';

export interface Trigger {
  readonly match?: DeepReadonly<RequestMatch> | undefined;
  /** Only calls that need one of these. */
  readonly permissions?: readonly string[];
  readonly status?: Fault['status'];
  readonly retryAfterSeconds?: number;
  readonly delay?: DeepReadonly<Delay> | undefined;
  readonly drop?: Drop | undefined;
  readonly times?: number | undefined;
  readonly after?: number | undefined;
  readonly forSeconds?: number | undefined;
  readonly probability?: number | undefined;
  /** Calls that a window lets pass. */
  readonly limit?: number | undefined;
  readonly windowSeconds?: number | undefined;
}

/** The trigger of a lever; undefined for switches that are asked for where they matter. */
export function triggerOf({ kind, settings }: Lever): Trigger | undefined {
  switch (kind) {
    case 'maintenance':
      return { match: settings.match, status: 500, forSeconds: settings.for_seconds };
    case 'rate_limit':
      return {
        match: settings.match,
        status: 429,
        retryAfterSeconds: settings.retry_after ?? limits.retryAfterSeconds,
        times: settings.burst,
        forSeconds: settings.for_seconds,
        limit: settings.limit,
        windowSeconds: settings.window_seconds,
      };
    case 'missing_permission':
      return { match: settings.match, status: 403, permissions: settings.permissions };
    case 'server_error':
      return { match: settings.match, status: 500, times: settings.burst, probability: settings.probability };
    case 'latency':
      return { match: settings.match, delay: latencyDelay(settings), probability: settings.probability };
    case 'connection':
      return { match: settings.match, drop: settings.drop, times: settings.burst, probability: settings.probability };
    case 'fault':
      return faultTrigger(settings);
    default:
      return undefined;
  }
}

type Latency = SettingsOf<'latency'>;

function latencyDelay({ milliseconds, min = 0, max = min }: Latency): Delay {
  return milliseconds === undefined ? { min, max } : { milliseconds };
}

function faultTrigger({ retry_after, for_seconds, id: _, ...same }: DeepReadonly<Fault>): Trigger {
  return { ...same, retryAfterSeconds: retry_after ?? limits.retryAfterSeconds, forSeconds: for_seconds };
}

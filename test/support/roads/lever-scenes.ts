// Levers on either road: broken connections, refusals, delays. Each scene tells what was answered, and what is stored.
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
import { exchange } from './exchange.ts';
import { last } from './requests.ts';
import { calls, type Place, type Scene, stored } from './scenes.ts';

const behind = (text: string, count: number): string => text.repeat(count) + last;
const sent = ({ port, on }: Place, text: string) => exchange(port, on(text));

const bent =
  (bend: (stage: SandboxControl) => Promise<unknown>, text: string): Scene =>
  async (place) => {
    await bend(place.stage);
    return [await sent(place, text), await sent(place, last), await stored(place)];
  };

type Drop = 'before_processing' | 'after_processing' | 'mid_body';
const drops: readonly Drop[] = ['before_processing', 'after_processing', 'mid_body'];

export const broken: Readonly<Record<string, Scene>> = Object.fromEntries(
  drops.flatMap((drop) =>
    Object.entries(calls).flatMap(([name, text]) => {
      const break_ = (burst: number, match?: object) => (stage: SandboxControl) =>
        stage.switches.set({ connection: { drop, burst, ...(match && { match }) } });
      return [
        [`${drop}: ${name}`, bent(break_(1), text + last)],
        [`${drop}: ${name}, thrice in one segment`, bent(break_(1), text.repeat(3) + last)],
        [`${drop}: ${name} behind others`, bent(break_(1, { operation: 'products.list' }), text + text + last)],
        [`${drop}: every ${name.slice(2)}`, bent(break_(3), text.repeat(3) + last)],
      ] as [string, Scene][];
    }),
  ),
);

export const refused: Readonly<Record<string, Scene>> = Object.fromEntries(
  Object.entries(calls).flatMap(([name, text]) => [
    [`a rate limit: ${name}`, bent((stage) => stage.switches.set({ rate_limit: { burst: 2 } }), behind(text, 3))],
    [`a 500: ${name}`, bent((stage) => stage.faults.create({ status: 500, times: 1 }), behind(text, 2))],
    [
      `a 429: ${name}`,
      bent((stage) => stage.faults.create({ status: 429, retry_after: 7, times: 1 }), behind(text, 2)),
    ],
    [
      `a delay: ${name}`,
      bent((stage) => stage.faults.create({ delay: { milliseconds: 30 }, times: 1 }), behind(text, 2)),
    ],
    [
      `a delayed break: ${name}`,
      bent(
        (stage) => stage.faults.create({ delay: { milliseconds: 30 }, drop: 'mid_body', times: 1 }),
        behind(text, 2),
      ),
    ],
    [
      `expired tokens: ${name}`,
      bent(
        (stage) => stage.switches.set({ token_expiry: { expire_issued: true, match: { method: 'GET' } } }),
        behind(text, 2),
      ),
    ],
  ]),
);

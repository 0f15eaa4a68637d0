// Two servers of one seed and a clock that stands: one is asked on the direct road, the other through the adaptor.
import { controlClient } from '../../../src/client/control-client.ts';
import { createEngine } from '../../../src/engine.ts';
import type { Engine } from '../../../src/engine-options.ts';
import { listen } from '../../../src/node/listen.ts';
import { platform } from '../../../src/node/platform.ts';
import { fixtures, noon, passwordOf, scenarios } from '../sachet.ts';
import { exchange } from './exchange.ts';
import { onRoad, posted, type Road, type Tokens } from './requests.ts';
import type { Place } from './scenes.ts';

export interface OpenPlace extends Place {
  readonly road: Road;
  /** The roads that its requests took, in order, since this was emptied. */
  readonly taken: Road[];
  readonly close: () => Promise<void>;
}

const adminKey = 'the-key-of-both-roads';

export async function openPlace(road: Road): Promise<OpenPlace> {
  const engine = createEngine({
    ...platform,
    fixtures,
    scenarios,
    clock: noon,
    randomSeed: 'test',
    adminKey,
    onFailure,
  });
  const taken: Road[] = [];
  const { url, close } = await listen(watched(engine, taken), { port: 0, host: '127.0.0.1' });
  const port = Number(new URL(url).port);
  const tokens = await tokensAt(port);
  // Past the port: it asks without leaving a trace on either road.
  const { fetch } = engine;
  const stage = controlClient({ url: 'http://localhost', adminKey, fetch }).sandbox('stage');
  return { port, road, taken, close, stage, on: (text) => onRoad(text, road, tokens) };
}

/** A bug shows as a 500 on one road and not the other, or as one on both. */
function onFailure(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}

/** The engine, with the road of each request written down. */
const watched = (engine: Engine, taken: Road[]): Engine => ({
  ...engine,
  serve(request) {
    const answer = engine.serve(request);
    if (answer) taken.push('direct');
    return answer;
  },
  answer(request) {
    taken.push('adapted');
    return engine.answer(request);
  },
});

async function tokensAt(port: number): Promise<Tokens> {
  const of = async (username: string, base = '') => {
    const body = { username, password: passwordOf(username) };
    const parts = { token: '', headers: ['Connection: close'] } as const;
    const text = posted(`POST ${base}/v2/authentication/token`, body, parts).replace('@road\r\n', '');
    const { received } = await exchange(port, Buffer.from(text));
    return (JSON.parse(received.slice(received.indexOf('\r\n\r\n'))) as { access_token: string }).access_token;
  };
  return {
    '@demo': await of('demo'),
    '@nobody': await of('no-permissions'),
    '@elsewhere': await of('demo', '/sandboxes/production'),
  };
}

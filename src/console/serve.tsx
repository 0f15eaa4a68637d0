// Answers the console's requests: guards first, then what was asked for. What is thrown becomes words on the page.

import { sandboxName, stage } from '../contract/addresses.ts';
import { ControlRefusal } from '../contract/admin/refusals.ts';
import { stopwatch } from '../control/clock.ts';
import { present } from '../http/admin/control-call.ts';
import { pass } from '../http/admin/guards.ts';
import { asRefusal } from '../http/admin/refused.ts';
import { protectedAnswer } from '../http/answer-headers.ts';
import type { ServiceResponse } from '../http/exchange.ts';
import { protectedResponse, requireRoomForResponse } from '../http/response.ts';
import { urlParts } from '../http/urls.ts';
import { act } from './act.tsx';
import type { ConsoleRoute } from './addresses.ts';
import { assets, isAsset } from './assets.ts';
import { content } from './content.tsx';
import { fragment } from './fragment.ts';
import { refusedPage } from './frame.tsx';
import type { Knock } from './knock.ts';
import { live } from './live.tsx';
import { Refused } from './parts/refused.tsx';
import { shell } from './shell.tsx';
import { sampleOrder } from './start/sample-order.tsx';
import { top } from './top.tsx';
import { visitOf } from './visit.ts';

/** What a request is for; a path that is none is for nothing. */
export type Purpose = ConsoleRoute['to'] | 'nowhere';
type InPublic = 'entry' | 'shell' | 'asset' | 'nowhere';
const isInPublic = (to: Purpose): to is InPublic => ['entry', 'shell', 'asset', 'nowhere'].includes(to);

export async function served(knock: Knock, to: Purpose): Promise<Response> {
  const { edge, request } = knock;
  const started = stopwatch();
  const answer = await (isInPublic(to) ? inPublic(knock, to) : withKey(knock, to));
  const sandbox = knock.params.sandbox;
  const { path } = urlParts(request.url);
  // Pages look again whenever something changes: a line for each look would bury those of the calls.
  if (request.method !== 'GET' || answer.status >= 400)
    edge.log({ method: request.method, path, status: answer.status, milliseconds: stopwatch() - started, sandbox });
  return answer instanceof Response ? protectedAnswer(edge, 'page', answer) : protectedResponse(knock.c, edge, answer);
}

/** What holds no data. */
async function inPublic(knock: Knock, to: InPublic): Promise<ServiceResponse> {
  const { edge, request, params } = knock;
  try {
    await pass(edge.guards.browser, { edge, request, sandboxName: undefined });
    if (to === 'entry' && sandboxName.test(params.sandbox ?? stage)) return toLiveRequests(knock);
    if (to === 'entry' || to === 'shell') return shell(params.sandbox ?? '', params.page ?? '', urlParts(request.url));
    const { name = '' } = params;
    if (isAsset(name)) return await assets.serve(edge, name, request);
    throw new ControlRefusal(404, `The console has no ${urlParts(request.url).path.slice(0, 200)}`);
  } catch (error) {
    return refusedPage(asRefusal(edge, error), urlParts(request.url).path);
  }
}

/** What holds data, and what bends it. */
async function withKey(knock: Knock, to: Exclude<Purpose, InPublic>): Promise<ServiceResponse | Response> {
  const { edge, request, params } = knock;
  const { sandbox: name = '' } = params;
  try {
    await pass([...edge.guards.browser, ...edge.guards.key], { edge, request, sandboxName: name });
    const visit = visitOf(knock, await present(edge, name));
    await visit.sandbox.journal.catchUp();
    const answer = await { top, content, act, live, sampleOrder }[to](visit);
    if (!(answer instanceof Response)) requireRoomForResponse(edge, request.method, answer);
    return answer;
  } catch (error) {
    const refusal = asRefusal(edge, error);
    // The head says nothing of what the page says.
    if (to === 'top' && refusal.status === 404) return { kind: 'page', status: 204, headers: {}, body: null };
    return fragment(<Refused refusal={refusal} sandbox={name} isPage={to === 'content'} />, {
      status: refusal.status,
      headers: refusal.headers,
    });
  }
}

/** Relative to the path that was asked for. A browser keeps the fragment, and with it the key, across this. */
function toLiveRequests({ request, params: { sandbox } }: Knock): ServiceResponse {
  const { path } = urlParts(request.url);
  const last = path.slice(path.lastIndexOf('/') + 1);
  const location = [last, sandbox ? '' : stage, 'requests'].filter((part) => part !== '').join('/');
  return { kind: 'page', status: 302, headers: { location }, body: '' };
}

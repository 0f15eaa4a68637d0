// The address of the MCP server: the guards, the key and the body limit of the control API. The code of MCP loads with
// the first call that passes them.
import type { Hono } from 'hono';
import { mcpPath } from '../../contract/addresses.ts';
import { ControlRefusal } from '../../contract/control/control-operation.ts';
import type { AnswerMcp, Dependencies } from '../dependencies.ts';
import { guardControl, keyOwner } from '../guards.ts';
import { protectedStream } from '../response.ts';
import { bearerToken } from '../tokens.ts';
import { urlParts } from '../urls.ts';
import { baseApp, type ControlEnv, readJson } from './app.ts';

export function mcpApp(deps: Dependencies, load: () => Promise<AnswerMcp>): Hono<ControlEnv> {
  const app = baseApp(deps);
  app.all(mcpPath, async (c) => {
    const request = c.req.raw;
    guardControl(deps, request);
    const sandbox = await keyOwner(deps, request);
    if (request.method !== 'POST')
      throw new ControlRefusal(405, `${mcpPath} accepts POST, not ${request.method}`, { headers: { Allow: 'POST' } });
    const body = await readJson(c, {});
    const key = bearerToken(request) ?? '';
    const answer = await load();
    const response = await answer({ request, body, key, sandbox, url: urlParts(request.url).origin });
    return protectedStream(deps, 'data', response);
  });
  return app;
}

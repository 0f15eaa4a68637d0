// The routes: the contract's operations at both base URLs, the storage beside them, and health. Web APIs only.

import type { Context } from 'hono';
import { Hono } from 'hono';
import type { Operation } from '../contract/operation.ts';
import { operationList } from '../contract/operations.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Edge } from './edge.ts';
import { refusalReply } from './refuse.ts';
import { respond, toResponse } from './respond.ts';
import { serveLabel } from './storage/labels.ts';

/** Where {base_url} may stand: the plain one, and one per sandbox. */
const bases = ['', '/sandboxes/:sandbox'] as const;

export function createApp(edge: Edge): Hono {
  const app = new Hono();
  app.get('/health', (context) => context.json({ status: 'ok', version: edge.version }));
  for (const base of bases) {
    for (const operation of operationList)
      app.on(operation.method, base + routeOf(operation), (context) => answer(edge, context, operation));
    app.all(`${base}/v2/*`, (context) => answer(edge, context, undefined));
    app.all(`${base}/_storage/*`, (context) =>
      serveLabel(edge, context.req.raw, context.req.param('sandbox' as never)),
    );
  }
  app.onError((error) => {
    throw error; // what is not answered by now shall be seen by the caller of fetch
  });
  app.notFound(() => toResponse(refusalReply(new Refusal('HTTP-1'))));
  return app;
}

/** `/v2/orders/{orderId}` → `/v2/orders/:orderId` */
const routeOf = ({ path }: Operation): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

function answer(edge: Edge, { req }: Context, operation: Operation | undefined): Promise<Response> {
  const { sandbox: sandboxName, ...params } = req.param() as Record<string, string>;
  return respond(edge, { request: req.raw, operation, params, sandboxName });
}

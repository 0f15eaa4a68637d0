// The shortest way to what is said of a server's health: without the routes of the app, which a server that has just started has not loaded.
import { healthPath } from '../contract/addresses.ts';
import { urlParts } from './arrival.ts';
import type { Edge } from './edge.ts';
import type { Incoming } from './incoming.ts';
import type { Sent } from './rendered.ts';
import { sentBy } from './response.ts';

/** The answer to who asks how the server is, without a query; undefined for what else is asked, which is seen at a glance. */
export const healthAt = (edge: Pick<Edge, 'headers' | 'health'>, { method, url }: Incoming): Sent | undefined =>
  method === 'GET' && url.endsWith(healthPath) && urlParts(url).path === healthPath
    ? sentBy(edge, edge.health.answer())
    : undefined;

// A request at the console's door.

import type { Edge } from '../http/edge.ts';
import type { fetchInProcess } from '../http/in-process.ts';
import type { AppContext } from '../http/request-context.ts';

/** What the console stands in. */
export interface Door {
  readonly edge: Edge;
  /** Sends a call as a client would. */
  readonly fetch: ReturnType<typeof fetchInProcess>;
}

export interface Knock extends Door {
  readonly c: AppContext;
  readonly request: Request;
  /** The names in its path. */
  readonly params: Readonly<Record<string, string>>;
}

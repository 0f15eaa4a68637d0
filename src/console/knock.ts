// A request at the console's door.
import type { Edge } from '../http/edge.ts';

/** What the console stands in. */
export interface Door {
  readonly edge: Edge;
  /** Answers a request as the server would. */
  readonly answer: (request: Request) => Response | Promise<Response>;
}

export interface Knock extends Door {
  readonly request: Request;
  /** The names in its path. */
  readonly params: Readonly<Record<string, string>>;
}

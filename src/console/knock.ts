// A request at the console's door.
import type { Edge } from '../http/edge.ts';

export interface Knock {
  readonly edge: Edge;
  /** Answers a request as the server would. */
  readonly answer: (request: Request) => Response | Promise<Response>;
  readonly request: Request;
  /** The names in its path. */
  readonly params: Readonly<Record<string, string>>;
}

// A worker that responds with the results.
import { collectResults } from './results.mjs';

export default { fetch: async () => new Response(await collectResults()) };

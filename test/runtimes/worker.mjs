// The story as the answer of a worker.
import { story } from './story.mjs';

export default { fetch: async () => new Response(await story()) };

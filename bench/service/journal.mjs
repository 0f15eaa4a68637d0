// Whether the journal of the sandbox that was loaded holds its last calls, and counted all of them.
import { control, read } from './client.mjs';

export const journalSize = 1000;
/** A journal is bounded by its bytes, too: what it has room for of these, roughly, is what is asked of it. */
const journalBytes = 8_388_608;
const entryBytes = 2_048;
const asked = 0.9;

/**
 * Notes where the journal stands; the check that it gives is called after the load.
 * @param server the Sachet that is loaded; `sent` is how many answers the generator had of it
 * @param token of the sandbox that is loaded
 * @returns a check that takes the requests of the load
 */
export async function watchJournal(server, token, sandbox = 'stage') {
  const countBefore = await countOf(server, sandbox);
  const sentBefore = server.sent ?? 0;
  return async (loads) => {
    const wanted = new Set(loads.map(({ method = 'GET', path }) => `${method} ${path.split('?')[0]}`));
    await read(server, token, '/v2/products');
    const sent = (server.sent ?? 0) - sentBefore + 1;
    const { requests, dropped } = await journalOf(server, sandbox);
    const loaded = requests.slice(0, -1).filter((entry) => isOf(entry, wanted));
    return {
      kept: new Set(requests.map(({ id }) => id)).size,
      wanted: Math.min(journalSize, roomFor(requests)),
      ofTheLoad: loaded.length,
      counted: requests.length + dropped - countBefore,
      sent,
    };
  };
}

/** What is wrong with what `watchJournal` told, in words; undefined where nothing is. */
export function faultOfJournal({ kept, wanted, ofTheLoad, counted, sent }) {
  if (counted !== sent) return `${sent} calls were answered, the journal counted ${counted}`;
  if (kept < wanted) return `the journal holds ${kept} of the last ${journalSize} calls, and has room for ${wanted}`;
  if (ofTheLoad < kept - 1) return `of the last ${kept} calls ${ofTheLoad} are those of the load`;
  return undefined;
}

/** How many calls like these a journal has room for. */
function roomFor(requests) {
  const bytes = requests.reduce((sum, { request, response }) => sum + sizeOf(request) + sizeOf(response), 0);
  return Math.floor((asked * journalBytes) / (bytes / requests.length + entryBytes));
}

const sizeOf = (message) => JSON.stringify(message?.body ?? null).length;

function isOf({ method, path, status, completed }, wanted) {
  return completed && status >= 200 && status <= 299 && wanted.has(`${method} ${path}`);
}

async function countOf(server, sandbox) {
  const { requests, dropped } = await journalOf(server, sandbox);
  return requests.length + dropped;
}

function journalOf(server, sandbox) {
  return control(server, 'GET', `/sandboxes/${sandbox}/requests`);
}

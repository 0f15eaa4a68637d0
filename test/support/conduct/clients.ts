// For each rule of the conduct report a client that keeps it and one that breaks it. One that is missing does not compile.
import type { ConductRuleId } from '../../../src/contract/control/conduct.ts';
import { labelUrlOf } from '../labels.ts';
import { lineOf, pouchOf, productId, products } from '../order-requests.ts';
import { readAll } from '../pages.ts';
import { idOf, type Judged } from './judged.ts';

/** Does its calls; what it gives are the ids of those that must be the evidence. */
export type Client = (world: Judged) => Promise<readonly string[] | undefined>;

export const conductClients: { readonly [Id in ConductRuleId]: { readonly right: Client; readonly wrong: Client } } = {
  token_reuse: {
    right: async ({ statuses }) => void (await statuses(3)),
    wrong: async ({ sachet }) => {
      for (let n = 0; n < 2; n += 1) await (await sachet.login()).get('/v2/products');
      return undefined;
    },
  },
  refresh_on_401: {
    right: async ({ expireTokens, status, renewed }) => {
      await expireTokens();
      await status();
      await (await renewed()).get('/v2/products');
      return undefined;
    },
    wrong: async ({ expireTokens, client }) => {
      await expireTokens();
      return [idOf(await client.get('/v2/products'))];
    },
  },
  no_dead_token: {
    right: async ({ expireTokens, client, renewed }) => {
      await expireTokens();
      const refused = await client.get('/v2/products');
      await (await renewed()).get('/v2/products');
      return [idOf(refused)];
    },
    wrong: async ({ expireTokens, client }) => {
      await expireTokens();
      return [idOf(await client.get('/v2/products')), idOf(await client.get('/v2/fulfillments'))];
    },
  },
  retry_after: {
    right: async ({ stage, order, elapse }) => {
      await stage.switches.set({ rate_limit: { burst: 1 } });
      await order();
      await elapse(60_000);
      return [idOf(await order())];
    },
    wrong: async ({ stage, order, elapse }) => {
      await stage.switches.set({ rate_limit: { burst: 1 } });
      const limited = await order();
      await elapse(59_999);
      return [idOf(limited), idOf(await order())];
    },
  },
  backoff_on_500: {
    right: async ({ stage, client, elapse }) => {
      await stage.switches.set({ server_error: { burst: 3 } });
      const ids = [idOf(await client.get('/v2/products'))];
      for (const pause of [1000, 2000, 4000]) {
        await elapse(pause);
        ids.push(idOf(await client.get('/v2/products')));
      }
      return ids.slice(1);
    },
    wrong: async ({ stage, client }) => {
      await stage.switches.set({ server_error: { burst: 1 } });
      return [idOf(await client.get('/v2/products')), idOf(await client.get('/v2/products'))];
    },
  },
  cursor_to_the_end: {
    right: async ({ client }) => void (await readAll(client)),
    wrong: async ({ client }) => [idOf(await client.get('/v2/fulfillments?limit=2'))],
  },
  cursor_opaque: {
    right: async ({ client }) => {
      const { next_cursor } = (await client.get('/v2/fulfillments?limit=2')).body;
      return [idOf(await client.get(`/v2/fulfillments?limit=2&cursor=${next_cursor}`))];
    },
    wrong: async ({ client }) => [idOf(await client.get('/v2/fulfillments?limit=2&cursor=2'))],
  },
  fresh_label: {
    right: async ({ client, sachet, elapse }) => {
      const kept = await labelUrlOf(client);
      await elapse(900_000);
      const refused = await sachet.call('GET', kept);
      return [idOf(refused), idOf(await sachet.call('GET', await labelUrlOf(client)))];
    },
    wrong: async ({ client, sachet, elapse }) => {
      const kept = await labelUrlOf(client);
      await elapse(900_000);
      const ids = [idOf(await sachet.call('GET', kept)), idOf(await sachet.call('GET', kept))];
      await labelUrlOf(client);
      return ids;
    },
  },
  no_double_submit: {
    right: async ({ stage, order, client }) => {
      await stage.switches.set({ connection: { drop: 'after_processing', burst: 1 } });
      await order().catch(() => undefined);
      await client.get('/v2/orders');
      return undefined;
    },
    wrong: async ({ stage, order }) => {
      await stage.switches.set({ connection: { drop: 'after_processing', burst: 1 } });
      await order().catch(() => undefined);
      await order();
      return undefined;
    },
  },
  needs_changes: {
    right: async ({ stage, order }) => {
      await stage.switches.set({ inactive_pags: { all: true } });
      const placed = await order();
      return [idOf(placed), idOf(await order({ order_lines: [lineOf(pouchOf(productId(2)))] }))];
    },
    wrong: async ({ stage, order }) => {
      await stage.switches.set({ inactive_pags: { all: true } });
      return [idOf(await order()), idOf(await order())];
    },
  },
  no_refused_repeat: {
    right: async ({ order }) => {
      const refused = await order({ order_lines: [lineOf(pouchOf(products.inactive))] });
      await order();
      return [idOf(refused)];
    },
    wrong: async ({ order }) => {
      const again = () => order({ order_lines: [lineOf(pouchOf(products.inactive))] });
      return [idOf(await again()), idOf(await again())];
    },
  },
  documented_fields: {
    right: async ({ order }) => void (await order()),
    wrong: async ({ order }) => [idOf(await order({ gift: true }))],
  },
};

// A hand-written mock for comparison: Hono, its Node adapter and one zod schema, without state.
import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { z } from 'zod';

const content = z.object({ client_product_id: z.uuid(), serving_size: z.number() });
const pouch = z.object({ time_of_administration: z.string(), contents: z.array(content).min(1) });
const order = z.object({
  consumer: z.object({
    first_name: z.string(),
    last_name: z.string(),
    email: z.email(),
    phone_number: z.string().max(15),
  }),
  shipping_address: z.object({
    address1: z.string().max(99),
    city: z.string().max(49),
    province_name: z.string(),
    country_name: z.string(),
    postal_code: z.string(),
  }),
  order_lines: z.array(z.object({ duration: z.number(), pouches: z.array(pouch) })).min(1),
});

const app = new Hono();
app.post('/v2/orders', zValidator('json', order), (c) => {
  return c.json({ order: { id: randomUUID(), status: 'Pending', ...c.req.valid('json') } }, 201);
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
process.once('SIGTERM', () => process.exit(0));

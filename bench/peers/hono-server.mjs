// A minimal server of hono and zod: what one would write by hand instead of a sandbox.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { z } from 'zod';

const products = JSON.parse(readFileSync('products.json', 'utf8'));
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
app.get('/v2/products', (c) => c.json(products));
app.post('/v2/orders', zValidator('json', order), (c) => {
  const { first_name, last_name } = c.req.valid('json').consumer;
  const consumer = { id: randomUUID(), first_name, last_name };
  return c.json({ order: { id: randomUUID(), status: 'Pending', consumer } }, 201);
});
serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' });

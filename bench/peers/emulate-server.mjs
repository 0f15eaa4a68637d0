// An emulator of the two calls: the products of its first state, and orders that it keeps in it.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createEmulator, defineEmulator } from 'emulate';

const products = JSON.parse(readFileSync('products.json', 'utf8'));

const service = defineEmulator({
  name: 'orders',
  state: () => ({ products, orders: [] }),
  setup({ app, state }) {
    app.get('/v2/products', (c) => c.json(state.products));
    app.post('/v2/orders', async (c) => {
      const { first_name, last_name } = (await c.req.json()).consumer;
      const order = { id: randomUUID(), status: 'Pending', consumer: { id: randomUUID(), first_name, last_name } };
      state.orders.push(order);
      return c.json({ order }, 201);
    });
  },
});
await createEmulator({ service, port: Number(process.argv[2]) });

// GET /v2/products, twenty of them, against fixed bytes: the very same.
import { bearer, read } from '../service/client.mjs';
import { withFixtures } from '../service/fixtures.mjs';
import { againstRaw } from './against-raw.mjs';

export const productCount = 20;
const path = '/v2/products';

export async function measureProducts(context) {
  const prepare = async (sachet, token) => {
    const { body } = await read(sachet, token, path);
    const check = async () => checkProducts((await read(sachet, token, path)).body, body);
    return { requests: [{ path, headers: bearer(token) }], given: { way: 'bytes', body }, check };
  };
  const products = await withFixtures({ products: productCount }, (fixtures) =>
    againstRaw(context, ['--fixtures', fixtures], prepare),
  );
  return { products };
}

/** That the answer has the twenty products, and is what it was. */
export function checkProducts(body, before) {
  const ids = new Set(JSON.parse(body).client_products.map(({ id }) => id));
  if (ids.size !== productCount) throw new Error(`the list has ${ids.size} products, not ${productCount}`);
  if (body !== before) throw new Error('the list of products is not what it was before the load');
}

// GET /v2/products and GET /v2/products/{id} (CAT-1, CAT-2).
import { z } from 'zod';
import { operation, pathIdRefusals } from './operation.ts';
import { perAssumptions } from './resolved-assumptions.ts';
import { pathId } from './schema.ts';

const clientProduct = perAssumptions(() =>
  z
    .strictObject({
      id: z.guid(),
      product_name: z.string(),
      active: z.boolean().meta({ description: 'Only active products can be ordered.' }),
      serving_size: z.number(),
    })
    .meta({ id: 'ClientProduct' }),
);

export const productOperations = {
  'products.list': operation({
    operationId: 'listProducts',
    method: 'GET',
    path: '/v2/products',
    summary: "List the client's products",
    description: "The calling client's own products. Only active ones can be ordered.",
    permission: 'products:read',
    responses: {
      200: perAssumptions((assumptions) => z.strictObject({ client_products: z.array(clientProduct(assumptions)) })),
    },
    refusals: [],
    shapedBy: ['product_list'],
  }),
  'products.get': operation({
    operationId: 'getProduct',
    method: 'GET',
    path: '/v2/products/{id}',
    summary: 'Get a product',
    description: 'Checks that a product with this id exists.',
    permission: 'products:read',
    params: perAssumptions((assumptions) => z.object({ id: pathId(assumptions, 'a product') })),
    responses: {
      200: perAssumptions((assumptions) =>
        assumptions.get('single_read_body') === 'wrapped'
          ? z.strictObject({ client_product: clientProduct(assumptions) })
          : clientProduct(assumptions),
      ),
    },
    refusals: [...pathIdRefusals, 'CAT-2', 'foreign_resource'],
  }),
} as const;

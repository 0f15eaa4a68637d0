// The cases of products.
import { casesOf } from './case.ts';
import { commonCases } from './common.ts';
import { singleCases } from './reads.ts';
import { known } from './requests.ts';

const { notFound, ...single } = singleCases((id) => `/v2/products/${id}`, 'id', known.foreignProduct, 'Product');

export const catalogCases = {
  'products.list': casesOf('products.list', commonCases()),
  'products.get': casesOf('products.get', { ...commonCases(), ...single, 'CAT-2': notFound }),
} as const;

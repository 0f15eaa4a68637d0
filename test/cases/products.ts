// The cases of products.
import type { CaseTable } from './case.ts';
import { singleCases } from './common.ts';
import { known } from './requests.ts';

export const catalogCases = {
  'products.get': singleCases('products.get', 'CAT-2', 'Product', known.foreignProduct),
} as const satisfies Partial<CaseTable>;

// Whole numbers of a query.
import { z } from 'zod';
import { numberFromText } from '../numeric-text.ts';

export const wholeNumber = (minimum: number, maximum: number) =>
  z
    .preprocess(numberFromText, z.int().min(minimum).max(maximum))
    .meta({ override: { type: 'integer', minimum, maximum } });

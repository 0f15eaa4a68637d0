// The body of every error, as the documents show it.
import { z } from 'zod';

const errorDetail = z
  .strictObject({
    field: z.string().meta({ description: 'A dotted path such as `consumer.email`; empty for the whole body.' }),
    message: z.string(),
  })
  .meta({ id: 'ErrorDetail' });

/** The error body (HTTP-3): these keys and no other. */
export const errorBody = z
  .strictObject({
    statusCode: z.int().meta({ description: 'The HTTP status.' }),
    error: z.string().meta({ description: "The status's name." }),
    message: z.string().meta({ description: 'What is wrong; of several faults the first, by the default readings.' }),
    details: z.array(errorDetail).optional().meta({ description: 'The faulty fields of the request, one item each.' }),
  })
  .meta({ id: 'ErrorBody', description: 'The body of every error.' });
export type ErrorBody = z.infer<typeof errorBody>;

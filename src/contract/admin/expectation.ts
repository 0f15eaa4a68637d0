// Calls that a right client makes under a scenario.
import { z } from 'zod';
import { count } from './count.ts';
import { match } from './match.ts';

export const expectation = z.strictObject({ match, count });
export type Expectation = z.output<typeof expectation>;

// As learner.test.ts, with more recordings.
import { test } from 'vitest';
import { drawChoices, expectLearned } from './recordings.ts';

test.for(drawChoices(50).map((choices, n) => ({ choices, n })))('recording $n', ({ choices, n }) =>
  expectLearned(choices, n),
);

// The contract, sentence by sentence and row by row, checked over HTTP with the default choices.
import { describe, test } from 'vitest';
import { sections } from './statements/service.ts';
import { session } from './statements/statement.ts';

describe.each(sections)('$title', ({ statements }) => {
  test.each(statements)('%s (%s)', async (_says, _heldBy, check) => check(await session()));
});

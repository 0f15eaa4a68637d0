// A line of the log is one line, whatever a path holds: whoever asks writes no lines of their own, and moves no cursor.
import { expect, test, vi } from 'vitest';
import { createLog } from '../../src/node/platform.ts';
import { bareSachet, send } from '../support/bare-sachet.ts';

test.each([
  '/_admin/sandboxes/x%0a00:00:00.000%20GET%20%2F/clock',
  '/_admin/sandboxes/%1b%5b2J/clock',
  '/_console/%0aX%1b%5b2J',
  '/_console/_top/%0a',
  '/sandboxes/%0d%0a/v2/products',
  '/sandboxes/%E2%80%A8/_docs',
])('%s', async (path) => {
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(`${text}`) > 0);
  try {
    await send(bareSachet({ log: createLog('text') }), 'GET', path);
  } finally {
    write.mockRestore();
  }
  expect(written).toEqual([expect.stringMatching(/^[^\p{C}\p{Zl}\p{Zp}]+\n$/u)]);
});

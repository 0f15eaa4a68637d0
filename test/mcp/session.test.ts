// The recorded session of an agent does what the guide says. The test of the generated tables compares the page with
// it.
import { expect, test } from 'vitest';
import { recordSession } from './session.ts';

test('the tools lead from a failed client to its reason, and confirm the correction', async () => {
  const steps = await recordSession();
  const resultOf = (start: string, nth = 0) => steps.filter(({ action }) => action.startsWith(start))[nth]?.result;
  expect(steps.filter(({ action }) => action.includes('client')).map(({ result }) => result)).toContain(
    'Error: GET /v2/products failed with 401',
  );
  expect(resultOf('requests')).toMatch(/^\w+ 2026-01-02T00:00:00.000Z GET \/v2\/products → 401 AUTH-3/);
  const explained = resultOf('explain_request');
  expect(explained).toContain('Rejected by AUTH-3');
  expect(explained).toContain('advice: After a 401, use the refresh token');
  expect(resultOf('the corrected client')).toBe('8 products');
  expect(resultOf('the corrected client', 1)).toBe('8 products');
  expect(resultOf('requests', 1)).toMatch(/\/v2\/products → 200[\s\S]*refresh-token → 200[\s\S]*products → 401/);
  expect(resultOf('conduct_report')).toMatch(/^failed: 0\npassed: token_reuse, refresh_on_401, no_dead_token/);
});

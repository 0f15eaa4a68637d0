// States that the service creates can be imported.
import { expect } from 'vitest';
import { type TestSachet, testSachet } from './sachet.ts';

/** Exports stage, and imports it into another server, where it is the same. */
export async function expectImportable({ control }: TestSachet): Promise<void> {
  const document = await control.sandbox('stage').state.get();
  const other = testSachet().control.sandbox('stage');
  await other.state.put(document);
  expect(await other.state.get()).toEqual({ ...document, exported_at: expect.any(String) });
}

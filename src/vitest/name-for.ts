// What the sandbox of a test is called: after the test, so that it is known in the log, and unlike any other.
import { randomSecret } from '../system/random.ts';

/** @example nameFor({ name: 'An order is placed' }) // an-order-is-placed-3f9c02d1 */
export function nameFor({ name }: { readonly name: string }): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${words.slice(0, 48)}-${randomSecret().slice(0, 8)}`.replaceAll(/^-+|-(?=-)/g, '');
}

// The reference's page as a browser reads it: the data that its script starts with, and what a reader is told.
import type { Answer, CallInit, TestSachet } from '../support/sachet.ts';

export interface SeenReference extends Answer {
  /** The `data-…` attributes of the place where the reference stands. */
  readonly data: Readonly<Record<string, string>>;
  /** The text before the reference, without tags. */
  readonly told: string;
}

/** Opens the reference of a sandbox; `base` is its base URL. */
export async function openReference(
  sachet: Pick<TestSachet, 'call'>,
  base = '',
  { search = '', ...init }: CallInit & { readonly search?: string } = {},
): Promise<SeenReference> {
  const answer = await sachet.call('GET', `${base}/_docs${search}`, init);
  const [, place = ''] = /<div id="reference"([^>]*)>/.exec(answer.text) ?? [];
  const data = Object.fromEntries(
    Array.from(place.matchAll(/ data-(\w+)="([^"]*)"/g), ([, name, value]) => [name, value]),
  );
  const [, header = ''] = /<header>([\s\S]*)<\/header>/.exec(answer.text) ?? [];
  const told = header
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { ...answer, data, told };
}

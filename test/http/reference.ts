// The reference's page as a browser reads it: the data that its script starts with, and the text of its header.
import type { Answer, CallInit, TestSachet } from '../support/sachet.ts';

export interface SeenReference extends Answer {
  /** The `data-…` attributes of the element that holds the reference. */
  readonly data: Readonly<Record<string, string>>;
  /** The text before the reference, without tags. */
  readonly header: string;
}

/** Opens the reference of a sandbox; `base` is its base URL. */
export async function openReference(
  sachet: Pick<TestSachet, 'call'>,
  base = '',
  { search = '', ...init }: CallInit & { readonly search?: string } = {},
): Promise<SeenReference> {
  const answer = await sachet.call('GET', `${base}/_docs${search}`, init);
  const [, attributes = ''] = /<div id="reference"([^>]*)>/.exec(answer.text) ?? [];
  const pairs = Array.from(attributes.matchAll(/ data-(\w+)="([^"]*)"/g), ([, name, value]) => [name, value]);
  const [, markup = ''] = /<header>([\s\S]*)<\/header>/.exec(answer.text) ?? [];
  const header = markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { ...answer, data: Object.fromEntries(pairs), header };
}

// Has a page looked at again every few seconds, for what the sandbox's clock alone changes: that is no happening that a page follows.
import { contentAt } from '../addresses.ts';
import type { PageId } from '../pages.ts';

export const LookAgain = ({ sandbox, page }: { readonly sandbox: string; readonly page: PageId }) => (
  <span
    id="look-again"
    hx-get={contentAt(sandbox, page)}
    hx-trigger="every 5s"
    hx-target="#content"
    hx-sync="#content:queue last"
    hx-swap="innerMorph"
  />
);

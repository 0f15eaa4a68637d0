// 404 for a path or method that the contract does not name, or that this sandbox's readings do not offer (`order_endpoints`,
// `consumer_endpoints`); 400 for a path of theirs that cannot be decoded.
import { Refusal } from '../../contract/refusal.ts';
import type { Call } from '../call.ts';

export function route({ notRouted }: Call): void {
  if (notRouted) throw new Refusal(notRouted);
}

// 404 for a path or method that the contract does not name, or that this sandbox's readings do not offer (`order_endpoints`,
// `consumer_endpoints`); 400 for a path of theirs that cannot be decoded.
import { isOffered } from '../../contract/operation.ts';
import { Refusal } from '../../contract/refusal.ts';
import { isDecodable } from '../arrival.ts';
import type { Call } from '../call.ts';

export function route({ arrival: { operation, path }, terms }: Call): void {
  if (!operation) throw new Refusal('HTTP-1');
  if (operation.offeredBy && terms && !isOffered(operation, terms)) throw new Refusal(operation.offeredBy);
  if (!isDecodable(path)) throw new Refusal('malformed_path');
}

/** Requests that are not sent to the reference, and why: of them Sachet's answer alone is looked at. */
import type { Told } from './differences.ts';
import type { ReferenceRequest } from './requests.ts';
import { isOfParts, post } from './traits.ts';

export interface NotSent {
  readonly name: string;
  readonly why: string;
  readonly applies: (request: ReferenceRequest) => boolean;
  /** Requests of this kind, and what Sachet answers. */
  readonly seen: readonly (readonly [request: ReferenceRequest, ours: Told])[];
}

const parts = { type: 'multipart/form-data; boundary=x', encoding: 'gzip' };

export const notSent: readonly NotSent[] = [
  {
    name: 'a body of several parts with an encoding',
    why: 'hapi refuses it before it reads it, and then falls over its not inflating: the process ends',
    applies: ({ type, encoding }) => encoding !== null && isOfParts(type ?? ''),
    seen: [
      [post('x', parts), [400, 'Invalid compressed payload']],
      [post('x', { ...parts, encoding: 'br' }), [400, 'Unsupported Media Type']],
    ],
  },
];

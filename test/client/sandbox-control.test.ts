// The methods of a sandbox, written with their words, are those of the table of operations: none more, none less, each of its type.
import { expectTypeOf, test } from 'vitest';
import type { Method, SandboxControl } from '../../src/client/sandbox-control.ts';
import type { ControlId, ControlOperations } from '../../src/contract/control/operations.ts';

/** Operations whose path names a sandbox; a stream is no answer to wait for. */
type OfSandbox = Exclude<
  { [Id in ControlId]: ControlOperations[Id]['path'] extends `${string}{sandbox}${string}` ? Id : never }[ControlId],
  'events.follow'
>;

/** `sandboxes.reset` is the handle's `reset`, `clock.get` its `clock.get`, `records.orders.list` its `records.orders.list`. */
type PlaceOf<Id extends string> = Id extends `sandboxes.${infer Verb}` ? Verb : Id;

/** The type at a place such as `clock.get`. */
type At<Whole, Place extends string> = Place extends `${infer First}.${infer Rest}`
  ? First extends keyof Whole
    ? At<Whole[First], Rest>
    : never
  : Place extends keyof Whole
    ? Whole[Place]
    : never;

/** The operations whose method takes or gives something else. */
type Different = {
  [Id in OfSandbox]: At<SandboxControl, PlaceOf<Id>> extends Method<Id>
    ? Method<Id> extends At<SandboxControl, PlaceOf<Id>>
      ? never
      : Id
    : Id;
}[OfSandbox];

/** The places of functions in an object, as `clock.get`. */
type Places<Whole> = {
  [Key in keyof Whole & string]: Whole[Key] extends (...sent: never[]) => unknown
    ? Key
    : `${Key}.${Places<Whole[Key]>}`;
}[keyof Whole & string];

test('each operation of a sandbox has its method, and each method is one', () => {
  expectTypeOf<Different>().toEqualTypeOf<never>();
  expectTypeOf<Places<SandboxControl>>().toEqualTypeOf<PlaceOf<OfSandbox>>();
});

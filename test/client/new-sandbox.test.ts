// The options of a new sandbox are told with their words, and are those that the control API takes.
import { expectTypeOf, test } from 'vitest';
import type { NewSandboxOptions } from '../../src/client/sandbox.ts';
import type { ControlArguments } from '../../src/contract/control/control-operation.ts';
import type { ControlOperations } from '../../src/contract/control/operations.ts';

type Taken = ControlArguments<ControlOperations['sandboxes.create']>[0];

test('no option more, none less, each of its type; collections are told more closely than the wire has them', () => {
  expectTypeOf<keyof NewSandboxOptions>().toEqualTypeOf<keyof Taken>();
  expectTypeOf<NewSandboxOptions>().toExtend<Taken>();
  expectTypeOf<Omit<Taken, 'fixtures'>>().toExtend<Omit<NewSandboxOptions, 'fixtures'>>();
});
